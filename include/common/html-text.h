/* SPDX-License-Identifier: BSD-3-Clause */
/* Text from outside in an HTML page. */
#ifndef COMMON_HTML_TEXT_H
#define COMMON_HTML_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Writes the text for an element's content or a quoted attribute, at most `limit` characters and
 * then an ellipsis. What is invalid, or would change the direction of text, becomes U+FFFD; so do
 * tabs, unless they are kept.
 */
void html_put_text(FILE *out, const char *text, int limit, bool keeps_tabs);

#endif
