/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport html BEFORE... [vs] AFTER...: the page about two sides. A growth counts if chance does
 * not explain it and it is at least 1 % of the thread time, as for `ompreport diff --threshold=0`;
 * a decrease counts by the same rule.
 */
#include <stdlib.h>

#include "comparison-page.h"
#include "memory.h"

/* Reads the archive once more for its timeline, with as many bins as its rows allow. */
static int read_timeline(
    struct comparison_side *side, struct page_rows *rows, const struct options *options)
{
	const struct report *run = &side->runs->runs[side->shown];
	struct archive *archive = command_open_threads(run->archive->path, options);
	struct analysis_choice choice = {.from = options->from, .to = options->to};

	if (!archive)
		return 1;
	*rows = page_lay_out_rows(archive);
	choice.timeline = page_timeline_shape(rows, archive->clock_length);
	/*
	 * The clock of an archive also covers locations that are not threads, such as an
	 * accelerator's stream.
	 */
	if (archive->location_count > archive->thread_count &&
	    run->analysis->last_time > run->analysis->first_time) {
		choice.timeline.begin = run->analysis->first_time;
		choice.timeline.end = run->analysis->last_time;
	}
	side->page.rows = rows;
	side->page.analysis = analysis_run(archive, &choice);
	side->page.summary = &run->summary;
	side->page.figures = run->figures;
	return 0;
}

static void free_timeline(struct comparison_side *side, struct page_rows *rows)
{
	struct archive *archive;

	if (!side->page.analysis)
		return;
	archive = side->page.analysis->archive;
	page_free_rows(rows);
	analysis_free((struct analysis *)side->page.analysis);
	archive_close(archive);
}

/* By default, the page lies beside the archive of the first run after the change. */
static char *output_path(const struct options *options, const struct diff_comparison *comparison)
{
	if (options->output)
		return memory_copy_text(options->output);
	return memory_print("%s/comparison.html", comparison->b.runs[0].archive->folder);
}

static int write_page(struct comparison_page *page, const struct options *options)
{
	char *path = output_path(options, page->comparison);
	FILE *out = command_open_output(path);
	int status = 1;

	if (out) {
		for (int i = 0; i < SIDES; i++)
			page->sides[i].page.out = out;
		comparison_page_write(page);
		status = command_close_output(out, path) ? 1 : 0;
	}
	if (status == 0 && !options->output)
		printf("%s\n", path);
	free(path);
	return status;
}

static int make_page(struct diff_comparison *comparison, const struct options *options)
{
	struct diff_rule rule = {.threshold = 0,
	    .min_change = options->min_change,
	    .min_share = options->min_change_share,
	    .paired = options->paired};
	struct comparison_page page = {.comparison = comparison,
	    .sides = {{.title = "before", .runs = &comparison->a},
		{.title = "after", .runs = &comparison->b}}};
	struct page_rows rows[SIDES] = {{NULL}};
	int status = 0;

	diff_comparison_judge(comparison, &rule, true);
	for (int i = 0; i < SIDES && status == 0; i++) {
		page.sides[i].shown = comparison_page_typical_run(page.sides[i].runs);
		status = read_timeline(&page.sides[i], &rows[i], options);
	}
	if (status == 0)
		status = write_page(&page, options);
	for (int i = 0; i < SIDES; i++)
		free_timeline(&page.sides[i], &rows[i]);
	return status;
}

/* Pages show events. Returns the exit status. */
static int refuse_profiles(const struct options *options)
{
	for (size_t i = 0; i < options->path_count; i++) {
		if (!profile_file_is(options->paths[i]))
			continue;
		profile_file_refuse(options->paths[i]);
		return 1;
	}
	return 0;
}

int comparison_page_run(const struct options *options)
{
	struct diff_comparison comparison = {.options = options};
	size_t first, second;
	int status;

	if (!diff_find_sides(options, "html", &first, &second) ||
	    !diff_check_pairs(options, "html", first, second))
		return 2;
	status = refuse_profiles(options);
	if (status != 0)
		return status;
	status = diff_comparison_read(&comparison, options, first, second);
	if (status == 0)
		status = make_page(&comparison, options);
	diff_comparison_finish(&comparison);
	return status;
}
