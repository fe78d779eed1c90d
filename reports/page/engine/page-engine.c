/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The computation in the page's browser: this file, the analysis and the page's own writers are
 * compiled to one WebAssembly program in the page's script. It analyses a part of the recorded run
 * with the same code as ompreport, and returns the page's sections as HTML. It has no files and no
 * environment; the script (selection.js) is its only caller.
 *
 * Numbers are passed as doubles, like all numbers of the script: nanoseconds are exact for 104
 * days.
 */
#include <stdlib.h>

#include "cuts.h"
#include "memory.h"
#include "page.h"
#include "pass.h"
#include "path-regions.h"
#include "report.h"

#define EXPORT(name) __attribute__((export_name(name)))

enum { TEXTS = 3 }; /* thread, rank, region; each ends with a 0; an empty text selects all */

static struct engine {
	struct archive archive;
	unsigned char *events;
	size_t event_bytes;
	struct analysis whole; /* used if there are sums of steps instead of events */
	char *html;            /* of the last selection */
	size_t html_size;
} engine;

/* Allocates memory that the script fills and passes to its next call. */
EXPORT("room") void *engine_room(uint32_t size)
{
	return memory_new((size_t)size + 1, 1);
}

/*
 * Reads the run as page_write_run() wrote it; returns 0 if it cannot be read. Takes ownership of
 * both buffers.
 */
EXPORT("open")
int engine_open(
    unsigned char *definitions, uint32_t definition_bytes, unsigned char *events, uint32_t bytes)
{
	struct bytes reader = {.data = definitions, .count = definition_bytes, .reads = true};

	engine.events = events;
	engine.event_bytes = bytes;
	return run_log_definitions(&reader, &engine.archive);
}

/* The same with the sums of steps instead of the events. */
EXPORT("open_sums")
int engine_open_sums(
    unsigned char *definitions, uint32_t definition_bytes, unsigned char *sums, uint32_t bytes)
{
	struct bytes reader = {.data = sums, .count = bytes, .reads = true};

	engine.whole.archive = &engine.archive;
	return engine_open(definitions, definition_bytes, NULL, 0) &&
	       cuts_pass(&reader, &engine.whole);
}

/* Replaces the function that reads the archive's files. */
void archive_for_each_event(struct archive *archive,
    void (*consume)(void *context, const struct archive_event *event), void *context)
{
	run_log_replay(archive, engine.events, engine.event_bytes, consume, context);
}

/* There is only one thread, so all processes are read together. */
bool analysis_is_separable(const struct analysis *analysis)
{
	(void)analysis;
	return false;
}

void analysis_read_processes(struct analysis *analysis)
{
	(void)analysis;
}

void analysis_find_path(struct analysis *analysis)
{
	analysis->path_regions = path_regions_new(analysis, NULL);
	path_regions_walk(analysis->path_regions, analysis);
}

static int (*qsort_compare)(const void *, const void *, void *);
static void *qsort_argument;

static int compare_plainly(const void *one, const void *other)
{
	return qsort_compare(one, other, qsort_argument);
}

/*
 * This C library lacks qsort_r(). Static variables suffice: there is one thread, and comparison
 * functions do not sort.
 */
void qsort_r(void *base, size_t count, size_t size,
    int (*compare)(const void *, const void *, void *), void *argument)
{
	qsort_compare = compare;
	qsort_argument = argument;
	qsort(base, count, size, compare_plainly);
}

static const char *text_or_null(const char *text)
{
	return text[0] ? text : NULL;
}

/* from, to: as for engine_select(). */
static struct analysis *analyse(
    const struct options *options, const struct page_rows *rows, double from, double to)
{
	struct archive *archive = &engine.archive;
	bool *threads = memory_new(archive->thread_count, sizeof(threads[0]));
	struct analysis_choice choice = {
	    .from = options->from,
	    .to = options->to,
	    .threads = options->thread || options->rank ? threads : NULL,
	    .timeline = {.bins = 1, .row_begins = rows->begins, .rows = rows->lanes},
	    .has_path = true,
	};
	struct analysis *analysis;

	for (size_t i = 0; i < archive->thread_count; i++)
		threads[i] = report_takes_thread(options, archive, i);
	if (engine.whole.cuts)
		analysis = cuts_sum(&engine.whole, (uint32_t)from,
		    to < 0 ? engine.whole.cuts->step : (uint32_t)to, &choice);
	else
		analysis = analysis_run(archive, &choice);
	free(threads);
	return analysis;
}

static void write_sections(const struct options *options, double from, double to)
{
	struct page_rows rows = page_lay_out_rows(&engine.archive);
	struct analysis *analysis = analyse(options, &rows, from, to);
	struct summary summary;
	struct page page = {
	    .rows = &rows,
	    .analysis = analysis,
	    .summary = &summary,
	    .takes = options->region ? report_takes_name : NULL,
	    .takes_context = options,
	};

	analysis_summarize(analysis, &summary);
	summary_compute(&summary, &page.figures);
	report_choose(&summary, analysis, options);
	page.out = open_memstream(&engine.html, &engine.html_size);
	if (page.out) {
		page_write_selected(&page);
		fclose(page.out);
	}
	analysis_free_summary(&summary);
	analysis_free(analysis);
	page_free_rows(&rows);
}

/*
 * The sections for the time between `from` and `to` (in ns, or in steps if there are sums of steps;
 * to < 0: the end) and for the selection in the texts, as HTML that is valid until the next call;
 * NULL if no thread is selected. Takes ownership of the texts.
 */
EXPORT("select") const char *engine_select(double from, double to, char *texts)
{
	struct option_matches matches = {0};
	struct options options = {
	    .from = (uint64_t)from,
	    .to = to < 0 ? SUMMARY_NOT_MEASURED : (uint64_t)to,
	    .matches = &matches,
	};
	const char *given[TEXTS], *at = texts;

	for (size_t i = 0; i < TEXTS; i++) {
		given[i] = text_or_null(at);
		at += strlen(at) + 1;
	}
	options.thread = given[0];
	options.rank = given[1];
	options.region = given[2];
	free(engine.html);
	engine.html = NULL;
	write_sections(&options, from, to);
	free(texts);
	return matches.thread ? engine.html : NULL;
}
