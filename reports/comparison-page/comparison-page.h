/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The web page about the runs of two sides: self-contained and safe like the page about one run,
 * whose parts it uses. Each section has its own function.
 */
#ifndef COMPARISON_PAGE_H
#define COMPARISON_PAGE_H

#include "diff-comparison.h"
#include "page.h"

enum { SIDES = 2 };

/* One side, and the run whose timeline is shown. */
struct comparison_side {
	const char *title; /* "before" */
	const struct diff_side *runs;
	size_t shown;     /* index of the run whose wall time is nearest to the median */
	struct page page; /* of that run: its rows, its analysis, and the output */
};

struct comparison_page {
	const struct diff_comparison *comparison; /* judged both ways */
	struct comparison_side sides[SIDES];
};

/*
 * Reads the archives that the options name and writes the page, for the command `html`. Returns the
 * exit status.
 */
int comparison_page_run(const struct options *options);

/* The side's run whose wall time is nearest to the median. */
size_t comparison_page_typical_run(const struct diff_side *side);

/* Writes the whole page; the caller checks the output for errors. */
void comparison_page_write(const struct comparison_page *page);

/* The sections, in the order of the page. */
void comparison_write_advice(const struct comparison_page *page);
void comparison_write_figures(const struct comparison_page *page);
void comparison_write_runs(const struct comparison_page *page);
void comparison_write_timelines(const struct comparison_page *page);
void comparison_write_regions(const struct comparison_page *page);

/*
 * Why no change can be judged: a sentence with the number of runs and the number needed; NULL if
 * there are enough. The caller frees it.
 */
char *comparison_why_unknown(const struct diff_comparison *comparison);

/* The verdict on the change of a region or of the wall time. */
enum verdict {
	VERDICT_UNKNOWN, /* too few runs */
	VERDICT_NOISE,   /* explained by chance, or too small to be judged */
	VERDICT_UNDECIDED,
	VERDICT_SLOWER,
	VERDICT_FASTER,
	VERDICT_NEW,
	VERDICT_GONE,
	VERDICTS
};
extern const char *const comparison_verdict_names[VERDICTS];
enum verdict comparison_verdict(
    const struct diff_comparison *comparison, const struct diff_row *row);

/* Whether the verdict is slower or faster. */
bool comparison_has_changed(enum verdict verdict);

/* The median of one value for each of the side's runs; 0 without values. */
uint64_t comparison_median(const uint64_t *values, const struct diff_side *side);

#endif
