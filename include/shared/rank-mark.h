/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that makes a folder that of the ranks of one program: TRACE_LOG_RANKS, struct
 * trace_log_ranks. */
#ifndef SHARED_RANK_MARK_H
#define SHARED_RANK_MARK_H

#include "trace-log.h"

#include <stdbool.h>

/* Takes the folder by a new mark. False, with errno, where there is one (EEXIST) or can be none. */
bool pomp_rank_mark_make(const char *folder, const struct trace_log_ranks *mark);

/* The same mark in another place. False, with errno, where it cannot be written. */
bool pomp_rank_mark_write(const char *folder, const struct trace_log_ranks *mark);

/* False where there is none, or none that libpomp wrote. */
bool pomp_rank_mark_read(const char *folder, struct trace_log_ranks *mark);

/* Without a mark there it does nothing. */
void pomp_rank_mark_remove(const char *folder);

#endif
