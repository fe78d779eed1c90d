/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the subcommands that print one table share: reading an archive, printing the table, freeing
 * everything. Such a subcommand only defines its columns and a function that fills the table.
 */
#ifndef REPORT_H
#define REPORT_H

#include "analysis.h"
#include "command.h"
#include "common/summary-figures.h"
#include "expectations.h"
#include "region-name.h"
#include "table.h"

/* One archive and everything computed from it. */
struct report {
	struct archive *archive;
	struct analysis *analysis;
	struct summary summary;
	struct summary_figures figures;
};

/*
 * Analyses what --from, --to, --min-duration and --thread select; `wanted` selects what else the
 * analysis computes. Prints the archive's warnings.
 */
struct analysis *report_analyse(struct archive *archive, const char *path,
    const struct options *options, const struct analysis_choice *wanted);

/*
 * The same, and its summary. If the whole run was selected and it is short enough, the summary's
 * advice predicts the effect of changes. Free *expectations, which may be NULL, before the
 * analysis.
 */
struct analysis *report_analyse_with(struct archive *archive, const char *path,
    const struct options *options, const struct analysis_choice *wanted, struct summary *summary,
    struct expectations **expectations);

/*
 * Opens and analyses the archive. Returns -1 after a message. The caller must call report_finish()
 * in either case.
 */
int report_read(struct report *report, const char *path, const struct options *options);
void report_finish(struct report *report);

/* Initialises and fills the table. Returns the exit status, usually 0. */
typedef int report_function(
    struct table *table, const struct report *report, const struct options *options);

/* If threads or ranks are selected, adds a note about figures that cover all of them. */
void report_note_all(struct table *table, const struct options *options, const char *note);

/* Adds a note about what the archive contains and no report uses (archive_left_out()), if any. */
void report_note_left_out(struct table *table, const struct archive *archive);

/* Reads the archive, fills, sorts and prints the table. Returns the exit status. */
int report_run(const struct options *options, report_function *fill);

/* The same for an analysis that also computes what is `wanted`. */
int report_run_with(
    const struct options *options, const struct analysis_choice *wanted, report_function *fill);

/*
 * Sorts and prints a filled table according to the options. Returns the exit status, which is
 * `status` if there are no errors.
 */
int report_print(const struct options *options, struct table *table, int status);

/*
 * Removes what --region excludes from the tables of the summary, and records what was selected of
 * the run: all other figures cover all threads and regions.
 */
void report_choose(
    struct summary *summary, const struct analysis *analysis, const struct options *options);

/*
 * Whether the name matches: a pattern with *, ? or [] must match the whole name, any other pattern
 * a part of it.
 */
bool report_name_matches(const char *pattern, const char *name);

/*
 * Whether --region selects the name, see report_name_matches(). Without the option, all names are
 * selected. Records a match in options->matches.
 */
bool report_takes_region(const struct options *options, const char *name);
/* The same as a filter, with the options as its context. */
bool report_takes_name(const void *options, const char *name);

/* The same for --thread and a location (its index or its name), and for --rank and its process. */
bool report_takes_thread(
    const struct options *options, const struct archive *archive, size_t thread);

#endif
