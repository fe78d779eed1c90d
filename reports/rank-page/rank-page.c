/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which runs have a page of groups, and writes its section of them. */
#include "rank-page.h"

#include <stdlib.h>

#include "memory.h"
#include "rank-data.h"
#include "rank-groups.h"

bool rank_page_suits(const struct archive *archive)
{
	size_t processes;

	free(page_find_processes(archive, &processes));
	return processes > PAGE_LANES_MAX ||
	       (processes > 1 && archive->thread_count > RANK_PAGE_THREADS_READ_MAX);
}

/* A power of two, so that each step is a whole number of units of the picture. */
struct timeline_shape rank_page_shape(const size_t *begins, size_t processes)
{
	size_t steps = 16;

	while (steps < RANK_PAGE_STEPS_MAX && 2 * steps * processes <= RANK_PAGE_CELLS_MAX)
		steps *= 2;
	return (struct timeline_shape){.bins = steps, .row_begins = begins, .rows = processes};
}

/* Says what the page leaves out because of the size, and which commands have it. */
static void write_left_out(
    const struct page *page, const struct rank_groups *groups, const char *one)
{
	const struct archive *archive = page->analysis->archive;
	bool has_ranks = rank_data_has_ranks(groups);
	size_t threads = archive->thread_count;
	char count[SUMMARY_FIGURE_SIZE], steps[SUMMARY_FIGURE_SIZE];

	fprintf(page->out,
	    "<p class=\"quiet left-out\">So that a run of %s %s fits into a page, it has ",
	    summary_format_exact(count, groups->ranks.count),
	    archive->has_mpi ? "ranks" : "processes");
	if (has_ranks)
		fprintf(page->out, "the times of each %s and what it did in %s steps of time", one,
		    summary_format_exact(steps, page->analysis->timeline->bins));
	else
		fputs("groups, and not what is in them", page->out);
	if (has_ranks && threads > groups->ranks.count && !rank_data_has_threads(groups))
		fputs(", but not the times of each thread", page->out);
	fprintf(page->out,
	    ". It has no single events: no timeline to zoom into, no selections, no messages as "
	    "lines. The page of one %s has these: <code>ompreport html --rank=%zu ",
	    one, groups->ranks.count > 0 ? groups->ranks.numbers[groups->groups[0].typical] : 0);
	page_write_sentence(page, archive->path);
	fputs("</code>", page->out);
	fputs(".</p>\n", page->out);
}

void rank_page_write_groups(const struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct timeline *timeline = analysis->timeline;
	struct rank_groups groups = rank_groups_find(analysis);
	bool has_mpi = analysis->archive->has_mpi;

	fprintf(page->out,
	    "<section aria-labelledby=\"rank-groups\" class=\"rank-groups\">\n<h2 "
	    "id=\"rank-groups\">%s in groups <small>those of a group differ from its first one by "
	    "at most %.0f%% of their time; shares of the wall time: the mean, below it the least and "
	    "the most of a %s</small></h2>\n",
	    has_mpi ? "Ranks" : "Processes", groups.clusters.distance * 100,
	    has_mpi ? "rank" : "process");
	page_write_legend(page, NULL);
	rank_groups_write(page, &groups,
	    analysis_nanoseconds(analysis, timeline->start - analysis->archive->clock_start),
	    analysis_nanoseconds(analysis, timeline->length));
	write_left_out(page, &groups, has_mpi ? "rank" : "process");
	fputs("</section>\n", page->out);
	rank_data_write(page, &groups);
	rank_groups_free(&groups);
}
