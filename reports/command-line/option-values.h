/* SPDX-License-Identifier: BSD-3-Clause */
/* Readers for the values of options that are neither texts, choices nor flags. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "common/option-table.h"

enum { OPTION_WIDTH_MIN = 60, OPTION_WIDTH_MAX = 1000 }; /* columns */

option_reader option_read_width;      /* int: columns */
option_reader option_read_rows;       /* size_t */
option_reader option_read_context;    /* int: 0 to OPTION_CONTEXT_MOST */
option_reader option_read_jobs;       /* size_t: 1 to OPTION_JOBS_MOST */
option_reader option_read_rank;       /* const char *: digits */
option_reader option_read_time;       /* uint64_t: ns */
option_reader option_read_threshold;  /* double: a share */
option_reader option_read_chance;     /* double: a share */
option_reader option_read_debug_dir;  /* const char *[OPTION_DEBUG_DIRS_MOST + 1]: adds one */
option_reader option_read_change;     /* struct options: adds one, of the row's kind */
option_reader option_read_min_change; /* struct options: time or share */

#endif
