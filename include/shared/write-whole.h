/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes that are complete or fail with a reason. */
#ifndef SHARED_WRITE_WHOLE_H
#define SHARED_WRITE_WHOLE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Writes all data at that offset of the file. On failure returns false with errno, which is never
 * 0.
 */
bool pomp_write_whole(int file, const void *data, size_t size, off_t place);

/*
 * Returns how many bytes a file may have: beyond RLIMIT_FSIZE the kernel would send SIGXFSZ.
 * Without a limit: UINT64_MAX.
 */
uint64_t pomp_largest_file(void);

/* For writes that cannot know the size before: the kernel's signal waits, and is taken back. */
struct pomp_held_limit {
	sigset_t before;
	bool was_pending, is_held;
};

/*
 * Between these, a write of this thread beyond RLIMIT_FSIZE only fails with EFBIG. A signal that
 * was pending before stays so. Does nothing if the program has limited its system calls.
 */
struct pomp_held_limit pomp_hold_limit(void);
void pomp_release_limit(const struct pomp_held_limit *held);

#endif
