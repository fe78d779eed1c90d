/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of a log's file: stretches of it that are reserved and mapped. */
#ifndef WINDOW_H
#define WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_log;

enum { POMP_LOG_NAME = 32 };

/* The name of the log's file in the experiment folder. */
void pomp_window_name(const struct pomp_log *log, char name[POMP_LOG_NAME]);

/* Whether the log's file can be used; false with errno. */
bool pomp_window_file_is_ready(struct pomp_log *log);

/*
 * Reserves, maps and populates `bytes` of a file, from `offset` on, of which the first `used` have
 * been written and nothing behind them; NULL with errno.
 */
void *pomp_window_map_part(int file, uint64_t offset, size_t bytes, size_t used);

/* The same of the log's file. */
void *pomp_window_map(struct pomp_log *log, uint64_t offset, size_t bytes, size_t used);

#endif
