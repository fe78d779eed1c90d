/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Maps the logs and walks their records. Sizes and kinds are checked before use; a log that breaks
 * off is read up to that point.
 */
#include "log-reader.h"

#include "ring-log.h"

#include "shared/array.h"
#include "shared/code-names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Payload words by kind. */
#define WORDS(name, words, events, meaning) [TRACE_LOG_##name] = (words),
static const unsigned char payload_words[TRACE_LOG_KIND_COUNT] = {TRACE_LOG_KINDS(WORDS)};

/* Maps a whole file for reading; NULL with errno. An empty file is an error (ENODATA). */
static void *map_file(const char *path, size_t *bytes)
{
	struct stat status;
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return NULL;
	void *place = MAP_FAILED;
	if (fstat(file, &status) == 0) {
		*bytes = (size_t)status.st_size;
		if (*bytes == 0)
			errno = ENODATA;
		else
			place = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, file, 0);
	}
	int error = errno;
	close(file);
	errno = error;
	return place == MAP_FAILED ? NULL : place;
}

const char *convert_take_text(const char **place, const char *end)
{
	const char *text = *place;
	const char *nul = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;

	if (nul == NULL)
		return NULL;
	*place = nul + 1;
	return text;
}

size_t convert_count_words(const struct convert_input *input)
{
	const char *next = input->program, *end = next != NULL ? next + input->program_bytes : NULL;
	size_t count = 0;

	while (next != NULL && convert_take_text(&next, end) != NULL)
		count++;
	return count;
}

/*
 * Extends a table to at least `wanted` items, with new items all zero; false when memory ran out.
 * `table` is the address of its pointer.
 */
static bool extend(void *table, size_t *count, size_t *capacity, size_t wanted, size_t size)
{
	char *items;

	if (wanted <= *count)
		return true;
	if (!array_make_room(table, capacity, *count, wanted - *count, size))
		return false;
	memcpy(&items, table, sizeof(items));
	memset(items + *count * size, 0, (wanted - *count) * size);
	*count = wanted;
	// cppcheck-suppress memleak ; the table's owner has it, through the copy of its address
	return true;
}

