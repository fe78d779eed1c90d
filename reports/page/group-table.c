/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table with a row for each group: its size, a typical item, the mean shares of its time, and on
 * demand its members.
 */
#include "group-table.h"

#include <stdlib.h>

#include "clusters.h"
#include "memory.h"

enum { RANGES_MAX = 200, PARTS_MAX = 16 };

/* Finds the parts that have a column. */
static void find_used(const struct page_groups *groups, bool *used)
{
	for (size_t i = 0; i < groups->count * groups->part_count; i++)
		used[i % groups->part_count] |= groups->profiles[i] > 0;
}

void page_write_members(const struct page *page, const struct page_groups *groups,
    const struct clusters *clusters, uint32_t group)
{
	size_t ranges = 0, left = clusters->clusters[group].count;

	for (size_t i = 0, end; i < groups->count; i = end) {
		for (end = i + 1; end < groups->count && clusters->of[end] == clusters->of[i] &&
				  groups->numbers[end] == groups->numbers[end - 1] + 1;)
			end++;
		if (clusters->of[i] != group)
			continue;
		if (ranges == RANGES_MAX) {
			fprintf(page->out, " and %zu more", left);
			return;
		}
		fprintf(page->out, "%s%zu", ranges > 0 ? ", " : "", groups->numbers[i]);
		if (end > i + 1)
			fprintf(page->out, " to %zu", groups->numbers[end - 1]);
		left -= end - i;
		ranges++;
	}
}

static void write_name(const struct page *page, const struct page_groups *groups,
    const struct clusters *clusters, uint32_t group)
{
	const struct cluster *cluster = &clusters->clusters[group];
	char *typical = groups->name_of(page, groups->numbers[cluster->typical]);
	char count[SUMMARY_FIGURE_SIZE];

	fprintf(page->out, "<tr><th scope=\"row\" class=\"group\">");
	if (cluster->count == 1) {
		page_write_name(page, typical);
	} else {
		fprintf(page->out, "<details><summary>%s %s like ",
		    summary_format_exact(count, cluster->count), groups->several);
		page_write_name(page, typical);
		fprintf(page->out, "</summary>%s ", groups->several);
		page_write_members(page, groups, clusters, group);
		fputs("</details>", page->out);
	}
	fputs("</th>", page->out);
	free(typical);
}

static void write_group(const struct page *page, const struct page_groups *groups,
    const struct clusters *clusters, uint32_t group, const bool *used)
{
	const double *mean = clusters->clusters[group].mean;
	char text[SUMMARY_FIGURE_SIZE];

	write_name(page, groups, clusters, group);
	fputs("<td class=\"wide\"><div class=\"stack\" aria-hidden=\"true\">", page->out);
	for (size_t i = 0; i < groups->part_count; i++) {
		if (mean[i] > 0)
			fprintf(page->out, "<i class=\"%s\" style=\"width:%.2f%%\"></i>",
			    groups->parts[i].css, mean[i] * 100);
	}
	fputs("</div></td>", page->out);
	for (size_t i = 0; i < groups->part_count; i++) {
		if (used[i])
			fprintf(page->out, "<td data-v=\"%.6f\">%s</td>", mean[i],
			    summary_format_share(text, mean[i]));
	}
	fputs("</tr>\n", page->out);
}

static void write_head(const struct page *page, const struct page_groups *groups,
    const struct clusters *clusters, const bool *used)
{
	struct page_column columns[2 + PARTS_MAX] = {{groups->several, NULL}, {"share", NULL}};
	char *remark =
	    memory_print("means of a group, of the wall time; %s of a group differ by at "
			 "most %.0f%% from the first of it",
		groups->several, clusters->distance * 100);
	size_t count = 2;

	for (size_t i = 0; i < groups->part_count; i++) {
		if (used[i])
			columns[count++] =
			    (struct page_column){groups->parts[i].title, "of the wall time"};
	}
	page_start_table(page, groups->id, groups->title, remark, columns, count);
	free(remark);
}

void page_write_groups(const struct page *page, const struct page_groups *groups)
{
	struct clusters clusters =
	    clusters_find(groups->profiles, groups->count, groups->part_count, PAGE_GROUPS_MAX);
	bool used[PARTS_MAX] = {false};

	find_used(groups, used);
	write_head(page, groups, &clusters, used);
	for (uint32_t i = 0; i < clusters.count; i++)
		write_group(page, groups, &clusters, i, used);
	page_end_table(page, clusters.count, clusters.count, groups->several);
	clusters_free(&clusters);
}

void page_start_details(const struct page *page, const char *what)
{
	fprintf(page->out, "<details class=\"rest\"><summary>%s</summary>\n", what);
}

void page_end_details(const struct page *page)
{
	fputs("</details>\n", page->out);
}
