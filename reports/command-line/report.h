/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the subcommands that print one table share: reading an archive to its end, printing the
 * table, freeing all. Such a subcommand is its columns and a function that fills the table.
 */
#ifndef REPORT_H
#define REPORT_H

#include "analysis.h"
#include "command.h"
#include "expectations.h"
#include "region-name.h"
#include "shared/summary-figures.h"
#include "table.h"

/* One archive and all that is known of it. */
struct report {
	struct archive *archive;
	struct analysis *analysis;
	struct summary summary;
	struct summary_figures figures;
};

/*
 * The analysis of what --from, --to, --min-duration and --thread choose; what else it makes is as
 * in `wanted`. Prints the archive's warnings.
 */
struct analysis *report_analyse(struct archive *archive, const char *path,
    const struct options *options, const struct analysis_choice *wanted);

/*
 * The same, and its summary, whose advice says what a change would bring where the whole run was
 * chosen and is short enough. *expectations, which may be NULL, is freed before the analysis.
 */
struct analysis *report_analyse_with(struct archive *archive, const char *path,
    const struct options *options, const struct analysis_choice *wanted, struct summary *summary,
    struct expectations **expectations);

/* Opens and analyses the archive. -1 after a message. The caller finishes it in any case. */
int report_read(struct report *report, const char *path, const struct options *options);
void report_finish(struct report *report);

/* Initialises and fills the table. Returns the exit status, usually 0. */
typedef int report_function(
    struct table *table, const struct report *report, const struct options *options);

/* The options that choose threads, ranks, regions or visits; NULL: none does. Freed by the caller.
 */
char *report_chosen(const struct options *options);

/* Adds the note where threads or ranks are chosen, about figures that are those of all. */
void report_note_all(struct table *table, const struct options *options, const char *note);

/* Adds what the archive holds and no report uses (archive_left_out()), where there is such. */
void report_note_left_out(struct table *table, const struct archive *archive);

/* Reads the archive, fills, sorts and prints the table. Returns the exit status. */
int report_run(const struct options *options, report_function *fill);

/* The same of an analysis with what else is `wanted`. */
int report_run_with(
    const struct options *options, const struct analysis_choice *wanted, report_function *fill);

/*
 * Sorts and prints a filled table as the options say. Returns the exit status: `status` without
 * errors.
 */
int report_print(const struct options *options, struct table *table, int status);

/*
 * Removes from the tables of regions, locks and tasks what --region does not take, and sets what of
 * the run was chosen: all other figures are of all threads and regions.
 */
void report_choose(struct summary *summary, const struct options *options);

/* Whether the pattern is for the whole name, having *, ? or [], or else any part of it. */
bool report_name_matches(const char *pattern, const char *name);

/*
 * Whether --region takes it: a pattern with *, ? or [] for the whole name, or else any part of it.
 * Without the option all are taken. A match is recorded in options->matches.
 */
bool report_takes_region(const struct options *options, const char *name);

/* The same for --thread and a location: its index or its name; and for --rank and its process. */
bool report_takes_thread(
    const struct options *options, const struct archive *archive, size_t thread);

#endif
