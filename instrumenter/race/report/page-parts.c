/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the parts; texts of others are escaped. */
#include "page-parts.h"

#include "common/html-page.h"
#include "common/html-text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_AROUND = 4 };

const char page_parts_style[] =
    ":root{--here:#fff0b3}\n"
    "@media(prefers-color-scheme:dark){:root{--here:#4d4214}}\n"
    "a{color:var(--point)}\n"
    "h2{font-size:1.1rem;margin:0;overflow-wrap:anywhere}\n"
    "h3{font-size:1rem;margin:.6rem 0 0;overflow-wrap:anywhere}\n"
    ".sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem}\n"
    ".sides>div{min-width:0}\n"
    "pre{overflow-x:auto;margin:.4rem 0;tab-size:8}\n"
    "pre span{color:var(--quiet)}\n"
    "mark{background:var(--here);color:inherit}\n"
    "dt{color:var(--quiet)}\n"
    "dd{margin:0 0 .4rem 1rem}\n"
    "ol,ul{margin:.2rem 0;padding-left:1.5rem}\n";

void page_put_code(FILE *out, const char *text)
{
	fputs("<code>", out);
	html_page_put(out, text);
	fputs("</code>", out);
}

void page_put_excerpt(FILE *out, const struct race_text *text, int line)
{
	if (text == NULL || line < 1 || line > text->line_count)
		return;
	const int first = line > LINES_AROUND ? line - LINES_AROUND : 1;
	const int last =
	    line + LINES_AROUND < text->line_count ? line + LINES_AROUND : text->line_count;

	fprintf(out, "<pre role='group' tabindex='0' aria-label='lines %d to %d'>", first, last);
	for (int i = first; i <= last; i++) {
		fprintf(out, "%s<span>%5d</span> ", i == line ? "<mark>" : "", i);
		html_put_text(out, text->lines[i - 1], INT_MAX, true);
		fputs(i == line ? "</mark>\n" : "\n", out);
	}
	fputs("</pre>\n", out);
}

void page_put_item(FILE *out, const char *name, const char *text)
{
	if (text == NULL)
		return;
	fprintf(out, "<dt>%s</dt><dd>", name);
	html_page_put(out, text);
	fputs("</dd>\n", out);
}

void page_put_remedies(FILE *out, const char *const *remedies, unsigned count)
{
	if (count == 0)
		return;
	fprintf(out, "<dt>fix%s</dt><dd><ul>", count > 1 ? ", one of" : "");
	for (unsigned i = 0; i < count; i++) {
		fputs("<li>", out);
		html_page_put(out, remedies[i]);
		fputs("</li>", out);
	}
	fputs("</ul></dd>\n", out);
}

void page_put_link(FILE *out, const char *kind, size_t index, const char *title)
{
	fprintf(out, "<li><a href='#%s-%zu'>", kind, index + 1);
	html_page_put(out, title);
	fputs("</a></li>\n", out);
}

void page_open_finding(FILE *out, const char *kind, size_t index, const char *title)
{
	fprintf(out, "<section id='%s-%zu' aria-labelledby='%s-title-%zu'><h2 id='%s-title-%zu'>",
	    kind, index + 1, kind, index + 1, kind, index + 1);
	html_page_put(out, title);
	fputs("</h2>\n", out);
}

void page_put_paragraphs(
    FILE *out, void (*print)(const void *context, FILE *lines), const void *context)
{
	char *text = NULL;
	size_t length;
	FILE *lines = open_memstream(&text, &length);

	if (lines == NULL)
		return;
	print(context, lines);
	if (fclose(lines) == 0)
		for (char *at = text, *next; (next = strchr(at, '\n')) != NULL; at = next + 1) {
			*next = '\0';
			fputs("<p>", out);
			html_page_put(out, at);
			fputs("</p>\n", out);
		}
	free(text);
}
