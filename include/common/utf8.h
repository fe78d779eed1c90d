/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UTF-8 as names may hold it, valid or not. No locale is asked: when a measured program ends, its
 * own one is whatever the program left.
 */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* U+FFFD, which stands for what is not valid. */
#define UTF8_REPLACEMENT      0xfffdu
#define UTF8_REPLACEMENT_TEXT "\xef\xbf\xbd"

/*
 * One sequence at *text, which it moves behind it: the code point, or UTF8_REPLACEMENT with *text
 * moved by one byte when the bytes there are no valid sequence. 0 at the end, where *text stays.
 */
uint32_t utf8_next(const char **text);

/* What would move a terminal's cursor, or turn the direction of the text, instead of showing. */
bool utf8_is_unsafe(uint32_t character);

/* How many columns of a terminal a character takes that is not unsafe: 0, 1 or 2. */
int utf8_columns(uint32_t character);

#endif
