/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log, in the format of sharing-format.h. Its file is opened at the begin, so that it can be
 * written after chroot() and setuid(), too, and its last line says that it is complete. Nothing
 * here allocates.
 */
#include "noted-log.h"

#include "first-touch.h"
#include "line-records.h"
#include "loaded-files.h"
#include "line-moves.h"
#include "near-lines.h"
#include "noted-lines.h"

#include "sharing-format.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	PATH_BYTES = 4096,
	ROOM = 1 << 16,
	LONGEST_LINE = 2 * PATH_BYTES,
	LEAST_DESCRIPTOR = 1000 /* out of the way of programs that expect certain ones */
};

/* Written at the begin, and by the one that writes the log. */
static struct {
	char path[PATH_BYTES];
	pid_t process; /* a child of fork() has no log */
	uint64_t begin_time, begin_processor, begin_tick;
	_Atomic bool is_written;
	int file;
	struct stat about; /* the file, which the program may have closed */
	bool is_full;
	size_t used;
	char text[ROOM];
} log_state;

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void open_file(void)
{
	const int file =
	    open(log_state.path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	log_state.file = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR) : -1;
	if (log_state.file < 0)
		log_state.file = file;
	else
		close(file);
	if (log_state.file >= 0)
		fstat(log_state.file, &log_state.about);
}

void noted_log_begin(const char *folder)
{
	const int length = (int)strcspn(folder, ",");

	if (length + 32 > PATH_BYTES)
		return;
	log_state.process = getpid();
	snprintf(log_state.path, sizeof log_state.path, "%.*s/%ld", length, folder,
	    (long)log_state.process);
	open_file();
	log_state.begin_time = now(CLOCK_MONOTONIC);
	log_state.begin_processor = now(CLOCK_PROCESS_CPUTIME_ID);
	log_state.begin_tick = counter_read();
}

/* The log's file is open; false: it cannot be. */
static bool find_file(void)
{
	struct stat about;

	if (log_state.file < 0 || fstat(log_state.file, &about) != 0 ||
	    about.st_dev != log_state.about.st_dev || about.st_ino != log_state.about.st_ino)
		open_file();
	return log_state.file >= 0;
}

