/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What pages of findings have in common: text of the source around a line, and lists of facts and
 * remedies. The pages have the frame of html-page.h.
 */
#ifndef RACE_PAGE_PARTS_H
#define RACE_PAGE_PARTS_H

#include "race-source.h"

#include <stdio.h>

/* The rules of CSS for these parts, for html_page_begin(). */
extern const char page_parts_style[];

void page_put_code(FILE *out, const char *text);

/* The lines around a line, which is marked; nothing if the text has no such line. */
void page_put_excerpt(FILE *out, const struct race_text *text, int line);

/* In a <dl>: a fact with its name; nothing if it is NULL. */
void page_put_item(FILE *out, const char *name, const char *text);
void page_put_remedies(FILE *out, const char *const *remedies, unsigned count);

/* An entry of the list of findings, whose section has the id KIND-NUMBER. */
void page_put_link(FILE *out, const char *kind, size_t index, const char *title);

/* Opens that section, up to the end of its heading. */
void page_open_finding(FILE *out, const char *kind, size_t index, const char *title);

/* What print() writes as lines of text, as paragraphs. */
void page_put_paragraphs(
    FILE *out, void (*print)(const void *context, FILE *lines), const void *context);

#endif
