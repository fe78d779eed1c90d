/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of subcommands, in the order of --help, the manual page and the shell completion. */
#include <stdint.h>

#include "commands.h"

#define OPTIONS_PART  (OPTION_WINDOW | OPTION_THREAD | OPTION_REGION)
#define OPTIONS_READ  (OPTION_JOBS | OPTION_OUTPUT)
#define OPTIONS_TABLE (OPTION_FORMAT | OPTION_WIDTH | OPTION_ROWS | OPTION_SORT | OPTIONS_READ)

const struct command commands[] = {
    {"summary", "Where the time went: efficiencies, regions, locks, tasks and advice",
	OPTION_FORMAT | OPTION_WIDTH | OPTION_ROWS | OPTIONS_READ | OPTIONS_PART |
	    OPTION_MIN_DURATION | OPTION_TRIED,
	false, command_summary},
    {"regions", "Every construct: calls, times, imbalance, waits and potential gain",
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION | OPTION_SOURCE, true, command_regions},
    {"callers", "Which lines of Python called the parallel regions, how often and how long",
	OPTIONS_TABLE | OPTION_REGION, true, command_callers},
    {"annotate", "The source, with what regions lost and lines took in the margin",
	OPTION_WIDTH | OPTIONS_READ | OPTIONS_PART | OPTION_MIN_DURATION | OPTION_ANNOTATE |
	    OPTION_TRIED,
	false, command_annotate},
    {"hot", "Where processor time goes, by samples: lines, functions or call paths",
	OPTIONS_TABLE | OPTIONS_PART | OPTION_HOT, true, command_hot},
    {"threads", "Every thread: work, waits and idle time; or ompP's profile by region",
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION | OPTION_OMPP, true, command_threads},
    {"ranks", "Every rank's threads: computation, waits in OpenMP and in MPI",
	OPTIONS_TABLE | OPTION_WINDOW | OPTION_THREAD, true, command_ranks},
    {"messages", "What ranks wait for: late senders, receivers, collectives; messages by pair",
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MATRIX, true, command_messages},
    {"efficiency", "The POP efficiencies as a tree of losses that adds up",
	OPTIONS_TABLE | OPTION_WINDOW, true, command_efficiency},
    {"locks", "Locks and criticals: contention, and how long they are waited for and held",
	OPTIONS_TABLE | OPTIONS_PART, true, command_locks},
    {"tasks", "Task constructs: how many, how long, and whether they are too small",
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION, true, command_tasks},
    {"imbalance",
	"Work that threads share unevenly, which has the most, and which is last at barriers",
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION, true, command_imbalance},
    {"roofline", "Constructs against the machine's bandwidth and peak, by counters",
	OPTIONS_TABLE | OPTION_WINDOW, true, command_roofline},
    {"critical-path", "The path that determined the wall time, and who ended the waits on it",
	OPTIONS_TABLE | OPTIONS_PART, true, command_critical_path},
    {"score", "What makes the trace large and expensive, and a filter against it",
	OPTIONS_TABLE | OPTION_REGION | OPTION_FILTER, true, command_score},
    {"check", "Whether the archive is valid; exit status 3 if it is not", OPTIONS_TABLE, true,
	command_check},
    {"diff", "What got slower from one run to the next",
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION | OPTION_THRESHOLD | OPTION_PAIRED |
	    OPTION_HOT,
	true, command_diff, 2, SIZE_MAX, "BEFORE... [vs] AFTER..."},
    {"scaling", "Speed-up and efficiency of runs with different numbers of threads",
	OPTIONS_TABLE | OPTION_WINDOW | OPTION_REGIONS | OPTION_GROWTH, true, command_scaling, 2,
	SIZE_MAX, "ARCHIVE ARCHIVE..."},
    {"whatif", "What a change would bring: the trace is replayed with it",
	OPTION_FORMAT | OPTION_WIDTH | OPTION_ROWS | OPTION_OUTPUT | OPTION_CHANGE, true,
	command_whatif, 1, SIZE_MAX, "ARCHIVE [OTHER...]"},
    {"timeline", "What every thread did, as wide as the terminal",
	OPTION_FORMAT | OPTION_WIDTH | OPTION_ROWS | OPTIONS_PART | OPTIONS_READ, true,
	command_timeline},
    {"export", "The trace for other viewers: Perfetto, Chrome's JSON, flame graphs, pprof, CSV",
	OPTION_TARGET | OPTION_WINDOW | OPTION_MIN_DURATION | OPTION_REGION | OPTION_THREAD |
	    OPTIONS_READ,
	false, command_export},
    {"info", "What the archive holds: program, clock, threads, definitions, events",
	OPTION_FORMAT | OPTIONS_READ, false, command_info},
    {"html", "The summary and a timeline as one self-contained web page; or two sides compared",
	OPTIONS_READ | OPTION_WINDOW | OPTION_RANK | OPTION_NO_SOURCE | OPTION_PAIRED |
	    OPTION_TRIED,
	false, command_html, 1, SIZE_MAX, "ARCHIVE | BEFORE... [vs] AFTER..."},
    {"symbols", "Names for the code of programs that were not recompiled, where they are missing",
	OPTION_DEBUG_DIR, false, command_symbols},
    {"recover", "Makes the archive of a program that was killed, from its event logs",
	OPTION_DEBUG_DIR, false, command_recover},
};

const size_t command_count = sizeof(commands) / sizeof(commands[0]);
