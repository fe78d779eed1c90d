/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing that is whole or has a reason not to be. */
#ifndef SHARED_WRITE_WHOLE_H
#define SHARED_WRITE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Writes all of it at that place of the file. False with errno, which is never 0. */
bool pomp_write_whole(int file, const void *data, size_t size, off_t place);

/* Whether a file may have that size: beyond RLIMIT_FSIZE the kernel would send SIGXFSZ. */
bool pomp_may_grow_to(uint64_t size);

#endif
