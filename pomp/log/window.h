/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of a log's file: parts of it that are reserved and mapped. */
#ifndef WINDOW_H
#define WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_log;

enum { POMP_LOG_NAME = 32 };

/* Writes the name of the log's file in the experiment folder to `name`. */
void pomp_window_name(const struct pomp_log *log, char name[POMP_LOG_NAME]);

/* Returns whether the log's file can be used; false with errno. */
bool pomp_window_file_is_ready(struct pomp_log *log);

/*
 * Reserves `bytes` of a file, from `offset` on, and fills those behind the first `used` with zeros.
 * False with errno.
 */
bool pomp_window_reserve(int file, uint64_t offset, size_t bytes, size_t used);

/*
 * Keeps a mapping from children, which must not write to their parent's log, and populates it for
 * writing.
 */
void pomp_window_populate(void *place, size_t bytes);

/*
 * Reserves, maps and populates `bytes` of a file, from `offset` on. The first `used` bytes have
 * been written, and nothing after them. NULL with errno.
 */
void *pomp_window_map_part(int file, uint64_t offset, size_t bytes, size_t used);

/* The same for the log's file. */
void *pomp_window_map(struct pomp_log *log, uint64_t offset, size_t bytes, size_t used);

#endif
