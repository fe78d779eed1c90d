/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as a page for the browser: of each finding a picture of one of its lines, the places
 * of the source side by side, and what helps. The page explains the kinds itself, so that it can be
 * sent elsewhere.
 */
#include "page-parts.h"
#include "sharing-report.h"

#include "common/html-page.h"

#include "sharing-format.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 16, BYTE_WIDTH = 8, ROW_HEIGHT = 16, TEXT_WIDTH = 80 };

static const char style[] = "figure{margin:.6rem 0}\n"
			    "figcaption{color:var(--quiet)}\n"
			    "svg{display:block;max-width:100%;height:auto}\n"
			    "svg text{fill:var(--ink);font-size:11px}\n"
			    ".free{fill:none;stroke:var(--line)}\n"
			    ".written{fill:var(--point);stroke:var(--point)}\n"
			    ".read{fill:none;stroke:var(--point);stroke-width:1.5}\n";

static const char *thread_text(struct inst_arena *arena, const struct sharing_share *share)
{
	if (share->thread == 0)
		return "several";
	return arena_format(
	    arena, "thread %d", share->member >= 0 ? share->member : share->thread - 1);
}

static void put_bytes(FILE *out, const char *class, uint64_t bytes, unsigned from, size_t row)
{
	for (int first, last = -1; sharing_next_range(bytes, &first, &last);)
		fprintf(out, "<rect class='%s' x='%u' y='%zu' width='%d' height='%d'/>", class,
		    TEXT_WIDTH + (from + (unsigned)first) * BYTE_WIDTH, row * ROW_HEIGHT + 4,
		    (last - first + 1) * BYTE_WIDTH, ROW_HEIGHT - 8);
}

/* Of two neighbouring lines the second share is of the second. */
static unsigned begin_of(const struct sharing_line *line, size_t share)
{
	return line->is_near && share == 1 ? line->second : 0;
}

static void put_row(
    FILE *out, struct inst_arena *arena, const struct sharing_line *line, size_t index)
{
	const struct sharing_share *share = &line->shares[index];
	const unsigned from = begin_of(line, index);

	fprintf(out, "<text x='0' y='%zu'>%s</text>", (index + 1) * ROW_HEIGHT - 4,
	    thread_text(arena, share));
	fprintf(out, "<rect class='free' x='%u' y='%zu' width='%d' height='%d'/>",
	    TEXT_WIDTH + from * BYTE_WIDTH, index * ROW_HEIGHT + 4, SHARING_LINE_BYTES * BYTE_WIDTH,
	    ROW_HEIGHT - 8);
	put_bytes(out, "written", share->bytes_written, from, index);
	put_bytes(out, "read", share->bytes_read & ~share->bytes_written, from, index);
	fputc('\n', out);
}

/* The same in words, for readers who do not see it. */
static void put_caption(
    FILE *out, struct inst_arena *arena, const struct sharing_line *line, size_t rows)
{
	struct inst_buffer text = {.arena = arena};

	buffer_format(&text, "%s, which begins at 0x%llx; full: written, outlined: only read.",
	    line->is_near ? "Two neighbouring lines of 64 bytes, the first of"
			  : "A line of 64 bytes",
	    (unsigned long long)line->address);
	for (size_t i = 0; i < rows; i++) {
		const struct sharing_share *share = &line->shares[i];
		const uint64_t read = share->bytes_read & ~share->bytes_written;
		buffer_format(&text, " %s%s:", thread_text(arena, share),
		    begin_of(line, i) > 0 ? ", in the second line" : "");
		if (share->bytes_written != 0)
			buffer_add_string(&text, " writes bytes ");
		sharing_ranges_add(&text, share->bytes_written);
		if (read != 0)
			buffer_format(
			    &text, "%s reads bytes ", share->bytes_written != 0 ? "," : "");
		sharing_ranges_add(&text, read);
		buffer_add_string(&text, ".");
	}
	fputs("<figcaption>", out);
	html_page_put(out, text.data);
	if (line->count > rows)
		fprintf(out, " %zu more threads use it.", line->count - rows);
	fputs("</figcaption>", out);
}

static int compare_shares(const void *left, const void *right)
{
	const struct sharing_share *first = left, *second = right;

	return first->member != second->member ? first->member - second->member
					       : first->thread - second->thread;
}