#define EXTEND(name, wanted)                                                                       \
	extend(&input->name##s, &input->name##_count, &input->name##_capacity, wanted,             \
	    sizeof(*input->name##s))

/*
 * Definitions are numbered densely from 1, and each takes room in the log. A number that is greater
 * than the number of entries of that size that the log can hold is invalid.
 */
static bool is_number(const struct convert_input *input, uint64_t number, size_t size)
{
	return number > 0 && number <= TRACE_LOG_ARGUMENT_MAX &&
	       number <= input->definitions_bytes / (sizeof(struct trace_log_entry) + size);
}

static bool add_text(struct convert_input *input, const char *data, const char *end)
{
	struct trace_log_text_head head;

	if ((size_t)(end - data) < sizeof(head))
		return true;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	const char *text = convert_take_text(&data, end);
	if (text == NULL || !is_number(input, head.number, sizeof(head)) ||
	    head.type > TRACE_LOG_TEXT_VALUE)
		return true;
	if (head.type == TRACE_LOG_TEXT_VALUE) {
		if (!EXTEND(value, head.number))
			return false;
		input->values[head.number - 1] = text;
		return true;
	}
	if (!EXTEND(parameter, head.number))
		return false;
	input->parameters[head.number - 1] =
	    (struct convert_parameter){text, (enum trace_log_text)head.type};
	return true;
}

static bool add_region(struct convert_input *input, const char *data, const char *end)
{
	struct trace_log_region head;

	if ((size_t)(end - data) < sizeof(head))
		return true;
	memcpy(&head, data, sizeof(head));
	if (!is_number(input, head.id, sizeof(head)))
		return true;
	if (!EXTEND(region, head.id))
		return false;
	const char *text = data + sizeof(head);
	struct convert_region region = input->regions[head.id - 1];
	region.head = head;
	region.name = convert_take_text(&text, end);
	region.sub_name = convert_take_text(&text, end);
	region.file = convert_take_text(&text, end);
	if (region.file != NULL)
		input->regions[head.id - 1] = region;
	return true;
}

/* Follows the entry of its region. */
static void add_code(struct convert_input *input, const char *data, const char *end)
{
	struct trace_log_code head;

	if ((size_t)(end - data) < sizeof(head))
		return;
	memcpy(&head, data, sizeof(head));
	if (head.id == 0 || head.id > input->region_count || head.at > CODE_RETURN)
		return;
	struct convert_region *region = &input->regions[head.id - 1];
	const char *text = data + sizeof(head);
	const char *module = convert_take_text(&text, end);
	const char *build_id = convert_take_text(&text, end);
	const char *function = convert_take_text(&text, end);
	if (function == NULL || region->name == NULL)
		return;
	region->code = head;
	region->module = module;
	region->build_id = build_id;
	region->function = function;
}

/* Adds a metric, or one that was dropped; ignores more metrics than a log can have. */
static void add_metric(struct convert_input *input, const char *data, const char *end)
{
	struct convert_metric metric;
	struct trace_log_metric head;

	if ((size_t)(end - data) < sizeof(head) || input->metric_count == TRACE_LOG_METRICS_MAX)
		return;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	metric.name = convert_take_text(&data, end);
	metric.unit = convert_take_text(&data, end);
	metric.meaning = convert_take_text(&data, end);
	if (metric.meaning == NULL)
		return;
	input->metrics_everywhere = head.everywhere != 0;
	input->metrics[input->metric_count++] = metric;
}

static void add_dropped(struct convert_input *input, const char *data, const char *end)
{
	struct convert_metric metric = {.name = convert_take_text(&data, end)};

	metric.meaning = convert_take_text(&data, end);
	if (metric.meaning != NULL && input->dropped_count < TRACE_LOG_METRICS_MAX)
		input->dropped[input->dropped_count++] = metric;
}

static bool is_comm_number(const struct convert_input *input, uint32_t number)
{
	return is_number(input, (uint64_t)number + 1, sizeof(struct trace_log_comm));
}

static bool add_comm(struct convert_input *input, const char *data, const char *end)
{
	struct convert_mpi_comm comm = {0};

	if ((size_t)(end - data) < sizeof(comm.head))
		return true;
	memcpy(&comm.head, data, sizeof(comm.head));
	size_t room = (size_t)(end - data) - sizeof(comm.head);
	if (!is_comm_number(input, comm.head.number) || comm.head.size == 0 ||
	    comm.head.member_count > room / sizeof(uint32_t))
		return true;
	comm.members = (const uint32_t *)(const void *)(data + sizeof(comm.head));
	if (!EXTEND(comm, (size_t)comm.head.number + 1))
		return false;
	input->comms[comm.head.number] = comm;
	return true;
}

/* The latest name counts. A member gives the name, after the communicator was defined. */
static void add_name(struct convert_input *input, const char *data, const char *end)
{
	struct trace_log_comm_name head;

	if ((size_t)(end - data) <= sizeof(head) || end[-1] != '\0')
		return;
	memcpy(&head, data, sizeof(head));
	for (size_t i = 0; i < input->comm_count; i++)
		if (input->comms[i].head.size > 0 && input->comms[i].head.identity == head.identity)
			input->comms[i].name = data + sizeof(head);
}

static bool add_sync(struct convert_input *input, const char *data, const char *end)
{
	if ((size_t)(end - data) < sizeof(struct trace_log_sync))
		return true;
	if (!ARRAY_ROOM(input->syncs, input->sync_count, input->sync_capacity, 1))
		return false;
	memcpy(&input->syncs[input->sync_count++], data, sizeof(*input->syncs));
	return true;
}

static bool add_lock(struct convert_input *input, const char *data, const char *end)
{
	struct trace_log_lock head;

	if ((size_t)(end - data) < sizeof(head))
		return true;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	const char *name = convert_take_text(&data, end);
	if (name == NULL || head.number == 0 || head.number > TRACE_LOG_ARGUMENT_MAX)
		return true;
	struct convert_lock lock = {(uint32_t)head.number, name};
	return ARRAY_PUSH(input->locks, input->lock_count, input->lock_capacity, lock);
}

static bool add_lock_place(struct convert_input *input, const char *data, const char *end)
{
	struct convert_lock_place place;

	if ((size_t)(end - data) < sizeof(place.head))
		return true;
	memcpy(&place.head, data, sizeof(place.head));
	data += sizeof(place.head);
	place.module = convert_take_text(&data, end);
	place.build_id = convert_take_text(&data, end);
	place.init_module = convert_take_text(&data, end);
	place.init_build_id = convert_take_text(&data, end);
	if (place.init_build_id == NULL || place.head.number == 0 ||
	    place.head.number > TRACE_LOG_ARGUMENT_MAX)
		return true;
	return ARRAY_PUSH(
	    input->lock_places, input->lock_place_count, input->lock_place_capacity, place);
}

static bool add_caller(struct convert_input *input, const char *data, const char *end)
{
	struct convert_caller caller;

	if ((size_t)(end - data) < sizeof(caller.head))
		return true;
	memcpy(&caller.head, data, sizeof(caller.head));
	data += sizeof(caller.head);
	caller.function = convert_take_text(&data, end);
	caller.file = convert_take_text(&data, end);
	caller.inner_function = convert_take_text(&data, end);
	caller.inner_file = convert_take_text(&data, end);
	if (caller.inner_file == NULL || caller.head.region == 0 ||
	    caller.head.region > TRACE_LOG_ARGUMENT_MAX)
		return true;
	return ARRAY_PUSH(input->callers, input->caller_count, input->caller_capacity, caller);
}

/*
 * Adds entries of a rank of MPI (communicators, comparisons of clocks), and entries that only some
 * processes have.
 */
static bool add_other_entry(
    struct convert_input *input, uint32_t type, const char *data, const char *end)
{
	switch (type) {
	case TRACE_LOG_COMM:
		return add_comm(input, data, end);
	case TRACE_LOG_COMM_NAME:
		add_name(input, data, end);
		return true;
	case TRACE_LOG_SYNC:
		return add_sync(input, data, end);
	case TRACE_LOG_CODE:
		add_code(input, data, end);
		return true;
	case TRACE_LOG_LOCK:
		return add_lock(input, data, end);
	case TRACE_LOG_LOCK_PLACE:
		return add_lock_place(input, data, end);
	case TRACE_LOG_PROCESSOR:
		input->has_processor = (size_t)(end - data) == sizeof(input->processor);
		if (input->has_processor)
			memcpy(&input->processor, data, sizeof(input->processor));
		return true;
	case TRACE_LOG_ADDRESS:
		return convert_paths_add_address(&input->paths, data, end);
	case TRACE_LOG_PATHS:
		return convert_paths_add_tree(&input->paths, data, end);
	case TRACE_LOG_CALL:
		return convert_paths_add_call(&input->paths, data, end);
	case TRACE_LOG_MODULE:
		return convert_paths_add_module(&input->paths, data, end);
	case TRACE_LOG_CALLER:
		return add_caller(input, data, end);
	case TRACE_LOG_HOST:
		if (data < end && end[-1] == '\0')
			input->host = data;
		return true;
	default:
		return true;
	}
}

static int read_definitions(struct convert_input *input, char **error)
{
	input->definitions = map_file(input->definitions_path, &input->definitions_bytes);
	if (input->definitions == NULL)
		return convert_fail(error, input->definitions_path,
		    errno == ENOENT ? "no such file: this folder holds no event logs"
				    : strerror(errno));
	const char *place = input->definitions;
	const char *end = place + input->definitions_bytes;
	if (input->definitions_bytes < sizeof(input->process))
		return convert_fail(error, input->definitions_path, "too short for an event log");
	memcpy(&input->process, place, sizeof(input->process));
	if (input->process.magic != TRACE_LOG_MAGIC)
		return convert_fail(
		    error, input->definitions_path, "not an event log of this version");
	place += sizeof(input->process);
	for (;;) {
		struct trace_log_entry entry;
		if ((size_t)(end - place) < sizeof(entry))
			return 0;
		memcpy(&entry, place, sizeof(entry));
		place += sizeof(entry);
		if (entry.bytes > (size_t)(end - place))
			return 0;
		if ((entry.type == TRACE_LOG_REGION &&
			!add_region(input, place, place + entry.bytes)) ||
		    (entry.type == TRACE_LOG_TEXT && !add_text(input, place, place + entry.bytes)))
			return convert_fail(error, input->definitions_path, strerror(ENOMEM));
		if (entry.type == TRACE_LOG_PROGRAM) {
			input->program = place;
			input->program_bytes = entry.bytes;
		}
		if (entry.type == TRACE_LOG_METRIC)
			add_metric(input, place, place + entry.bytes);
		if (entry.type == TRACE_LOG_DROPPED)
			add_dropped(input, place, place + entry.bytes);
		if (entry.type >= TRACE_LOG_COMM &&
		    !add_other_entry(input, entry.type, place, place + entry.bytes))
			return convert_fail(error, input->definitions_path, strerror(ENOMEM));
		size_t padded = ((size_t)entry.bytes + 7) & ~(size_t)7;
		if (padded > (size_t)(end - place))
			return 0;
		place += padded;
	}
}

/* Adds one thread's log; a log that was never begun is left out. */
static int add_log(struct convert_input *input, char *path, char **error)
{
	struct convert_log log = {.path = path};
	struct trace_log_thread head;

	log.mapping = map_file(path, &log.mapping_bytes);
	if (log.mapping == NULL || log.mapping_bytes < TRACE_LOG_HEADER_BYTES) {
		/* A file that exists but cannot be read may contain everything that matters. */
		bool unread = log.mapping == NULL && errno != ENODATA;
		int result = unread ? convert_fail(error, path, strerror(errno)) : 0;
		if (log.mapping != NULL)
			munmap(log.mapping, log.mapping_bytes);
		free(path);
		return result;
	}
	memcpy(&head, log.mapping, sizeof(head));
	bool has_room = ARRAY_ROOM(input->logs, input->log_count, input->log_capacity, 1);
	if (!has_room || head.magic != TRACE_LOG_MAGIC) {
		munmap(log.mapping, log.mapping_bytes);
		int result = has_room ? 0 : convert_fail(error, path, strerror(ENOMEM));
		free(path);
		return result;
	}
	log.location = head.location;
	log.start = head.start;
	log.latest = head.latest;
	log.lost_events = head.lost_events;
	log.cut = input->process.cut;
	log.words = (const uint64_t *)((const char *)log.mapping + TRACE_LOG_HEADER_BYTES);
	log.end = log.words + (log.mapping_bytes - TRACE_LOG_HEADER_BYTES) / sizeof(uint64_t);
	bool fits = head.segment_bytes == 0 || convert_ring_unroll(&log, head.segment_bytes);
	/* Rings of a running program are copied one after the other, from that time on. */
	if (log.unrolled != NULL && log.cut == 0)
		log.cut = input->process.end.ticks;
	input->logs[input->log_count++] = log;
	return fits ? 0 : convert_fail(error, input->definitions_path, strerror(ENOMEM));
}

static int by_location(const void *left, const void *right)
{
	const struct convert_log *one = left, *two = right;

	return one->location < two->location ? -1 : one->location > two->location;
}

bool convert_is_log(const char *name)
{
	unsigned location;
	int length = 0;

	return sscanf(name, TRACE_LOG_THREAD_SCAN, &location, &length) == 1 && length > 0 &&
	       name[length] == '\0';
}

/* Rings begin somewhere in the run, and nothing is known of the time before. */
static uint64_t first_record(const struct convert_input *input)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < input->log_count; i++) {
		const struct convert_log *log = &input->logs[i];
		if (log->unrolled == NULL)
			return input->process.start.ticks;
		if (log->words < log->end && log->start < first)
			first = log->start;
	}
	bool is_known = first != UINT64_MAX && first > input->process.start.ticks;
	return is_known ? first : input->process.start.ticks;
}

