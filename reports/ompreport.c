/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport: reports about OTF2 archives of OpenMP programs. This file chooses the subcommand; each
 * has a file of its own. Exit status: 0, 1 when a report could not be made, 2 for a wrong command
 * line.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

#define FORMATS_ALL  (1u << SUMMARY_TEXT | 1u << SUMMARY_JSON | 1u << SUMMARY_CSV)
#define FORMATS_TREE (1u << SUMMARY_TEXT | 1u << SUMMARY_JSON)

#define OPTIONS_PART  (OPTION_WINDOW | OPTION_THREAD | OPTION_REGION)
#define OPTIONS_TABLE (OPTION_FORMAT | OPTION_WIDTH | OPTION_ROWS | OPTION_SORT | OPTION_OUTPUT)

static const struct command commands[] = {
    {"summary", "Where the time went: efficiencies, regions, locks, tasks and advice", FORMATS_ALL,
	OPTION_FORMAT | OPTION_WIDTH | OPTION_ROWS | OPTION_OUTPUT | OPTION_WINDOW,
	command_summary},
    {"regions", "Every construct: calls, times, imbalance, waits and potential gain", FORMATS_ALL,
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION | OPTION_SOURCE, command_regions},
    {"threads", "Every thread: work, waits and idle time; or ompP's profile by region", FORMATS_ALL,
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION | OPTION_OMPP, command_threads},
    {"efficiency", "The POP efficiencies as a tree of losses that adds up", FORMATS_ALL,
	OPTIONS_TABLE | OPTION_WINDOW, command_efficiency},
    {"locks", "Locks and criticals: how contended, waited for and held", FORMATS_ALL,
	OPTIONS_TABLE | OPTIONS_PART, command_locks},
    {"tasks", "Task constructs: how many, how long, and whether they are too small", FORMATS_ALL,
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION, command_tasks},
    {"imbalance", "Constructs that threads share unevenly, and the slowest thread", FORMATS_ALL,
	OPTIONS_TABLE | OPTIONS_PART | OPTION_MIN_DURATION, command_imbalance},
    {"score", "What makes the trace large and dear, and a filter that mends it", FORMATS_ALL,
	OPTIONS_TABLE | OPTION_REGION | OPTION_FILTER, command_score},
    {"check", "Whether the archive keeps the rules; exit status 3 when not", FORMATS_ALL,
	OPTIONS_TABLE, command_check},
    {"diff", "What got slower from one run to the next", FORMATS_ALL,
	OPTIONS_TABLE | OPTION_REGION | OPTION_THRESHOLD, command_diff, 2, 2},
    {"scaling", "Speed-up and efficiency of runs with different numbers of threads", FORMATS_ALL,
	OPTIONS_TABLE, command_scaling, 2, SIZE_MAX},
    {"timeline", "What every thread did, as wide as the terminal", FORMATS_ALL,
	OPTION_FORMAT | OPTION_WIDTH | OPTION_ROWS | OPTION_WINDOW | OPTION_THREAD | OPTION_OUTPUT,
	command_timeline},
    {"export", "The trace for other viewers: Perfetto, Chrome's JSON, flame graphs, CSV", 0,
	OPTION_TARGET | OPTION_WINDOW | OPTION_MIN_DURATION | OPTION_REGION | OPTION_THREAD |
	    OPTION_OUTPUT,
	command_export},
    {"info", "What the archive holds: program, clock, threads, definitions, events", FORMATS_TREE,
	OPTION_FORMAT | OPTION_OUTPUT, command_info},
    {"html", "The summary and a timeline as one self-contained web page", 0,
	OPTION_OUTPUT | OPTION_WINDOW, command_html},
    {"recover", "Makes the archive of a program that was killed, from its event logs", 0, 0,
	command_recover},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *out)
{
	fputs("Usage: ompreport COMMAND [options] ARCHIVE\n\n"
	      "Reports about traces of OpenMP programs (OTF2 archives).\n\nCommands:\n",
	    out);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].purpose);
	fputs("\nompreport COMMAND --help lists the command's options.\n", out);
}

int main(int argc, char **argv)
{
	struct options options;

	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("ompreport " OMPINST_VERSION);
		return 0;
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		int status;

		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		status = options_read(&options, &commands[i], argc - 2, argv + 2);
		return status ? status - 1 : commands[i].run(&options);
	}
	fprintf(stderr, "ompreport: '%s' is no command; see ompreport --help\n", argv[1]);
	return 2;
}
