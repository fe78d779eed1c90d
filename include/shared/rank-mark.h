/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mark of a folder that the ranks of one program share: the file TRACE_LOG_RANKS, which
 * contains a struct trace_log_ranks.
 */
#ifndef SHARED_RANK_MARK_H
#define SHARED_RANK_MARK_H

#include "trace-log.h"

#include <stdbool.h>

/*
 * Claims the folder with a new mark. False, with errno, if it already has one (EEXIST) or on an
 * error.
 */
bool pomp_rank_mark_make(const char *folder, const struct trace_log_ranks *mark);

/* Writes the same mark to another folder. False, with errno, if that is impossible. */
bool pomp_rank_mark_write(const char *folder, const struct trace_log_ranks *mark);

/* Returns false if the folder has no mark, or one that libpomp did not write. */
bool pomp_rank_mark_read(const char *folder, struct trace_log_ranks *mark);

/* Does nothing if there is no mark. */
void pomp_rank_mark_remove(const char *folder);

#endif
