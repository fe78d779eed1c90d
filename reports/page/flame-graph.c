/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call paths as a picture of boxes: below each function those that it called, as wide as their
 * shares. The boxes are nested lists, which can be read and printed as such; the style sheet places
 * them, and the script (flame.js) zooms and searches.
 */
#include <inttypes.h>

#include "flame-tree.h"
#include "page.h"

/* By kind of link: the style of its boxes, and its title in the legend. */
static const struct {
	const char *css, *title;
} kinds[LINK_KINDS] = {
    [LINK_CODE] = {"function", "function"},
    [LINK_CONSTRUCT] = {"construct", "construct around the functions below"},
    [LINK_SERIAL] = {"outside", "outside of parallel regions"},
    [LINK_WAIT] = {"waiting", "in OpenMP's waits"},
};

struct picture {
	const struct page *page;
	const struct flame_tree *tree;
};

static double share_of(const struct picture *picture, uint64_t samples)
{
	return summary_share(samples, picture->tree->samples);
}

static void write_count(const struct picture *picture, uint64_t samples)
{
	char count[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];

	fprintf(picture->page->out, "%s (%s)", summary_format_exact(count, samples),
	    summary_format_share(share, share_of(picture, samples)));
}

/* What is shown under the pointer: without the name, which may be cut off in the box, it is the
 * text. */
static void write_title(const struct picture *picture, const struct flame_frame *frame)
{
	FILE *out = picture->page->out;

	fputs(" title=\"", out);
	page_write_name(picture->page, frame->name);
	if (frame->kind == LINK_CODE && frame->file[0]) {
		fputs(", ", out);
		page_write_name(picture->page, summary_base_name(frame->file));
	}
	fputs(": samples ", out);
	write_count(picture, frame->samples);
	if (frame->own > 0 && frame->own < frame->samples) {
		fputs(", its own ", out);
		write_count(picture, frame->own);
	}
	fputs("\"", out);
}

static void write_frames(const struct picture *picture, size_t first, uint64_t around);

/* left: samples in the boxes before it; around: those of the box above. */
static void write_frame(const struct picture *picture, size_t index, uint64_t left, uint64_t around)
{
	const struct flame_frame *frame = &picture->tree->frames[index];
	FILE *out = picture->page->out;
	char share[SUMMARY_FIGURE_SIZE];

	fprintf(out,
	    "<li class=\"%s\" style=\"left:%.4g%%;width:%.4g%%;--own:%.2g\" data-s=\"%" PRIu64
	    "\"><span",
	    kinds[frame->kind].css, 100 * summary_share(left, around),
	    100 * summary_share(frame->samples, around), summary_share(frame->own, frame->samples),
	    frame->samples);
	write_title(picture, frame);
	fputs(">", out);
	page_write_name(picture->page, frame->name);
	fprintf(out, " <small>%s</small></span>",
	    summary_format_share(share, share_of(picture, frame->samples)));
	if (frame->first != FLAME_NONE)
		write_frames(picture, frame->first, frame->samples);
	fputs("</li>\n", out);
}

static void write_frames(const struct picture *picture, size_t first, uint64_t around)
{
	uint64_t left = 0;

	fputs("<ul>\n", picture->page->out);
	for (size_t i = first; i != FLAME_NONE; i = picture->tree->frames[i].next) {
		write_frame(picture, i, left, around);
		left += picture->tree->frames[i].samples;
	}
	fputs("</ul>", picture->page->out);
}

static void write_legend(const struct picture *picture)
{
	bool has[LINK_KINDS] = {false};

	for (size_t i = 0; i < picture->tree->count; i++)
		has[picture->tree->frames[i].kind] = true;
	fputs("<ul class=\"legend\">\n", picture->page->out);
	for (size_t i = 0; i < LINK_KINDS; i++)
		if (has[i])
			fprintf(picture->page->out,
			    "<li><span class=\"swatch box %s\"></span>%s</li>\n", kinds[i].css,
			    kinds[i].title);
	fputs("</ul>\n", picture->page->out);
}

void page_write_flame(const struct page *page)
{
	struct flame_tree tree = flame_tree_make(page->analysis, page->takes, page->takes_context,
	    PAGE_FRAMES_MAX, PAGE_FRAME_LEVELS_MAX);
	struct picture picture = {page, &tree};
	char count[SUMMARY_FIGURE_SIZE];

	if (tree.count > 0) {
		fprintf(page->out,
		    "<section aria-labelledby=\"flame\">\n<h2 id=\"flame\">Call paths <small>%s "
		    "samples of the processor time; a box is as wide as the share of its function "
		    "and of what that called, which is below it; the fuller its colour, the more "
		    "of it is the function's own</small></h2>\n",
		    summary_format_exact(count, tree.samples));
		write_legend(&picture);
		fprintf(page->out,
		    "<div class=\"flame\" style=\"--levels:%zu\" data-s=\"%" PRIu64 "\">",
		    tree.levels, tree.samples);
		write_frames(&picture, tree.first, tree.samples);
		fputs("</div>\n", page->out);
		if (tree.least > 1)
			fprintf(page->out,
			    "<p class=\"quiet\">Boxes of fewer than %s samples are left out.</p>\n",
			    summary_format_exact(count, tree.least));
		fputs("</section>\n", page->out);
	}
	flame_tree_finish(&tree);
}
