/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UTF-8 as names may contain it, valid or not. The locale is not consulted: when a measured program
 * ends, it is whatever the program left.
 */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* U+FFFD, which replaces invalid bytes. */
#define UTF8_REPLACEMENT      0xfffdu
#define UTF8_REPLACEMENT_TEXT "\xef\xbf\xbd"

/*
 * Decodes one sequence at *text and moves *text past it. Returns the code point, or
 * UTF8_REPLACEMENT with *text moved by one byte if the bytes there are no valid sequence. Returns 0
 * at the end; *text then stays.
 */
uint32_t utf8_next(const char **text);

/* Returns whether a character would move a terminal's cursor or change the text's direction. */
bool utf8_is_unsafe(uint32_t character);

/* Returns how many columns of a terminal a safe character takes: 0, 1 or 2. */
int utf8_columns(uint32_t character);

#endif
