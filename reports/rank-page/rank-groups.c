/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of groups, which needs no script: of each group the number of ranks, the row of time of
 * the rank nearest to the mean, the least, mean and most of each part of the time, and the ranks at
 * both ends. The script makes the groups open (ranks.js).
 */
#include "rank-groups.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

const struct page_part rank_idle = {"idle", "idle"};

static double share_of(const struct rank_groups *groups, size_t rank, size_t column)
{
	const struct rank_sum *sum = &groups->ranks.sums[rank];

	return column < RANK_PARTS ? groups->ranks.shares[rank * RANK_PARTS + column]
				   : (double)sum->idle / (double)sum->execution;
}

/* Whether the first rank is slower than the second one. */
static bool is_slower(const struct rank_groups *groups, size_t one, size_t other)
{
	double share = share_of(groups, one, (size_t)groups->pace);
	double other_share = share_of(groups, other, (size_t)groups->pace);

	return groups->pace == RANK_MPI_WAIT ? share < other_share : share > other_share;
}

static void add_rank(struct rank_groups *groups, size_t rank, bool is_first)
{
	struct rank_group *group = &groups->groups[groups->clusters.of[rank]];

	if (is_first)
		group->fastest = group->slowest = rank;
	if (is_slower(groups, rank, group->slowest))
		group->slowest = rank;
	if (is_slower(groups, group->fastest, rank))
		group->fastest = rank;
	for (size_t i = 0; i < RANK_COLUMNS; i++) {
		double share = share_of(groups, rank, i);

		group->least[i] = is_first || share < group->least[i] ? share : group->least[i];
		group->most[i] = share > group->most[i] ? share : group->most[i];
		group->mean[i] += share;
		groups->used[i] |= share > 0;
	}
}

static void describe(struct rank_groups *groups)
{
	bool *has_ranks = memory_new(groups->clusters.count, sizeof(has_ranks[0]));

	groups->pace = RANK_COMPUTATION;
	for (size_t i = 0; i < groups->ranks.count; i++) {
		if (share_of(groups, i, RANK_MPI_WAIT) > 0)
			groups->pace = RANK_MPI_WAIT;
	}
	groups->groups = memory_new(groups->clusters.count, sizeof(groups->groups[0]));
	for (size_t i = 0; i < groups->clusters.count; i++)
		groups->groups[i].typical = groups->clusters.clusters[i].typical;
	for (size_t i = 0; i < groups->ranks.count; i++) {
		add_rank(groups, i, !has_ranks[groups->clusters.of[i]]);
		has_ranks[groups->clusters.of[i]] = true;
	}
	for (size_t i = 0; i < groups->clusters.count; i++)
		for (size_t column = 0; column < RANK_COLUMNS; column++)
			groups->groups[i].mean[column] /=
			    (double)groups->clusters.clusters[i].count;
	free(has_ranks);
}

struct rank_groups rank_groups_find(const struct analysis *analysis)
{
	struct rank_groups groups = {.ranks = rank_profiles_find(analysis)};

	groups.clusters =
	    clusters_find(groups.ranks.shares, groups.ranks.count, RANK_PARTS, PAGE_GROUPS_MAX);
	describe(&groups);
	groups.rows = rank_rows_find(analysis->timeline);
	groups.row_of = memory_new(groups.ranks.count, sizeof(groups.row_of[0]));
	for (size_t i = 0; i < groups.ranks.count; i++)
		groups.row_of[i] = analysis->timeline->row_of[groups.ranks.sums[i].first];
	return groups;
}

void rank_groups_free(struct rank_groups *groups)
{
	rank_profiles_free(&groups->ranks);
	clusters_free(&groups->clusters);
	rank_rows_free(&groups->rows);
	free(groups->groups);
	free(groups->row_of);
}

/* The height of an activity in a step, and how many parts are below it. */
struct place {
	int height, below;
};

