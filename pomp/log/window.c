/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A window is a part of the thread's file. Its blocks are first reserved on the disk (so that a
 * full disk is an error here and not a SIGBUS later), then filled with zeros, mapped, and populated
 * for writing (so that events cause no page faults).
 */
#include "window.h"

#include "experiment.h"
#include "event-log.h"

#include "shared/precondition.h"
#include "shared/write-whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; older kernels refuse it, and pages are faulted in */
#endif

void pomp_window_name(const struct pomp_log *log, char name[POMP_LOG_NAME])
{
	snprintf(name, POMP_LOG_NAME, TRACE_LOG_THREAD, log->location);
}

bool pomp_window_file_is_ready(struct pomp_log *log)
{
	char name[POMP_LOG_NAME];

	pomp_window_name(log, name);
	return pomp_file_ready(&log->file, load_acquire(&pomp_experiment.path), name);
}

/*
 * Writes zeros into the page cache, in chunks as large as the file system makes them. Populating
 * takes one fault for each existing chunk, but creates missing memory page by page: on ext4 of
 * Linux 6.18 that takes 3.3 ms for 4 MB, while filling and populating together take 0.6 ms. On file
 * systems that only know single pages, filling costs a tenth more. False with errno.
 */
static bool fill(int file, uint64_t offset, uint64_t end)
{
	enum { PARTS = 256 };
	static const char zeros[4096];
	struct iovec part[PARTS];

	for (int i = 0; i < PARTS; i++)
		part[i] = (struct iovec){(void *)zeros, sizeof(zeros)};
	while (offset < end) {
		uint64_t parts = (end - offset) / sizeof(zeros);
		ssize_t written =
		    pwritev(file, part, parts < PARTS ? (int)parts : PARTS, (off_t)offset);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		written -= written % (ssize_t)sizeof(zeros);
		if (written == 0) {
			errno = ENOSPC;
			return false;
		}
		offset += (uint64_t)written;
	}
	return true;
}

bool pomp_window_reserve(int file, uint64_t offset, size_t bytes, size_t used)
{
	CHECK(used <= bytes, "the written part is in the window");
	if (offset + bytes > pomp_largest_file()) {
		errno = EFBIG;
		return false;
	}
	int error;
	do /* a signal of the program may interrupt it */
		error = posix_fallocate(file, (off_t)offset, (off_t)bytes);
	while (error == EINTR);
	if (error != 0) {
		errno = error;
		return false;
	}
	return fill(file, offset + used, offset + bytes);
}

void pomp_window_populate(void *place, size_t bytes)
{
	madvise(place, bytes, MADV_DONTFORK);
	madvise(place, bytes, MADV_POPULATE_WRITE);
}

void *pomp_window_map_part(int file, uint64_t offset, size_t bytes, size_t used)
{
	if (!pomp_window_reserve(file, offset, bytes, used))
		return NULL;
	void *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
	if (place == MAP_FAILED)
		return NULL;
	pomp_window_populate(place, bytes);
	return place;
}

void *pomp_window_map(struct pomp_log *log, uint64_t offset, size_t bytes, size_t used)
{
	return pomp_window_file_is_ready(log)
		   ? pomp_window_map_part(log->file.descriptor, offset, bytes, used)
		   : NULL;
}
