/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log, in the format of sharing-format.h. It is written to another name first, so
 * that a reader finds all of it or nothing. Nothing here allocates.
 */
#include "noted-log.h"

#include "line-records.h"
#include "loaded-files.h"
#include "near-lines.h"
#include "noted-lines.h"

#include "sharing-format.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, ROOM = 1 << 16, LONGEST_LINE = 4096 };

/* Written at the begin, and by the one that writes the log. */
static struct {
	char folder[PATH_BYTES];
	pid_t process; /* a child of fork() has no log */
	uint64_t begin_time, begin_processor, begin_tick;
	_Atomic bool is_written;
	int file;
	size_t used;
	char text[ROOM];
} log_state;

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void noted_log_begin(const char *folder)
{
	const size_t length = strcspn(folder, ",");

	if (length >= sizeof log_state.folder)
		return;
	memcpy(log_state.folder, folder, length);
	log_state.process = getpid();
	log_state.begin_time = now(CLOCK_MONOTONIC);
	log_state.begin_processor = now(CLOCK_PROCESS_CPUTIME_ID);
	log_state.begin_tick = counter_read();
}

static void flush(void)
{
	for (size_t done = 0; done < log_state.used;) {
		ssize_t written =
		    write(log_state.file, log_state.text + done, log_state.used - done);
		if (written <= 0)
			break;
		done += (size_t)written;
	}
	log_state.used = 0;
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list arguments;

	if (ROOM - log_state.used < LONGEST_LINE)
		flush();
	va_start(arguments, format);
	int length =
	    vsnprintf(log_state.text + log_state.used, ROOM - log_state.used, format, arguments);
	va_end(arguments);
	if (length > 0)
		log_state.used += (size_t)length;
}

/* Puts OFFSET and MODULE. */
static void put_place(uintptr_t address)
{
	const char *file;
	const uintptr_t offset = loaded_file_offset(address, &file);

	put("\t%" PRIxPTR "\t%s\n", offset, file != NULL ? file : "-");
}

/* Puts KIND, START, SIZE, OFFSET and MODULE, and the frames of an allocation. */
static void put_object(uintptr_t address, const struct heap_block *block)
{
	const char *file;
	const uintptr_t offset = loaded_file_offset(address, &file);

	if (file != NULL) {
		put("\t" SHARING_GLOBAL "\t0\t0\t%" PRIxPTR "\t%s\n", offset, file);
		return;
	}
	put("\t%s\t%" PRIxPTR "\t%zu\t0\t-\n", block->size != 0 ? SHARING_HEAP : SHARING_UNKNOWN,
	    block->start, block->size);
	for (unsigned i = 0; block->allocation != NULL && i < BLOCK_FRAMES; i++)
		if (block->allocation->frames[i] != 0) {
			put(SHARING_FRAME);
			put_place(block->allocation->frames[i]);
		}
}

static void put_share(const struct line_share *share)
{
	put(SHARING_SHARE "\t%u\t%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIx64 "\t%" PRIx64 "\n",
	    share->thread, share->member, share->all_reads, share->all_writes,
	    share->all_bytes_read, share->all_bytes_written);
	for (unsigned i = 0; i < RECORD_SITES; i++) {
		const struct share_site *site = &share->sites[i];
		if (site->reads + site->writes == 0)
			continue;
		put(SHARING_SITE "\t%" PRIu64 "\t%" PRIu64, site->reads, site->writes);
		put_place(site->place);
	}
}

static void put_record(const struct line_record *record)
{
	if (record->epochs == 0)
		return;
	put(SHARING_LINE "\t%" PRIxPTR "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIx64,
	    record->address, record->false_transfers, record->true_transfers, record->epochs,
	    record->accesses, record->ticks, record->timed, record->calls, record->common_bytes);
	put_object(record->address, &record->block);
	for (const struct line_share *share = load_acquire(&record->shares); share != NULL;
	     share = share->next)
		if (share->all_reads + share->all_writes != 0)
			put_share(share);
	put(SHARING_END "\n");
}

static void put_near(const struct near_lines *near)
{
	struct heap_block block;

	heap_block_find(near->used, &block);
	put(SHARING_NEAR "\t%" PRIxPTR "\t%u", near->first, near->distance);
	put_object(near->first, &block);
	for (int i = 0; i < 2; i++) {
		const uint64_t written = near->written[i] != 0;
		put(SHARING_SHARE "\t%u\t-1\t%" PRIu64 "\t%" PRIu64 "\t%" PRIx64 "\t%" PRIx64 "\n",
		    near->thread[i], written ? 0 : near->accesses[i],
		    written ? near->accesses[i] : 0, near->read[i], near->written[i]);
		put(SHARING_SITE "\t%" PRIu64 "\t%" PRIu64, written ? 0 : near->accesses[i],
		    written ? near->accesses[i] : 0);
		put_place(near->place[i]);
	}
	put(SHARING_END "\n");
}

/* Picoseconds that noting an access takes, the least of some tries. */
static uint64_t cost_of_noting(void)
{
	enum { TRIES = 10, CALLS = 1000 };
	static _Alignas(SHARING_LINE_BYTES) char cell[SHARING_LINE_BYTES];
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t begin = now(CLOCK_MONOTONIC);
		for (int j = 0; j < CALLS; j++) {
			note_access((uintptr_t)cell + j % 8 * sizeof(long), sizeof(long), true, 0);
			__asm__ volatile("" ::: "memory");
		}
		const uint64_t time = (now(CLOCK_MONOTONIC) - begin) * 1000 / CALLS;
		least = time < least ? time : least;
	}
	return least;
}

static void put_run(void)
{
	const uint64_t wall = now(CLOCK_MONOTONIC) - log_state.begin_time;
	const uint64_t processor = now(CLOCK_PROCESS_CPUTIME_ID) - log_state.begin_processor;
	const uint64_t ticks = counter_read() - log_state.begin_tick;
	const uint64_t calls = noting_call_count();

	put(SHARING_RUN "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			"\t%u\t%" PRIu64 "\t%" PRIu64 "\n",
	    wall, processor, calls, cost_of_noting(), wall >= 1000 ? ticks / (wall / 1000) : 0,
	    noting_thread_count(), line_records_count(), line_records_refused());
}

static void put_program(void)
{
	char path[PATH_BYTES / 2];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof path);

	put(SHARING_VERSION "\n" SHARING_PROGRAM "\t%.*s\n", length > 0 ? (int)length : 1,
	    length > 0 ? path : "?");
}

void noted_log_write(bool at_signal)
{
	char path[PATH_BYTES + 32], unfinished[PATH_BYTES + 64];

	if (log_state.folder[0] == '\0' || getpid() != log_state.process ||
	    exchange_acquire(&log_state.is_written, true))
		return;
	if (!at_signal)
		loaded_files_read();
	snprintf(path, sizeof path, "%s/%ld", log_state.folder, (long)log_state.process);
	snprintf(unfinished, sizeof unfinished, "%s.part", path);
	log_state.file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (log_state.file < 0)
		return;
	put_program();
	put_run();
	store_relaxed(&noting_is_on, false);
	for (const struct line_record *record = line_records_all(); record != NULL;
	     record = record->next)
		put_record(record);
	if (!at_signal)
		noted_lines_end_all();
	near_lines_find(put_near);
	flush();
	close(log_state.file);
	rename(unfinished, path);
}
