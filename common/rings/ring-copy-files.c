/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program goes on meanwhile: segments that it overwrites are left out, and a thread whose file
 * has just been made, or removed, is left out as a whole. The copy has a thread's segments from the
 * one on that contains the wanted time. The time before the first copy is the end of the trace,
 * since later events are not there of all threads. The definitions come last, so that they have all
 * regions that the events name.
 */
#include "common/ring-copy-files.h"

#include "ring-copy.h"
#include "shared/processor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* None of libpomp has more: see POMP_TRACE_RING. */
#define MOST_SEGMENT_BYTES (UINT64_C(1) << 20)

/* Opens a file in such a folder for reading. Returns a descriptor, or -1 with errno. */
static int open_file(int folder, const char *name)
{
	struct stat status;
	int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (file < 0)
		return -1;
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
		return file;
	close(file);
	errno = EACCES;
	return -1;
}

bool ring_copy_is_private(int folder)
{
	struct stat status;

	return fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
	       (status.st_mode & 0077) == 0;
}

void ring_copy_remove(int folder, const char *path)
{
	DIR *entries = fdopendir(folder);

	if (entries == NULL)
		return;
	rewinddir(entries);
	for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
		unlinkat(folder, entry->d_name, 0);
	closedir(entries);
	rmdir(path);
}

/* A file of the program, mapped. */
struct mapped {
	const char *bytes;
	size_t length;
};

static bool map_file(int folder, const char *name, size_t least, struct mapped *mapped)
{
	struct stat status;
	int file = open_file(folder, name);
	void *place = MAP_FAILED;

	if (file < 0)
		return false;
	if (fstat(file, &status) == 0 && (size_t)status.st_size >= least) {
		mapped->length = (size_t)status.st_size;
		place = mmap(NULL, mapped->length, PROT_READ, MAP_SHARED, file, 0);
	}
	close(file);
	mapped->bytes = place;
	return place != MAP_FAILED;
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct trace_log_moment moment_of(const struct trace_log_process *process)
{
	struct trace_log_moment now = {.realtime = nanoseconds(CLOCK_REALTIME)};

	now.monotonic = nanoseconds(CLOCK_MONOTONIC);
	now.ticks = process->tick_is_nanosecond ? now.monotonic : counter_read();
	return now;
}

/* Returns the ticks so many seconds before `now`; 0: the program did not run then. */
static uint64_t ticks_before(
    struct trace_log_moment now, const struct trace_log_process *process, unsigned seconds)
{
	uint64_t run = now.monotonic - process->start.monotonic,
		 ago = seconds * UINT64_C(1000000000);

	if (seconds == 0 || run <= ago)
		return 0;
	double part = (double)ago / (double)run;
	return now.ticks - (uint64_t)(part * (double)(now.ticks - process->start.ticks));
}

static bool write_at(int file, const void *bytes, size_t length, off_t offset)
{
	const char *from = bytes;

	while (length > 0) {
		ssize_t done = pwrite(file, from, length, offset);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			errno = done == 0 ? ENOSPC : errno;
			return false;
		}
		from += done;
		offset += done;
		length -= (size_t)done;
	}
	return true;
}

/* Whether the segment's records end before that time: then the next one has begun before it. */
static bool ends_before(
    const struct mapped *ring, size_t bytes, size_t count, uint64_t number, uint64_t ticks)
{
	for (size_t i = 0; i < count; i++) {
		struct trace_log_segment head;
		const char *place = ring->bytes + TRACE_LOG_HEADER_BYTES + i * bytes;
		uint64_t words[TRACE_LOG_SEGMENT_WORDS];
		if (!ring_copy_segment(
			words, (const uint64_t *)(const void *)place, TRACE_LOG_SEGMENT_WORDS))
			continue;
		memcpy(&head, words, sizeof head);
		if (head.number == number + 1)
			return head.start < ticks;
	}
	return false;
}

/* From when on the copy has a thread's events, in ticks, and how much of it. */
struct kept {
	uint64_t first, first_number; /* its first segment, if there is one */
	uint64_t earliest;            /* of all threads; 0: there is none */
	uint64_t latest;              /* of those threads that lack earlier events */
	uint64_t end;                 /* of the copy */
	unsigned long overwritten;    /* threads that have nothing before the end any more */
};

static void note_first(struct kept *kept, const struct trace_log_segment *head)
{
	if (kept->first != 0 && kept->first_number < head->number)
		return;
	kept->first = head->start;
	kept->first_number = head->number;
}

static void note_thread(struct kept *kept)
{
	if (kept->first > kept->end) {
		kept->overwritten++;
		kept->first = 0;
	}
	if (kept->first == 0)
		return;
	if (kept->earliest == 0 || kept->first < kept->earliest)
		kept->earliest = kept->first;
	if (kept->first_number > 1 && kept->first > kept->latest)
		kept->latest = kept->first;
	kept->first = 0;
}