/* Before that, figures of all threads would count what is not known of some as idle time. */
static uint64_t last_beginning(const struct convert_input *input)
{
	uint64_t last = 0;

	for (size_t i = 0; i < input->log_count; i++) {
		const struct convert_log *log = &input->logs[i];
		bool has_records = log->cut == 0 || log->start < log->cut;
		if (has_records && log->lacks_earlier && log->start > last)
			last = log->start;
	}
	return last;
}

static int read_logs(struct convert_input *input, const char *folder, char **error)
{
	DIR *entries = opendir(folder);
	int result = 0;

	if (entries == NULL)
		return convert_fail(error, folder, strerror(errno));
	for (struct dirent *entry; result == 0 && (entry = readdir(entries)) != NULL;) {
		char *path;
		if (!convert_is_log(entry->d_name))
			continue;
		if (asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
			result = convert_fail(error, folder, strerror(ENOMEM));
		else
			result = add_log(input, path, error);
	}
	closedir(entries);
	if (result == 0 && input->log_count > 0)
		qsort(input->logs, input->log_count, sizeof(input->logs[0]), by_location);
	input->begin = first_record(input);
	input->complete_from = last_beginning(input);
	return result;
}

int convert_input_open(struct convert_input *input, const char *folder, char **error)
{
	*input = (struct convert_input){0};
	if (asprintf(&input->definitions_path, "%s/" TRACE_LOG_DEFINITIONS, folder) < 0) {
		input->definitions_path = NULL;
		return convert_fail(error, folder, strerror(ENOMEM));
	}
	if (read_definitions(input, error) != 0 || read_logs(input, folder, error) != 0)
		return -1;
	if (input->log_count == 0)
		return convert_fail(error, folder, "no thread has logged any event");
	return 0;
}

void convert_input_close(struct convert_input *input)
{
	for (size_t i = 0; i < input->log_count; i++) {
		munmap(input->logs[i].mapping, input->logs[i].mapping_bytes);
		free(input->logs[i].path);
		free(input->logs[i].unrolled);
	}
	for (size_t i = 0; i < input->text_count; i++)
		free(input->texts[i]);
	free(input->texts);
	free(input->logs);
	free(input->regions);
	free(input->parameters);
	free(input->values);
	free(input->comms);
	free(input->syncs);
	free(input->locks);
	free(input->lock_places);
	free(input->callers);
	convert_paths_free(&input->paths);
	if (input->definitions != NULL)
		munmap(input->definitions, input->definitions_bytes);
	free(input->definitions_path);
	*input = (struct convert_input){0};
}

struct convert_cursor convert_cursor_of(const struct convert_log *log)
{
	return (struct convert_cursor){log->words, log->end, log->start, 0, log->cut};
}

/* Turns a visit's record into that of its enter; the next call returns the leave. */
static uint64_t split_visit(struct convert_cursor *cursor, uint64_t word, unsigned kind)
{
	uint64_t enter = TRACE_LOG_ENTER + 2 * (kind - TRACE_LOG_VISIT);
	uint64_t id =
	    word >> TRACE_LOG_KIND_BITS & ((UINT64_C(1) << TRACE_LOG_VISIT_ARGUMENT_BITS) - 1);
	uint64_t duration = word >> (TRACE_LOG_KIND_BITS + TRACE_LOG_VISIT_ARGUMENT_BITS) &
			    ((UINT64_C(1) << TRACE_LOG_VISIT_DURATION_BITS) - 1);
	uint64_t distance = word >> (64 - TRACE_LOG_VISIT_TIME_BITS);

	cursor->leave = (enter + 1) | id << TRACE_LOG_KIND_BITS | duration << TRACE_LOG_TIME_SHIFT;
	return enter | id << TRACE_LOG_KIND_BITS | distance << TRACE_LOG_TIME_SHIFT;
}

static void fill_record(struct convert_cursor *cursor, struct convert_record *record, uint64_t word)
{
	record->kind = (enum trace_log_kind)trace_log_kind_of(word);
	record->argument = trace_log_argument_of(word);
	cursor->time += trace_log_time_of(word);
	record->time = cursor->time;
}

static bool next_record(struct convert_cursor *cursor, struct convert_record *record)
{
	if (cursor->leave != 0) {
		fill_record(cursor, record, cursor->leave);
		cursor->leave = 0;
		return true;
	}
	while (cursor->next < cursor->end) {
		uint64_t word = *cursor->next;
		unsigned kind = trace_log_kind_of(word);
		if (kind == TRACE_LOG_END || kind >= TRACE_LOG_KIND_COUNT)
			return false;
		unsigned words =
		    kind == TRACE_LOG_METRICS ? trace_log_argument_of(word) : payload_words[kind];
		if ((size_t)(cursor->end - cursor->next) < 1 + words)
			return false;
		for (unsigned i = 0; i < payload_words[kind]; i++) {
			if (trace_log_kind_of(cursor->next[1 + i]) != TRACE_LOG_PAYLOAD)
				return false;
			record->payload[i] = cursor->next[1 + i] >> TRACE_LOG_KIND_BITS;
		}
		record->values = cursor->next + 1;
		cursor->next += 1 + words;
		if (kind == TRACE_LOG_TIME) {
			if (record->payload[0] > cursor->time)
				cursor->time = record->payload[0];
			continue;
		}
		if (kind >= TRACE_LOG_VISIT && kind <= TRACE_LOG_WAIT_VISIT)
			word = split_visit(cursor, word, kind);
		fill_record(cursor, record, word);
		if (kind != TRACE_LOG_PAD)
			return true;
	}
	return false;
}

bool convert_next(struct convert_cursor *cursor, struct convert_record *record)
{
	if (next_record(cursor, record) && (cursor->cut == 0 || record->time < cursor->cut))
		return true;
	cursor->next = cursor->end;
	cursor->leave = 0;
	if (cursor->cut != 0 && cursor->time > cursor->cut)
		cursor->time = cursor->cut;
	return false;
}

uint64_t convert_events_behind_cut(const struct convert_log *log)
{
	struct convert_cursor cursor = convert_cursor_of(log);
	struct convert_record record;
	uint64_t events = 0;

	cursor.cut = 0;
	while (log->cut != 0 && log->unrolled == NULL && convert_next(&cursor, &record))
		if (record.time >= log->cut)
			events += trace_log_events(record.kind);
	return events;
}
