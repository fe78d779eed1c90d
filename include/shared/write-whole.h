/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes that are complete or fail with a reason. */
#ifndef SHARED_WRITE_WHOLE_H
#define SHARED_WRITE_WHOLE_H

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

#endif
