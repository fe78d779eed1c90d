/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts logs whose every word is as a log has it, and that no program would write: what makes a
 * converter that trusts what it reads take all memory there is. It takes at most 64 MiB and eight
 * times the log. argv[1]: how many MiB a log has.
 */
#include "shared/trace-convert.h"
#include "shared/trace-log.h"

#include <ftw.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is allocated now, and the most since the last look. */
static _Atomic size_t in_use, most;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

static void *count(void *place)
{
	size_t now =
	    atomic_fetch_add(&in_use, malloc_usable_size(place)) + malloc_usable_size(place);
	size_t before = atomic_load(&most);

	while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
		;
	return place;
}

static void discount(void *place)
{
	atomic_fetch_sub(&in_use, malloc_usable_size(place));
}

#pragma GCC visibility push(default)
void *malloc(size_t size)
{
	return count(__libc_malloc(size));
}

void *calloc(size_t number, size_t size)
{
	return count(__libc_calloc(number, size));
}

void *realloc(void *old, size_t size)
{
	discount(old);
	return count(__libc_realloc(old, size));
}

void free(void *place)
{
	discount(place);
	__libc_free(place);
}
#pragma GCC visibility pop

/* A log while it is written. */
struct output {
	FILE *file;
	size_t bytes, room;
};

static void put(struct output *output, const void *bytes, size_t count_of_bytes)
{
	if (count_of_bytes > 0 && fwrite(bytes, 1, count_of_bytes, output->file) != count_of_bytes)
		abort();
	output->bytes += count_of_bytes;
}

static bool has_room(const struct output *output)
{
	return output->bytes < output->room;
}

static void record(struct output *output, enum trace_log_kind kind, uint64_t argument,
    unsigned words, uint64_t first, uint64_t second)
{
	uint64_t all[] = {
	    kind | argument << TRACE_LOG_KIND_BITS | UINT64_C(1) << TRACE_LOG_TIME_SHIFT,
	    trace_log_payload(first), trace_log_payload(second)};

	put(output, all, (1 + words) * sizeof(all[0]));
}

static void entry(struct output *output, uint32_t type, const void *head, size_t head_bytes,
    const char *texts, size_t text_bytes)
{
	static const char zeros[8];
	struct trace_log_entry entry = {type, (uint32_t)(head_bytes + text_bytes)};

	put(output, &entry, sizeof(entry));
	put(output, head, head_bytes);
	put(output, texts, text_bytes);
	put(output, zeros, (8 - entry.bytes % 8) % 8);
}

static void region(struct output *output, uint64_t id)
{
	char texts[32];
	struct trace_log_region head = {.id = id, .begin_first = (int)id, .end_last = (int)id};
	int length = snprintf(texts, sizeof(texts), "for%c%cf", 0, 0);

	entry(output, TRACE_LOG_REGION, &head, sizeof(head), texts, (size_t)length + 1);
}

/* The cases: one function for the definitions, one for the events; NULL: none. */
static void scattered_forks(struct output *output)
{
	for (uint64_t i = 1; has_room(output); i++)
		record(output, TRACE_LOG_FORK, 1, 1, i * UINT64_C(0x9e3779b97f4a7c15) >> 8, 0);
}

static void same_block_forks(struct output *output)
{
	for (uint64_t i = 1; has_room(output); i++)
		record(output, TRACE_LOG_FORK, 1, 1, i << 30, 0);
}

static void begins(struct output *output)
{
	for (uint64_t i = 1; has_room(output); i++)
		record(output, TRACE_LOG_TEAM_BEGIN, 1, 2, i * 77777777, i << 32 | UINT32_MAX);
}

static void one_large_team(struct output *output)
{
	record(output, TRACE_LOG_TEAM_BEGIN, 1, 2, (UINT64_C(1) << 57), UINT32_MAX);
}

static void enters(struct output *output)
{
	while (has_room(output))
		record(output, TRACE_LOG_ENTER, 1, 0, 0, 0);
}

static void creations(struct output *output)
{
	while (has_room(output))
		record(output, TRACE_LOG_TASK_CREATE_NEXT, 1, 0, 0, 0);
}

