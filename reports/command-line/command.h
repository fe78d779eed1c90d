/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the subcommands share: their options, opening an archive and an output, and error messages.
 * The table of the subcommands is in reports/commands.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "archive.h"
#include "change-kinds.h"
#include "shared/loop-schedule.h"
#include "common/option-table.h"
#include "common/summary.h"
#include "sampled-code.h"

/* What `export` writes. */
enum export_target {
	TARGET_NONE,
	TARGET_PERFETTO,
	TARGET_CHROME,
	TARGET_FLAMEGRAPH,
	TARGET_HATCHET,
	TARGET_CUBE,
	TARGET_CSV,
	TARGET_OPENMETRICS,
	/* Of samples. */
	TARGET_PPROF,
	TARGET_SPEEDSCOPE,
	TARGET_FOLDED
};

enum {
	OPTION_DEBUG_DIRS_MOST = 16,
	OPTION_CONTEXT_MOST = 1000,
	OPTION_CHANGES_MOST = 64,
	OPTION_JOBS_MOST = 1024
};

/* A change that `whatif` shall predict, as given on the command line. */
struct option_change {
	enum change_kind kind;
	const char *option, *value; /* "--faster", "a.c:8=2" */
	size_t region;              /* length of the region's or lock's name in the value */
	double number;              /* as in change.h */
	enum loop_schedule_kind schedule;
};

/* Whether a filter has matched anything; see report_takes_region() and report_takes_thread(). */
struct option_matches {
	bool region, thread;
};

struct table;

/* Gets a command's table in place of its output, in any format; the table exists during the call.
 */
struct table_taker {
	void (*take)(void *context, const struct table *table);
	void *context;
};

/* The parsed command line. */
struct options {
	const char *path;   /* of the archive, as the user wrote it; the first of several */
	const char **paths; /* all of them, in the memory of argv */
	size_t path_count;
	const char *output; /* NULL: the command's default */
	enum summary_format format;
	const char *sort;                   /* column's key, or NULL */
	const char *region, *thread, *rank; /* filters, or NULL */
	enum export_target target;
	const char *columns;   /* what of the trace is exported as columns, or NULL */
	uint64_t from, to;     /* ns since the first event; to: SUMMARY_NOT_MEASURED for no limit */
	uint64_t min_duration; /* ns */
	double threshold;      /* greater growth fails: 0.1 for 10 %; negative: nothing fails */
	/* Smaller growth does not fail: in ns, and as a share of the thread time. */
	uint64_t min_change;
	double min_change_share;
	double chance;       /* of a false alarm, over all tests together */
	const char *measure; /* a counter to compare besides times, or NULL */
	bool paired;         /* the runs of the two sides were made in turn */
	/* Files for the growths found, or NULL; annotate: print them on stdout for GitHub. */
	const char *markdown, *junit, *code_quality;
	bool annotate;
	struct option_matches *matches;
	const struct table_taker *taker; /* or NULL */
	enum hot_kind hot;   /* what of the samples the rows are; HOT_NONE: the command's default */
	bool source;         /* quote the source */
	int context;         /* lines of the source around each annotated line */
	const char *sarif;   /* file for the annotations, or NULL */
	const char *patch;   /* file for the changes of --tried, or NULL */
	const char *tried;   /* file of what `ompinst tune` has tried, or NULL */
	bool ompp;           /* ompP's columns */
	bool filter;         /* print the filter that score proposes */
	bool matrix;         /* print messages by sender and receiver */
	bool no_source;      /* omit the program's source from the page */
	bool brief;          /* only the first parts of the page */
	bool regions;        /* print scaling by region */
	bool growth;         /* print the work that has grown with the threads */
	const char *sharing; /* file of the cache lines that threads share, or NULL */
	/* Folders with debug files, terminated by NULL. */
	const char *debug_dirs[OPTION_DEBUG_DIRS_MOST + 1];
	struct option_change changes[OPTION_CHANGES_MOST];
	size_t change_count;
	bool each;   /* of the changes alone; else all together */
	size_t jobs; /* threads that may read an archive; 0: one per processor */
	bool help;
	int width;   /* of text */
	size_t rows; /* per table; 0: all; SUMMARY_ROWS_SCREEN: what fits on a screen */
};

/* One bit per option; each command has a set of these. */
enum option_bit {
	OPTION_FORMAT = 1 << 0,
	OPTION_WIDTH = 1 << 1,
	OPTION_ROWS = 1 << 2,
	OPTION_OUTPUT = 1 << 3,
	OPTION_SORT = 1 << 4,
	OPTION_REGION = 1 << 5,
	OPTION_THREAD = 1 << 6,
	OPTION_OMPP = 1 << 7,
	OPTION_THRESHOLD = 1 << 8,
	OPTION_TARGET = 1 << 9,
	OPTION_WINDOW = 1 << 10,
	OPTION_MIN_DURATION = 1 << 11,
	OPTION_SOURCE = 1 << 12,
	OPTION_FILTER = 1 << 13,
	OPTION_MATRIX = 1 << 14,
	OPTION_HELP = 1 << 15, /* for all commands */
	OPTION_DEBUG_DIR = 1 << 16,
	OPTION_ANNOTATE = 1 << 17,
	OPTION_REGIONS = 1 << 18,
	OPTION_NO_SOURCE = 1 << 19,
	OPTION_CHANGE = 1 << 20,
	OPTION_PAIRED = 1 << 21,
	OPTION_JOBS = 1 << 22, /* for all commands that read events */
	OPTION_HOT = 1 << 23,
	OPTION_TRIED = 1 << 24,
	OPTION_GROWTH = 1 << 25,
	OPTION_RANK = 1 << 26, /* as OPTION_THREAD, but only --rank */
};

/* Runs the command and returns the exit status. */
typedef int command_function(const struct options *options);

struct command {
	const char *name;
	const char *purpose; /* one line, for --help */
	unsigned options;    /* enum option_bit */
	bool has_table;      /* which it gives to report_print(), always if there is a taker */
	command_function *run;
	size_t min_paths, max_paths; /* archives; 0, 0: exactly one */
	const char *arguments;       /* as shown in the usage; NULL: "ARCHIVE" */
};

/* The options that the command takes. */
struct option_table options_table(const struct command *command);

/*
 * Reads the command's arguments, after its name. Returns 0 if the command is to run. Otherwise
 * returns the exit status plus one: for --help (status 0), or for a wrong command line (status 2,
 * with a message).
 */
int options_read(struct options *options, const struct command *command, int argc, char **argv);

void options_print_help(FILE *out, const struct command *command);

/* Opens the archive. NULL after a message "ompreport: PATH: ...". */
struct archive *command_open(const char *path, const struct options *options);

/* The same for reports about threads: also fails if no location is a thread. */
struct archive *command_open_threads(const char *path, const struct options *options);

/* Whether the output goes to a terminal. */
bool command_prints_to_terminal(const struct options *options);

/* Prints the archive's warnings on stderr. */
void command_print_warnings(const char *path, const struct archive *archive);

/* Opens the output file, or uses stdout if path is NULL or "-". NULL after a message. */
FILE *command_open_output(const char *path);

/*
 * Closes `out`, which came from command_open_output(). Returns -1 after a message if something
 * could not be written.
 */
int command_close_output(FILE *out, const char *path);

#endif