static void put_picture(FILE *out, struct inst_arena *arena, const struct sharing_line *example)
{
	struct sharing_line copy = *example, *line = &copy;
	const size_t bytes = line->count * sizeof *line->shares;

	/* Of neighbouring lines the shares are in the order of their memory. */
	if (!line->is_near) {
		line->shares = memcpy(arena_allocate(arena, bytes), line->shares, bytes);
		qsort(line->shares, line->count, sizeof *line->shares, compare_shares);
	}
	const size_t rows = line->count < MOST_ROWS ? line->count : MOST_ROWS;
	const unsigned width = TEXT_WIDTH + (line->second + SHARING_LINE_BYTES) * BYTE_WIDTH + 2;

	fprintf(out,
	    "<figure><svg aria-hidden='true' width='%u' height='%zu' viewBox='0 0 %u %zu'>\n",
	    width, rows * ROW_HEIGHT, width, rows * ROW_HEIGHT);
	for (size_t i = 0; i < rows; i++)
		put_row(out, arena, line, i);
	fputs("</svg>\n", out);
	put_caption(out, arena, line, rows);
	fputs("</figure>\n", out);
}

static void put_place(
    FILE *out, const struct sharing_report *report, const struct sharing_place *place)
{
	fputs("<div><h3>", out);
	html_page_put(out, sharing_place_text(report->arena, place));
	fputs("</h3>\n<p class='quiet'>", out);
	if (place->line.function != NULL) {
		fputs("in ", out);
		page_put_code(out, place->line.function);
		fputc(' ', out);
	}
	html_page_put(out, sharing_access_text(report->arena, place));
	fputs("</p>\n", out);
	page_put_excerpt(out, place->text, place->statement);
	fputs("</div>\n", out);
}

static void put_finding(FILE *out, const struct sharing_report *report, size_t index)
{
	const struct sharing_finding *finding = &report->findings->items[index];
	const struct sharing_words words = sharing_describe(report, finding);
	const struct sharing_place *places[SHARING_MOST_PLACES];
	const size_t count = sharing_main_places(finding, places);
	const char *kind = sharing_kinds[finding->kind].name;

	page_open_finding(out, "finding", index, words.title);
	fprintf(out, "<p class='quiet'><a href='#kind-%s'>%s</a>: %s.%s</p>\n", kind, kind,
	    sharing_kinds[finding->kind].rule,
	    sharing_counts(finding, report->options->least) ? "" : " It does not count.");
	if (finding->example != NULL)
		put_picture(out, report->arena, finding->example);
	fputs("<div class='sides'>\n", out);
	for (size_t i = 0; i < count; i++)
		put_place(out, report, places[i]);
	fputs("</div>\n<dl>\n", out);
	page_put_item(out, "the memory", words.object);
	page_put_item(out, "cost", words.cost);
	page_put_item(out, "proof", words.proof);
	page_put_remedies(out, words.remedies, words.remedy_count);
	fputs("</dl></section>\n", out);
}

static void put_contents(FILE *out, const struct sharing_report *report)
{
	fputs("<nav aria-label='findings'><ul>", out);
	for (size_t i = 0; i < report->findings->count; i++) {
		const struct sharing_finding *finding = &report->findings->items[i];
		if (sharing_is_shown(report, finding))
			page_put_link(out, "finding", i, sharing_describe(report, finding).title);
	}
	fputs("</ul></nav>\n", out);
}

static void put_kinds(FILE *out, const struct sharing_report *report)
{
	bool used[SHARING_KINDS] = {false}, any = false;

	for (size_t i = 0; i < report->findings->count; i++)
		if (sharing_is_shown(report, &report->findings->items[i]))
			any = used[report->findings->items[i].kind] = true;
	if (!any)
		return;
	fputs("<section aria-labelledby='kinds'><h2 id='kinds'>What the kinds mean</h2>\n", out);
	for (size_t i = 0; i < SHARING_KINDS; i++)
		if (used[i])
			fprintf(out, "<h3 id='kind-%s'>%s</h3><p>%s</p>\n", sharing_kinds[i].name,
			    sharing_kinds[i].name, sharing_kinds[i].explanation);
	fputs("<p class='quiet'>More is in doc/sharing.md of ompinst.</p></section>\n", out);
}

static void put_summary(const void *context, FILE *lines)
{
	sharing_report_summary(context, lines);
}

void sharing_report_page(const struct sharing_report *report, FILE *out)
{
	struct inst_buffer styles = {.arena = report->arena};

	buffer_format(&styles, "%s%s", page_parts_style, style);
	html_page_begin(out, "shared cache lines", report->program, styles.data);
	page_put_paragraphs(out, put_summary, report);
	fputs("<main>\n", out);
	put_contents(out, report);
	for (size_t i = 0; i < report->findings->count; i++)
		if (sharing_is_shown(report, &report->findings->items[i]))
			put_finding(out, report, i);
	put_kinds(out, report);
	fputs("</main>\n<p class='quiet'>Written by ompinst sharing.</p>\n", out);
	html_page_end(out);
}