static struct place place_of(const struct rank_mix *mix, enum activity activity)
{
	struct place place = {mix->parts[activity], 0};

	for (size_t i = 0; page_lane_order[i] != activity; i++)
		place.below += mix->parts[page_lane_order[i]];
	return place;
}

/* Writes all of the row's time with that activity; equal neighbours are one rectangle. */
static void write_path(
    const struct page *page, const struct rank_groups *groups, size_t rank, enum activity activity)
{
	const struct rank_rows *rows = &groups->rows;
	size_t width = RANK_PAGE_PICTURE / rows->steps;
	bool has_path = false;

	for (size_t begin = 0, end; begin < rows->steps; begin = end) {
		struct place place =
		    place_of(rank_rows_mix(rows, groups->row_of[rank], begin), activity);

		for (end = begin + 1; end < rows->steps; end++) {
			struct place next =
			    place_of(rank_rows_mix(rows, groups->row_of[rank], end), activity);

			if (next.height != place.height || next.below != place.below)
				break;
		}
		if (place.height == 0)
			continue;
		if (!has_path)
			fprintf(
			    page->out, "<path class=\"%s\" d=\"", page_activities[activity].css);
		has_path = true;
		fprintf(page->out, "M%zu %dh%zuv%dh-%zuz", begin * width,
		    RANK_MIX_PARTS - place.below - place.height, (end - begin) * width,
		    place.height, (end - begin) * width);
	}
	if (has_path)
		fputs("\"/>", page->out);
}

static void write_row(
    const struct page *page, const struct rank_groups *groups, uint32_t group, const char *name)
{
	fprintf(page->out,
	    "<td class=\"over-time\"><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
	    "role=\"img\" aria-label=\"what ",
	    RANK_PAGE_PICTURE, RANK_MIX_PARTS);
	page_write_name(page, name);
	fputs(" does over time\">", page->out);
	if (group == 0)
		page_write_hatches(page);
	for (size_t i = 0; i < PAGE_LANE_ACTIVITIES; i++)
		write_path(page, groups, groups->groups[group].typical, page_lane_order[i]);
	fputs("</svg></td>", page->out);
}

static char *name_of(const struct page *page, const struct rank_groups *groups, size_t rank)
{
	return archive_process_name(page->analysis->archive, (uint32_t)groups->ranks.numbers[rank]);
}

/* The group's size, what it is like, and on demand its members. */
static void write_size(const struct page *page, const struct rank_groups *groups, uint32_t group,
    const struct page_groups *all)
{
	const struct cluster *cluster = &groups->clusters.clusters[group];
	const char *noun = cluster->count == 1 ? all->one : all->several;
	char count[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<th scope=\"row\" class=\"group\"><details><summary>%s %s</summary>%s ",
	    summary_format_exact(count, cluster->count), noun, noun);
	page_write_members(page, all, &groups->clusters, group);
	fprintf(page->out, "</details><small>%s of all, like %zu</small></th>",
	    summary_format_share(share, (double)cluster->count / (double)groups->ranks.count),
	    groups->ranks.numbers[cluster->typical]);
}

static void write_figure(const struct page *page, const struct rank_group *group, size_t column)
{
	char mean[SUMMARY_FIGURE_SIZE], least[SUMMARY_FIGURE_SIZE], most[SUMMARY_FIGURE_SIZE];

	summary_format_share(least, group->least[column]);
	summary_format_share(most, group->most[column]);
	fprintf(page->out, "<td data-v=\"%.6f\">%s<small>", group->mean[column],
	    summary_format_share(mean, group->mean[column]));
	if (strcmp(least, most) == 0)
		fputs("each", page->out);
	else
		fprintf(page->out, "%s to %s", least, most);
	fputs("</small></td>", page->out);
}