/* Writes those segments that can be copied. False with errno. */
static bool write_segments(
    int file, const struct mapped *ring, size_t bytes, uint64_t since, struct kept *kept)
{
	struct trace_log_segment head;
	size_t count = (ring->length - TRACE_LOG_HEADER_BYTES) / bytes;
	uint64_t *copy = malloc(bytes);
	off_t offset = TRACE_LOG_HEADER_BYTES;
	bool fits = copy != NULL;

	for (size_t i = 0; fits && i < count; i++) {
		const char *place = ring->bytes + TRACE_LOG_HEADER_BYTES + i * bytes;
		if (!ring_copy_segment(
			copy, (const uint64_t *)(const void *)place, bytes / sizeof *copy) ||
		    (since != 0 && ends_before(ring, bytes, count, copy[0], since)))
			continue;
		memcpy(&head, copy, sizeof head);
		note_first(kept, &head);
		fits = write_at(file, copy, bytes, offset);
		offset += (off_t)bytes;
	}
	/* Each of its segments was being overwritten when it was copied. */
	if (fits && since == 0 && count > 0 && kept->first == 0)
		kept->overwritten++;
	note_thread(kept);
	free(copy);
	return fits;
}

static bool is_ring(const struct trace_log_thread *head, size_t length)
{
	return head->magic == TRACE_LOG_MAGIC && head->segment_bytes >= TRACE_LOG_SEGMENT_LEAST &&
	       head->segment_bytes % sizeof(uint64_t) == 0 &&
	       head->segment_bytes <= MOST_SEGMENT_BYTES &&
	       head->segment_bytes <= length - TRACE_LOG_HEADER_BYTES;
}

/* Copies one thread's ring. False with errno: the copy could not be written. */
static bool copy_thread(
    int from, int to, const char *name, uint64_t since, struct ring_copy *copy, struct kept *kept)
{
	char head[TRACE_LOG_HEADER_BYTES];
	struct trace_log_thread thread;
	struct mapped ring;

	if (!map_file(from, name, TRACE_LOG_HEADER_BYTES, &ring))
		return true;
	memcpy(head, ring.bytes, sizeof head);
	memcpy(&thread, head, sizeof thread);
	bool is_written = true;
	if (is_ring(&thread, ring.length)) {
		int file = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		is_written = file >= 0 && write_at(file, head, sizeof head, 0) &&
			     write_segments(file, &ring, thread.segment_bytes, since, kept);
		int error = errno;
		if (file >= 0)
			close(file);
		errno = error;
		copy->threads++;
	}
	int error = errno;
	munmap((void *)ring.bytes, ring.length);
	errno = error;
	return is_written;
}

static bool copy_threads(
    int from, int to, uint64_t since, struct ring_copy *copy, struct kept *kept)
{
	int again = fcntl(from, F_DUPFD_CLOEXEC, 0);
	DIR *entries = again >= 0 ? fdopendir(again) : NULL;
	bool fits = entries != NULL;

	for (struct dirent *entry; fits && (entry = readdir(entries)) != NULL;) {
		unsigned location;
		int length = 0;
		if (sscanf(entry->d_name, TRACE_LOG_THREAD_SCAN, &location, &length) == 1 &&
		    length > 0 && entry->d_name[length] == '\0') {
			snprintf(copy->name, sizeof copy->name, "%s", entry->d_name);
			fits = copy_thread(from, to, entry->d_name, since, copy, kept);
		}
	}
	if (entries != NULL) {
		int error = errno;
		closedir(entries);
		errno = error;
	}
	return fits;
}

static bool read_process(int from, struct trace_log_process *process)
{
	int file = open_file(from, TRACE_LOG_DEFINITIONS);
	bool is_read = file >= 0 && pread(file, process, sizeof *process, 0) == sizeof *process &&
		       process->magic == TRACE_LOG_MAGIC;

	if (file >= 0)
		close(file);
	return is_read;
}

/* The program's end is that moment. */
static bool copy_definitions(int from, int to, struct trace_log_moment end)
{
	int source = open_file(from, TRACE_LOG_DEFINITIONS);
	int file = openat(to, TRACE_LOG_DEFINITIONS, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct trace_log_process process = {0};
	char part[1 << 14];
	off_t offset = 0;
	ssize_t got;
	bool fits = source >= 0 && file >= 0;

	while (fits && (got = pread(source, part, sizeof part, offset)) != 0) {
		fits = got > 0 && write_at(file, part, (size_t)got, offset);
		offset += got;
	}
	if (fits && pread(source, &process, sizeof process, 0) == sizeof process) {
		process.end = end;
		fits = write_at(file, &process, sizeof process, 0);
	}
	int error = errno;
	if (source >= 0)
		close(source);
	if (file >= 0)
		close(file);
	errno = error;
	return fits;
}

/* The program's ticks as ns: both have grown at the same rate since it began. */
static uint64_t gap_of(
    const struct kept *kept, struct trace_log_moment now, const struct trace_log_process *process)
{
	uint64_t ticks = now.ticks - process->start.ticks;

	if (kept->latest <= kept->earliest || ticks == 0)
		return 0;
	return (uint64_t)((double)(kept->latest - kept->earliest) / (double)ticks *
			  (double)(now.monotonic - process->start.monotonic));
}

enum ring_copy_result ring_copy_files(int from, int to, struct ring_copy *copy)
{
	struct trace_log_process process;
	struct kept kept = {0};

	copy->threads = 0;
	if (!read_process(from, &process))
		return RING_UNDEFINED;
	struct trace_log_moment now = moment_of(&process);
	kept.end = now.ticks;
	if (!copy_threads(from, to, ticks_before(now, &process, copy->seconds), copy, &kept) ||
	    !copy_definitions(from, to, now))
		return RING_NOT_WRITTEN;
	copy->gap = gap_of(&kept, now, &process);
	copy->overwritten = kept.overwritten;
	return copy->threads > 0 ? RING_COPIED : RING_NONE;
}