static void locks(struct output *output)
{
	for (uint64_t i = 1; has_room(output); i++)
		record(
		    output, TRACE_LOG_LOCK_ACQUIRED, i * 999983 & TRACE_LOG_ARGUMENT_MAX, 1, 1, 0);
}

static void highest_lock(struct output *output)
{
	record(output, TRACE_LOG_LOCK_ACQUIRED, TRACE_LOG_ARGUMENT_MAX, 1, 1, 0);
}

/* Each of five parts of each region, for as long as the definitions have room. */
static void all_parts(struct output *output)
{
	static const enum trace_log_kind parts[] = {TRACE_LOG_VISIT, TRACE_LOG_BARRIER_VISIT,
	    TRACE_LOG_BLOCK_VISIT, TRACE_LOG_WAIT_VISIT, TRACE_LOG_TASK_CREATE_NEXT};

	for (uint64_t id = 1; has_room(output); id++)
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
			if (id < 1 << TRACE_LOG_VISIT_ARGUMENT_BITS || i == 4)
				record(output, parts[i], id & TRACE_LOG_ARGUMENT_MAX, 0, 0, 0);
			else
				record(output, TRACE_LOG_ENTER + i * 2, id & TRACE_LOG_ARGUMENT_MAX,
				    0, 0, 0);
}

static void regions(struct output *output)
{
	for (uint64_t id = 1; has_room(output); id++)
		region(output, id);
}

static void highest_region(struct output *output)
{
	region(output, TRACE_LOG_ARGUMENT_MAX);
}

static void texts(struct output *output)
{
	char text[24];

	for (uint32_t i = 1; has_room(output); i++) {
		struct trace_log_text_head head = {
		    i % 2 == 0 ? TRACE_LOG_TEXT_VALUE : TRACE_LOG_TEXT_INT64, (i + 1) / 2};
		int length = snprintf(text, sizeof(text), "%x", i);
		entry(output, TRACE_LOG_TEXT, &head, sizeof(head), text, (size_t)length + 1);
	}
}

static void highest_texts(struct output *output)
{
	struct trace_log_text_head value = {TRACE_LOG_TEXT_VALUE, TRACE_LOG_ARGUMENT_MAX};
	struct trace_log_text_head name = {TRACE_LOG_TEXT_INT64, TRACE_LOG_ARGUMENT_MAX};

	entry(output, TRACE_LOG_TEXT, &value, sizeof(value), "v", 2);
	entry(output, TRACE_LOG_TEXT, &name, sizeof(name), "n", 2);
}

static void program_without_end(struct output *output)
{
	char text[64];

	memset(text, 'x', sizeof(text));
	entry(output, TRACE_LOG_PROGRAM, NULL, 0, text, sizeof(text));
}

static void highest_comm(struct output *output)
{
	struct trace_log_comm head = {.identity = 77, .number = TRACE_LOG_ARGUMENT_MAX, .size = 1};

	entry(output, TRACE_LOG_COMM, &head, sizeof(head), NULL, 0);
}

static void large_comm(struct output *output)
{
	struct trace_log_comm head = {.identity = 77, .size = UINT32_MAX};

	entry(output, TRACE_LOG_COMM, &head, sizeof(head), NULL, 0);
}

static void comms(struct output *output)
{
	for (uint32_t i = 0; has_room(output); i++) {
		struct trace_log_comm head = {.identity = i + 9, .number = i, .size = 1};
		entry(output, TRACE_LOG_COMM, &head, sizeof(head), NULL, 0);
	}
}

static void members(struct output *output)
{
	static uint32_t ranks[1 << 20];
	struct trace_log_comm head = {.identity = 9, .member_count = 1 << 20, .size = 1 << 20};

	for (; has_room(output); head.number++, head.identity++)
		entry(output, TRACE_LOG_COMM, &head, sizeof(head), (const char *)ranks,
		    sizeof(ranks));
}

static void synchronised(struct output *output)
{
	for (uint64_t i = 0; has_room(output); i++) {
		struct trace_log_sync sync = {i, i, i};
		entry(output, TRACE_LOG_SYNC, &sync, sizeof(sync), NULL, 0);
	}
}

