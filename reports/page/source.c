/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The source beside the figures: of each file the lines around its regions, with what these lost in
 * the margin. What is left out between two regions is in the page, too, and shown on demand, unless
 * it is long. As much as PAGE_SOURCE_LINES_MAX allows, files that lost most first.
 */
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "memory.h"
#include "page.h"
#include "source-lines.h"

enum {
	CONTEXT = 2,    /* lines around a region */
	GAP_MOST = 200, /* lines that are shown on demand */
	FILES_OPEN = 3, /* that show their lines from the first */
};

/* What is being written. */
struct listing {
	const struct page *page;
	struct sources *sources;
	const char *path;
	size_t file;  /* its index, for anchors */
	size_t lines; /* that may still be written */
};

size_t page_source_file(const struct page *page, const struct summary_region *region)
{
	const struct annotations *annotations = page->annotations;

	for (size_t i = 0;
	     annotations && region->file && region->begin_line > 0 && i < annotations->file_count;
	     i++) {
		if (strcmp(annotations->files[i].path, region->file) == 0 &&
		    sources_written_line(page->sources, region->file, region->begin_line))
			return i;
	}
	return PAGE_NO_SOURCE;
}

static void write_margin(struct listing *listing, const struct annotation *annotation)
{
	char figure[SUMMARY_FIGURE_SIZE];

	fprintf(listing->page->out, "<span>%s</span><span>",
	    summary_format_time(figure, annotation->gain));
	page_write_name(listing->page, summary_format_share(figure, annotation->share));
	fputs("</span>", listing->page->out);
}

/* Tabs stay: the style sheet says how wide they are. */
static void write_line(struct listing *listing, int line, const struct annotation *annotation)
{
	const char *text = sources_written_line(listing->sources, listing->path, line);
	FILE *out = listing->page->out;

	if (annotation) {
		fprintf(out, "<div class=\"lost\" id=\"source-%zu-%d\">", listing->file, line);
		write_margin(listing, annotation);
	} else {
		fputs("<div><span></span><span></span>", out);
	}
	fprintf(out, "<span>%d</span><code>", line);
	page_write_code(listing->page, text ? text : "");
	fputs("</code></div>\n", out);
}

/* A further region of the same line. */
static void write_further(struct listing *listing, const struct annotation *annotation)
{
	fputs("<div class=\"lost\">", listing->page->out);
	write_margin(listing, annotation);
	fputs("<span></span><em>", listing->page->out);
	page_write_name(listing->page, annotation->name);
	fputs("</em></div>\n", listing->page->out);
}

static void write_lines(struct listing *listing, int first, int last)
{
	for (int line = first; line <= last && listing->lines > 0; line++) {
		if (!sources_written_line(listing->sources, listing->path, line))
			return;
		write_line(listing, line, NULL);
		listing->lines--;
	}
}

/* Lines between those of two regions. */
static void write_gap(struct listing *listing, int first, int last)
{
	int count = last - first + 1;

	if (count <= 0)
		return;
	if (count <= CONTEXT) {
		write_lines(listing, first, last);
	} else if (count > GAP_MOST || (size_t)count > listing->lines) {
		fprintf(listing->page->out, "<p>%d lines</p>\n", count);
	} else {
		fprintf(listing->page->out, "<details><summary>%d lines</summary>\n", count);
		write_lines(listing, first, last);
		fputs("</details>\n", listing->page->out);
	}
}

static void write_regions(struct listing *listing, const struct annotations *annotations,
    const struct annotated_file *file)
{
	const struct annotation *first = &annotations->annotations[file->first];
	int shown = 0;

	for (size_t i = 0, run; i < file->count; i += run) {
		int line = first[i].region->begin_line;
		int next, to;

		run = annotations_at_line(annotations, file->first + i);
		next = i + run < file->count ? first[i + run].region->begin_line : INT32_MAX;
		to = next - line > CONTEXT ? line + CONTEXT : next - 1;
		if (listing->lines == 0)
			return;
		if (shown > 0)
			write_gap(listing, shown + 1, line - CONTEXT - 1);
		if (line - CONTEXT > shown)
			shown = line - CONTEXT - 1;
		write_lines(listing, shown + 1, line - 1);
		write_line(listing, line, &first[i]);
		for (size_t k = 1; k < run; k++)
			write_further(listing, &first[i + k]);
		write_lines(listing, line + 1, to);
		shown = to;
	}
}

static int compare_files(const void *a, const void *b)
{
	const struct annotated_file *one = *(const struct annotated_file *const *)a;
	const struct annotated_file *other = *(const struct annotated_file *const *)b;

	if (one->gain != other->gain)
		return one->gain > other->gain ? -1 : 1;
	return one < other ? -1 : 1;
}

static void write_file(struct listing *listing, const struct annotations *annotations,
    const struct annotated_file *file, bool open)
{
	const char *remark =
	    sources_remark(listing->sources, file->path, listing->page->analysis->archive->path);
	char gain[SUMMARY_FIGURE_SIZE];
	FILE *out = listing->page->out;

	listing->path = file->path;
	listing->file = (size_t)(file - annotations->files);
	fprintf(out, "<details%s><summary>", open ? " open" : "");
	page_write_name(listing->page, file->path);
	fprintf(out,
	    " <span class=\"quiet\">%s lost%s%s</span></summary>\n<div class=\"source\">\n",
	    summary_format_time(gain, file->gain), remark[0] ? ", " : "", remark);
	write_regions(listing, annotations, file);
	fputs("</div>\n</details>\n", out);
}

static bool can_be_read(struct sources *sources, const struct annotated_file *file)
{
	return sources_written_line(sources, file->path, 1) != NULL;
}

void page_write_source(const struct page *page)
{
	const struct annotations *annotations = page->annotations;
	struct listing listing = {
	    .page = page, .sources = page->sources, .lines = PAGE_SOURCE_LINES_MAX};
	const struct annotated_file **order;
	size_t count = 0;

	if (!annotations)
		return;
	order = memory_new(annotations->file_count, sizeof(order[0]));
	for (size_t i = 0; i < annotations->file_count; i++) {
		if (can_be_read(page->sources, &annotations->files[i]))
			order[count++] = &annotations->files[i];
	}
	if (count > 1)
		qsort(order, count, sizeof(order[0]), compare_files);
	if (count > 0)
		fputs(
		    "<section aria-labelledby=\"source\">\n<h2 id=\"source\">Source <small>thread time that "
		    "waits cost, and its share of all threads' time, beside each region's first line</small></h2>\n",
		    page->out);
	for (size_t i = 0; i < count && listing.lines > 0; i++)
		write_file(&listing, annotations, order[i], i < FILES_OPEN);
	if (count > 0)
		fputs("</section>\n", page->out);
	free(order);
}
