/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small pages for the browser: one file without scripts, which needs nothing from outside. It
 * follows the reader's choice of dark or light.
 */
#ifndef COMMON_HTML_PAGE_H
#define COMMON_HTML_PAGE_H

#include <stdio.h>

/*
 * Begins a page with the title `kind: name`, which is escaped, and its name as the heading. style:
 * rules of CSS besides those of all pages, which define the colours --page, --sheet, --ink,
 * --quiet,
 * --line, --point and --gain.
 */
void html_page_begin(FILE *out, const char *kind, const char *name, const char *style);

/* Writes text from outside, of any length; NULL writes nothing. */
void html_page_put(FILE *out, const char *text);

void html_page_end(FILE *out);

#endif
