/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the report: the findings and the results of the runs. */
#ifndef RACE_REPORT_H
#define RACE_REPORT_H

#include "causes.h"
#include "common/sarif-writer.h"
#include "deadlock-words.h"
#include "explanation.h"
#include "race-options.h"
#include "results.h"
#include "run-plan.h"
#include "standing.h"

#include <stdio.h>

struct race_report_input {
	struct inst_arena *arena;
	const char *program;
	const struct race_run *runs;
	unsigned run_count; /* of the runs that were started */
	/* With --inputs, each one's arguments as a shell reads them; else there is none. */
	const char *const *inputs;
	size_t input_count;
	const struct race_findings *findings;
	const struct race_words *words; /* one per finding */
	const struct race_deadlocks *deadlocks;
	const struct race_deadlock_words *deadlock_words; /* one per deadlock */
	const struct race_results *results;
	/* With --all: comments that allow a race at which none was found. */
	const struct race_allowance *unused;
	size_t unused_count;
	const char *diff; /* the changes that are offered, for the page; or NULL */
	/*
	 * With `fix`, documents have the edits of the remedies; with `all`, the findings that do
	 * not count are listed, too.
	 */
	const struct race_options *options;
	bool memory;   /* the findings are memory errors, not races */
	bool no_lines; /* the program has no debug information */
};

/* The number of findings that count as races. */
size_t race_report_count(const struct race_findings *findings);

/* Prints text for people. `colour`: with a terminal's control sequences. */
void race_report_text(const struct race_report_input *input, bool colour, FILE *out);

/* The last lines of the text: how many races there are, and what was left out. */
void race_report_summary(const struct race_report_input *input, FILE *out);

/* Prints a page for the browser. */
void race_report_page(const struct race_report_input *input, FILE *out);

void race_report_json(const struct race_report_input *input, FILE *out);

/* Prints SARIF 2.1.0, which code hosts and editors show next to the source. */
void race_report_sarif(const struct race_report_input *input, FILE *out);

/* What the user has said of a finding, as parts of its object. */
void race_verdict_json(
    struct json_writer *json, const struct race_verdict *verdict, bool has_baseline);
void race_verdict_sarif(
    struct json_writer *json, const struct race_verdict *verdict, bool has_baseline);

/*
 * The inputs whose runs have shown a finding: "'small 3' (8 of 8 runs)", or NULL without --inputs.
 * As the end of the text report's last line, of SARIF's message, and as parts of its object in
 * JSON, with the runs.
 */
const char *race_seen_inputs(const struct race_report_input *input, const struct race_seen *seen);
void race_seen_text(const struct race_report_input *input, const struct race_seen *seen, FILE *out);
void race_seen_message(
    const struct race_report_input *input, const struct race_seen *seen, struct inst_buffer *text);
void race_seen_json(
    struct json_writer *json, const struct race_report_input *input, const struct race_seen *seen);

/* "runs 1, 3 and 4, with 'small' (3 of 8 runs)" */
const char *race_seen_list(const struct race_report_input *input, const struct race_seen *seen);

/* Has no input shown all orders of a deadlock? Then it needs one that leads to them. */
bool race_needs_another_input(
    const struct race_report_input *input, const struct race_deadlock *deadlock);

/* The list of inputs. */
void race_inputs_json(struct json_writer *json, const struct race_report_input *input);

/* Does the report for people show the cycles of locks that this one stands for? */
bool race_deadlock_is_shown(const struct race_report_input *input, size_t index);

/* The same of the cycles of locks, as parts of the report. */
void race_deadlocks_text(const struct race_report_input *input, bool colour, FILE *out);
void race_deadlocks_json(const struct race_report_input *input, struct json_writer *json);
void race_deadlocks_sarif(const struct race_report_input *input, struct sarif_writer *sarif);

#endif