static const struct hostile {
	const char *name, *folder; /* folder: where the log is in the experiment's */
	void (*definitions)(struct output *), (*events)(struct output *);
} cases[] = {
    {"scattered teams", "", NULL, scattered_forks},
    {"teams of one block", "", NULL, same_block_forks},
    {"teams of one", "", NULL, begins},
    {"a large team", "", NULL, one_large_team},
    {"regions that are never left", "", NULL, enters},
    {"tasks that are never created", "", NULL, creations},
    {"locks", "", NULL, locks},
    {"the highest lock", "", NULL, highest_lock},
    {"regions with all parts", "", regions, all_parts},
    {"the highest region", "", highest_region, enters},
    {"texts", "", texts, NULL},
    {"the highest texts", "", highest_texts, NULL},
    {"program without an end", "", program_without_end, NULL},
    {"the highest communicator", "rank-000000", highest_comm, NULL},
    {"a large communicator", "rank-000000", large_comm, NULL},
    {"communicators", "rank-000000", comms, NULL},
    {"members", "rank-000000", members, NULL},
    {"the highest rank", "rank-4294967290", NULL, NULL},
    {"comparisons", "rank-000000", synchronised, NULL},
};

static void begin(struct output *output, const char *folder, const char *name, size_t room)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	*output = (struct output){.file = fopen(path, "wb"), .room = room};
	if (output->file == NULL)
		abort();
}

/* Returns how many bytes the logs have. */
static size_t write_logs(const char *folder, const struct hostile *hostile, size_t bytes)
{
	struct trace_log_process process = {.magic = TRACE_LOG_MAGIC,
	    .start = {1, 1, 1},
	    .end = {1000, 1000, 1000},
	    .tick_is_nanosecond = 1};
	static union {
		struct trace_log_thread head;
		char page[TRACE_LOG_HEADER_BYTES];
	} thread = {.head = {.magic = TRACE_LOG_MAGIC, .start = 1}};
	struct output output;
	size_t all;

	begin(&output, folder, TRACE_LOG_DEFINITIONS, hostile->events != NULL ? bytes / 2 : bytes);
	put(&output, &process, sizeof(process));
	if (hostile->definitions != NULL)
		hostile->definitions(&output);
	all = output.bytes;
	fclose(output.file);
	begin(&output, folder, "thread-000000.pomplog",
	    bytes - (hostile->definitions != NULL ? all : 0));
	put(&output, &thread, sizeof(thread));
	if (hostile->events != NULL)
		hostile->events(&output);
	// cppcheck-suppress useClosedFile ; begin() opened the next one
	fclose(output.file);
	return all + output.bytes;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *position)
{
	(void)status, (void)kind, (void)position;
	return remove(path);
}

/* Whether the memory kept within its bounds. */
static bool convert(const struct hostile *hostile, size_t bytes)
{
	char top[] = "/tmp/hostile-logs-XXXXXX", path[64], *error = NULL;
	struct trace_conversion conversion = {.keep_logs = true};

	if (mkdtemp(top) == NULL)
		abort();
	snprintf(path, sizeof(path), "%s/%s", top, hostile->folder);
	if (hostile->folder[0] != '\0' && mkdir(path, 0777) != 0)
		abort();
	size_t log = write_logs(path, hostile, bytes), before = atomic_load(&in_use);
	atomic_store(&most, before);
	int result = trace_convert(top, &conversion, &error);
	size_t taken = atomic_load(&most) - before, allowed = (UINT64_C(64) << 20) + 8 * log;
	printf("%-30s %10zu bytes, %10zu of memory, %5.1f %%: %s\n", hostile->name, log, taken,
	    100.0 * (double)taken / (double)allowed, result == 0 ? "an archive" : error);
	free(error);
	nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return taken <= allowed;
}

int main(int argc, char **argv)
{
	size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 8) << 20;
	bool kept = true;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		kept &= convert(&cases[i], bytes);
	return kept ? EXIT_SUCCESS : EXIT_FAILURE;
}
