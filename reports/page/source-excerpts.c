/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The source beside the figures: the lines around the regions of each file, with what they lost in
 * the margin. Lines between two excerpts are in the page, too, and shown on demand, unless there
 * are too many. At most PAGE_SOURCE_LINES_MAX lines, from the files that lost most.
 */
#include <stdlib.h>
#include <string.h>

#include "excerpts.h"
#include "memory.h"
#include "page.h"
#include "source-lines.h"

enum {
	CONTEXT = 2,    /* lines around a region */
	GAP_MOST = 200, /* lines that are shown on demand */
	FILES_OPEN = 3, /* number of files whose lines are shown initially */
};

/* State while a file is written. */
struct listing {
	const struct page *page;
	struct sources *sources;
	const char *path;
	size_t file; /* its index, for anchors */
};

size_t page_source_file(const struct page *page, const struct summary_region *region)
{
	const struct page_source *source = page->source;

	for (size_t i = 0; source && region->file && i < source->annotations->file_count; i++) {
		if (strcmp(source->annotations->files[i].path, region->file) == 0)
			return region->begin_line > 0 && region->begin_line <= source->last_line[i]
				   ? i
				   : PAGE_NO_SOURCE;
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

/* Tabs stay: the style sheet sets their width. */
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

/* Writes another region of the same line. */
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
	for (int line = first; line <= last; line++) {
		if (!sources_written_line(listing->sources, listing->path, line))
			return;
		write_line(listing, line, NULL);
	}
}

/* Writes the lines between this excerpt and the previous one. */
static void write_gap(struct listing *listing, const struct excerpt *excerpt)
{
	int first = excerpt->first - excerpt->skipped;

	if (excerpt->skipped > GAP_MOST) {
		fprintf(listing->page->out, "<p>%d lines</p>\n", excerpt->skipped);
	} else if (excerpt->skipped > CONTEXT) {
		fprintf(
		    listing->page->out, "<details><summary>%d lines</summary>\n", excerpt->skipped);
		write_lines(listing, first, excerpt->first - 1);
		fputs("</details>\n", listing->page->out);
	} else {
		write_lines(listing, first, excerpt->first - 1);
	}
}

static void write_regions(struct listing *listing, const struct annotated_file *file)
{
	const struct page_source *source = listing->page->source;
	const struct annotation *annotations = &source->annotations->annotations[file->first];
	struct excerpt excerpt = {0};

	while (excerpt_next(&excerpt, source->annotations, file, CONTEXT) &&
	       excerpt.line <= source->last_line[listing->file]) {
		const struct annotation *own = &annotations[excerpt.annotation];

		write_gap(listing, &excerpt);
		write_lines(listing, excerpt.first, excerpt.line - 1);
		write_line(listing, excerpt.line, own);
		for (size_t i = 1; i < excerpt.regions; i++)
			write_further(listing, &own[i]);
		write_lines(listing, excerpt.line + 1, excerpt.last);
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

static void write_file(struct listing *listing, const struct annotated_file *file, bool open)
{
	const char *remark =
	    sources_remark(listing->sources, file->path, listing->page->analysis->archive->path);
	char gain[SUMMARY_FIGURE_SIZE];
	FILE *out = listing->page->out;

	listing->path = file->path;
	listing->file = (size_t)(file - listing->page->source->annotations->files);
	fprintf(out, "<details%s><summary>", open ? " open" : "");
	page_write_name(listing->page, file->path);
	fprintf(out,
	    " <span class=\"quiet\">%s lost%s%s</span></summary>\n<div class=\"source\">\n",
	    summary_format_time(gain, file->gain), remark[0] ? ", " : "", remark);
	write_regions(listing, file);
	fputs("</div>\n</details>\n", out);
}

/* Number of rows of an excerpt, including the lines shown on demand before it. */
static size_t rows_of(const struct excerpt *excerpt)
{
	size_t gap = excerpt->skipped <= GAP_MOST ? (size_t)excerpt->skipped : 0;

	return gap + (size_t)(excerpt->last - excerpt->first) + excerpt->regions;
}

/*
 * The last line with regions that fits into the room, which is reduced accordingly; 0 if none fits.
 */
static int plan_file(const struct annotations *annotations, struct sources *sources,
    const struct annotated_file *file, size_t *room)
{
	struct excerpt excerpt = {0};
	int last = 0;

	while (excerpt_next(&excerpt, annotations, file, CONTEXT) && rows_of(&excerpt) <= *room &&
	       sources_written_line(sources, file->path, excerpt.line)) {
		*room -= rows_of(&excerpt);
		last = excerpt.line;
	}
	return last;
}

struct page_source page_plan_source(const struct annotations *annotations, struct sources *sources)
{
	struct page_source source = {annotations, sources};
	size_t room = PAGE_SOURCE_LINES_MAX, files = annotations->file_count;

	source.order = memory_new(files, sizeof(source.order[0]));
	source.last_line = memory_new(files, sizeof(source.last_line[0]));
	for (size_t i = 0; i < files; i++)
		source.order[i] = &annotations->files[i];
	if (files > 1)
		qsort(source.order, files, sizeof(source.order[0]), compare_files);
	for (size_t i = 0; i < files; i++) {
		const struct annotated_file *file = source.order[i];
		int last = plan_file(annotations, sources, file, &room);

		source.last_line[file - annotations->files] = last;
		if (last > 0)
			source.order[source.count++] = file;
	}
	return source;
}

void page_free_source(struct page_source *source)
{
	free(source->order);
	free(source->last_line);
}

void page_write_source(const struct page *page)
{
	const struct page_source *source = page->source;
	struct listing listing = {.page = page};

	if (!source || source->count == 0)
		return;
	listing.sources = source->sources;
	fputs(
	    "<section aria-labelledby=\"source\">\n<h2 id=\"source\">Source <small>thread time that "
	    "waits cost, and its share of all threads' time, beside each region's first "
	    "line</small></h2>\n",
	    page->out);
	for (size_t i = 0; i < source->count; i++)
		write_file(&listing, source->order[i], i < FILES_OPEN);
	fputs("</section>\n", page->out);
}