static void flush(void)
{
	for (size_t done = 0; done < log_state.used;) {
		ssize_t written =
		    write(log_state.file, log_state.text + done, log_state.used - done);
		if (written <= 0) {
			log_state.is_full = true;
			break;
		}
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
	put(SHARING_SHARE "\t%u\t%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIx64
			  "\t%" PRIx64 "\n",
	    share->thread, share->member, share->all_reads, share->all_writes, share->all_atomics,
	    share->all_seldom, share->all_bytes_read, share->all_bytes_written);
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
	put(SHARING_NEAR "\t%" PRIxPTR "\t%u\t%u\t%u\t%u", near->first, near->second,
	    near->distance, near->lines[0], near->lines[1]);
	put_object(near->first, &block);
	for (int i = 0; i < 2; i++) {
		const uint64_t written = near->written[i] != 0;
		put(SHARING_SHARE "\t%u\t%d\t%" PRIu64 "\t%" PRIu64 "\t0\t0\t%" PRIx64 "\t%" PRIx64
				  "\n",
		    near->thread[i], noting_member_of(near->thread[i]),
		    written ? 0 : near->accesses[i], written ? near->accesses[i] : 0, near->read[i],
		    near->written[i]);
		put(SHARING_SITE "\t%" PRIu64 "\t%" PRIu64, written ? 0 : near->accesses[i],
		    written ? near->accesses[i] : 0);
		put_place(near->place[i]);
	}
	put(SHARING_END "\n");
}

static void put_moved(const struct moved_count *count)
{
	const struct moved_pair *pair = &count->pair;
	const uintptr_t places[] = {pair->now, pair->before, pair->region, pair->region_before};
	struct heap_block block;

	if (pair->flags == MOVED_TASKS) {
		put(SHARING_TASKS "\t%" PRIu64 "\t%" PRIu64, count->uses, count->moved);
		put_place(pair->now);
		return;
	}
	heap_block_find(count->address, &block);
	put(SHARING_MOVE "\t%" PRIxPTR "\t%" PRIu64 "\t%" PRIu64 "\t%u\t%u\t%" PRIx64,
	    count->address, count->uses, count->moved, count->epochs, pair->flags, count->members);
	put_object(count->address, &block);
	for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
		if (places[i] != 0) {
			put(SHARING_PLACE "\t%u", i);
			put_place(places[i]);
		}
	put(SHARING_END "\n");
}

/* Picoseconds that noting an access to the line takes, the least of some tries. */
static uint64_t cost_of_noting(const char *cell)
{
	enum { TRIES = 10, CALLS = 1000 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t begin = now(CLOCK_MONOTONIC);
		for (int j = 0; j < CALLS; j++) {
			note_aligned((uintptr_t)cell + j % 8 * sizeof(long), sizeof(long), true, 0);
			__asm__ volatile("" ::: "memory");
		}
		const uint64_t time = (now(CLOCK_MONOTONIC) - begin) * 1000 / CALLS;
		least = time < least ? time : least;
	}
	return least;
}

/* The same of a line that has a record. */
static uint64_t cost_of_recording(void)
{
	static _Alignas(SHARING_LINE_BYTES) char cell[SHARING_LINE_BYTES];

	note_access((uintptr_t)cell, 1, true, 0);
	struct line_record *record =
	    line_record_new((uintptr_t)cell, noting_self.epoch, &(struct earlier_share){0});
	if (record != NULL)
		store_release(noted_state_at((uintptr_t)cell), LINE_HAS_RECORD | (uintptr_t)record);
	return cost_of_noting(cell);
}

static void put_run(void)
{
	static _Alignas(SHARING_LINE_BYTES) char cell[SHARING_LINE_BYTES];
	const uint64_t wall = now(CLOCK_MONOTONIC) - log_state.begin_time;
	const uint64_t processor = now(CLOCK_PROCESS_CPUTIME_ID) - log_state.begin_processor;
	const uint64_t ticks = counter_read() - log_state.begin_tick;
	const uint64_t calls = noting_call_count(), lines = line_records_count();

	put(SHARING_RUN "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			"\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
	    wall, processor, calls, cost_of_noting(cell), wall >= 1000 ? ticks / (wall / 1000) : 0,
	    noting_thread_count(), lines, line_records_refused(), cost_of_recording());
}

static void put_program(void)
{
	char path[PATH_BYTES / 2];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof path);

	put(SHARING_VERSION "\n" SHARING_PROGRAM "\t%.*s\n", length > 0 ? (int)length : 1,
	    length > 0 ? path : "?");
}

/* Is the log to be written, by the caller? */
static bool begin_log(void)
{
	if (log_state.path[0] == '\0' || getpid() != log_state.process ||
	    exchange_acquire(&log_state.is_written, true) || !find_file())
		return false;
	put_program();
	return true;
}

/* A log of which a part is missing does not get its last line. */
static void end_log(void)
{
	flush();
	if (!log_state.is_full)
		put(SHARING_DONE "\n");
	flush();
	close(log_state.file);
}

void noted_log_refuse(void)
{
	if (!begin_log())
		return;
	put(SHARING_REFUSED "\n");
	end_log();
}

void noted_log_write(bool at_signal)
{
	if (!begin_log())
		return;
	if (!at_signal)
		loaded_files_read();
	put_run();
	store_relaxed(&noting_is_on, false);
	for (const struct line_record *record = line_records_all(); record != NULL;
	     record = record->next)
		put_record(record);
	if (!at_signal)
		noted_lines_end_all();
	near_lines_find(put_near);
	first_touch_put(&(struct touch_log){put, put_place, put_object});
	line_moves_find(put_moved);
	end_log();
}
