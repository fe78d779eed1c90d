/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands. Each has one file with one function, and one row in the table. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "command.h"

/* In the order of --help and the manual page. */
extern const struct command commands[];
extern const size_t command_count;

command_function command_annotate, command_timeline, command_export, command_check,
    command_critical_path, command_diff, command_efficiency, command_scaling, command_hot,
    command_callers, command_html, command_imbalance, command_info, command_locks, command_messages,
    command_ranks, command_recover, command_regions, command_roofline, command_score,
    command_summary, command_symbols, command_tasks, command_threads, command_whatif;

#endif