static void write_extreme(
    const struct page *page, const struct rank_groups *groups, size_t rank, const char *one)
{
	double share = share_of(groups, rank, (size_t)groups->pace);
	char text[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<td data-rank=\"%zu\"><span>%s %zu</span><small>%s %s</small></td>",
	    rank, one, groups->ranks.numbers[rank], summary_format_share(text, share),
	    rank_column((size_t)groups->pace)->title);
}

/* The fastest and the slowest rank, if the group's ranks differ. */
static void write_extremes(const struct page *page, const struct rank_groups *groups,
    const struct rank_group *group, const char *one)
{
	if (!is_slower(groups, group->slowest, group->fastest)) {
		fputs("<td colspan=\"2\"><small>equally fast</small></td>", page->out);
		return;
	}
	write_extreme(page, groups, group->fastest, one);
	write_extreme(page, groups, group->slowest, one);
}

static void write_group(const struct page *page, const struct rank_groups *groups, uint32_t group,
    const struct page_groups *all)
{
	char *name = name_of(page, groups, groups->groups[group].typical);

	fprintf(page->out, "<tr data-group=\"%u\">", (unsigned)group);
	write_size(page, groups, group, all);
	write_row(page, groups, group, name);
	for (size_t i = 0; i < RANK_COLUMNS; i++) {
		if (groups->used[i])
			write_figure(page, &groups->groups[group], i);
	}
	write_extremes(page, groups, &groups->groups[group], all->one);
	fputs("</tr>\n", page->out);
	free(name);
}

static void write_head(
    const struct page *page, const struct rank_groups *groups, const struct page_groups *all)
{
	bool by_waits = groups->pace == RANK_MPI_WAIT;

	fprintf(page->out,
	    "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\" class=\"over-time\" title=\"the "
	    "one that is nearest to the group's mean\">a typical %s over time</th>",
	    all->several, all->one);
	for (size_t i = 0; i < RANK_COLUMNS; i++) {
		if (groups->used[i])
			fprintf(page->out,
			    "<th scope=\"col\"><span class=\"swatch %s\"></span>%s</th>",
			    rank_column(i)->css, rank_column(i)->title);
	}
	fprintf(page->out,
	    "<th scope=\"col\" title=\"%s\">fastest</th><th scope=\"col\" "
	    "title=\"%s\">slowest</th></tr></thead>\n",
	    by_waits ? "waits longest for others in MPI" : "computes least",
	    by_waits ? "waits least in MPI: others wait for it" : "computes longest");
}

/* The times at the begin, in the middle and at the end of the rows of time. */
static void write_axis(
    const struct page *page, const struct rank_groups *groups, uint64_t begin, uint64_t length)
{
	size_t columns = 2;
	char text[SUMMARY_FIGURE_SIZE];

	for (size_t i = 0; i < RANK_COLUMNS; i++)
		columns += groups->used[i];
	fputs("<tfoot><tr><td></td><td><div class=\"row-axis\" aria-hidden=\"true\">", page->out);
	for (uint64_t i = 0; i <= 2; i++)
		fprintf(page->out, "<span>%s</span>",
		    summary_format_time(text, begin + length * i / 2));
	fprintf(page->out, "</div></td><td colspan=\"%zu\"></td></tr></tfoot>\n", columns);
}

void rank_groups_write(
    const struct page *page, const struct rank_groups *groups, uint64_t begin, uint64_t length)
{
	bool has_mpi = page->analysis->archive->has_mpi;
	struct page_groups all = {.one = has_mpi ? "rank" : "process",
	    .several = has_mpi ? "ranks" : "processes",
	    .numbers = groups->ranks.numbers,
	    .count = groups->ranks.count};

	fputs("<div class=\"scroll\">\n<table class=\"groups\">\n", page->out);
	write_head(page, groups, &all);
	write_axis(page, groups, begin, length);
	fputs("<tbody>\n", page->out);
	for (uint32_t i = 0; i < groups->clusters.count; i++)
		write_group(page, groups, i, &all);
	fputs("</tbody>\n</table>\n</div>\n", page->out);
}
