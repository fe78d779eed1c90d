/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The source beside the figures: the lines around the regions of each file, with what they lost in
 * the margin, and around the lines with many samples, with their share of these. Lines between two
 * excerpts are in the page, too, and shown on demand, unless there are too many. At most
 * PAGE_SOURCE_LINES_MAX lines, from the files that lost most and have most samples.
 */
#include <stdlib.h>
#include <string.h>

#include "excerpts.h"
#include "memory.h"
#include "page.h"
#include "shared/search.h"
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
	size_t file;      /* its index, for anchors */
	bool has_samples; /* the margin has a column for them */
};

static bool has_line(
    const struct annotations *annotations, const struct annotated_file *file, int line)
{
	const struct annotation *own = &annotations->annotations[file->first];
	size_t place;

	SEARCH(place, file->count, own[place].line < line);
	return place < file->count && own[place].line == line;
}

size_t page_source_place(const struct page *page, const char *file, int line)
{
	const struct page_source *source = page->source;

	for (size_t i = 0; source && file && i < source->annotations->file_count; i++) {
		const struct annotated_file *annotated = &source->annotations->files[i];

		if (strcmp(annotated->path, file) == 0)
			return line > 0 && line <= source->last_line[i] &&
				       has_line(source->annotations, annotated, line)
				   ? i
				   : PAGE_NO_SOURCE;
	}
	return PAGE_NO_SOURCE;
}

/* The samples' share in the margin, if that has a column for it; 0: none. */
static void write_heat(const struct listing *listing, double heat)
{
	char figure[SUMMARY_FIGURE_SIZE];

	if (listing->has_samples)
		fprintf(listing->page->out, "<span>%s</span>",
		    heat > 0 ? summary_format_share(figure, heat) : "");
}

static void write_margin(struct listing *listing, const struct annotation *annotation)
{
	char figure[SUMMARY_FIGURE_SIZE];

	if (annotation->region) {
		fprintf(listing->page->out, "<span>%s</span><span>",
		    summary_format_time(figure, annotation->gain));
		page_write_name(listing->page, summary_format_share(figure, annotation->share));
		fputs("</span>", listing->page->out);
	} else {
		fputs("<span></span><span></span>", listing->page->out);
	}
	write_heat(listing, annotation->heat);
}

/* Tabs stay: the style sheet sets their width. */
static void write_line(struct listing *listing, int line, const struct annotation *annotation)
{
	const char *text = sources_written_line(listing->sources, listing->path, line);
	FILE *out = listing->page->out;

	if (annotation) {
		fprintf(out, "<div class=\"%s\" id=\"source-%zu-%d\"",
		    annotation->region ? "lost" : "hot", listing->file, line);
		if (annotation->heat > 0)
			fprintf(out, " style=\"--heat:%.3f\"", annotation->heat);
		fputs(">", out);
		write_margin(listing, annotation);
	} else {
		fputs("<div><span></span><span></span>", out);
		write_heat(listing, 0);
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

/* The share of the samples in the file's lines. */
static double heat_of(const struct annotations *annotations, const struct annotated_file *file)
{
	double heat = 0;

	for (size_t i = 0; i < file->count; i++)
		heat += annotations->annotations[file->first + i].heat;
	return heat;
}

/* Its share of the loss, and that of the samples. */
static double weight_of(const struct annotations *annotations, const struct annotated_file *file)
{
	uint64_t gain = 0;

	for (size_t i = 0; i < annotations->file_count; i++)
		gain += annotations->files[i].gain;
	return summary_share(file->gain, gain) + heat_of(annotations, file);
}

static int compare_files(const void *left, const void *right, void *annotations)
{
	const struct annotated_file *one = *(const struct annotated_file *const *)left;
	const struct annotated_file *other = *(const struct annotated_file *const *)right;
	double weight = weight_of(annotations, one), other_weight = weight_of(annotations, other);

	if (weight != other_weight)
		return weight > other_weight ? -1 : 1;
	return one < other ? -1 : 1;
}

static void write_file_figures(struct listing *listing, const struct annotated_file *file)
{
	double heat = heat_of(listing->page->source->annotations, file);
	char figure[SUMMARY_FIGURE_SIZE];
	FILE *out = listing->page->out;

	if (file->gain > 0 || heat == 0)
		fprintf(out, "%s lost", summary_format_time(figure, file->gain));
	if (heat > 0)
		fprintf(out, "%s%s of the samples", file->gain > 0 ? ", " : "",
		    summary_format_share(figure, heat));
}

static void write_file(struct listing *listing, const struct annotated_file *file, bool open)
{
	const char *remark =
	    sources_remark(listing->sources, file->path, listing->page->analysis->archive->path);
	FILE *out = listing->page->out;

	listing->path = file->path;
	listing->file = (size_t)(file - listing->page->source->annotations->files);
	fprintf(out, "<details%s><summary>", open ? " open" : "");
	page_write_name(listing->page, file->path);
	fputs(" <span class=\"quiet\">", out);
	write_file_figures(listing, file);
	fprintf(out, "%s%s</span></summary>\n<div class=\"source%s\">\n", remark[0] ? ", " : "",
	    remark, listing->has_samples ? " sampled" : "");
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
		qsort_r(source.order, files, sizeof(source.order[0]), compare_files,
		    (void *)annotations);
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
	struct listing listing = {.page = page, .has_samples = page->analysis->sample_count > 0};

	if (!source || source->count == 0)
		return;
	listing.sources = source->sources;
	fprintf(page->out,
	    "<section aria-labelledby=\"source\">\n<h2 id=\"source\">Source <small>thread time that "
	    "waits cost, and its share of all threads' time, beside each region's first "
	    "line%s</small></h2>\n",
	    listing.has_samples ? "; then the line's share of the samples of processor time" : "");
	for (size_t i = 0; i < source->count; i++)
		write_file(&listing, source->order[i], i < FILES_OPEN);
	fputs("</section>\n", page->out);
}
