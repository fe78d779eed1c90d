/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a text that may stand in quotes, as in response files and lists of arguments. */
#ifndef QUOTED_WORDS_H
#define QUOTED_WORDS_H

#include "word-list.h"

/*
 * Adds the words of the text: blanks and line ends separate them, '...' and "..." group, \ makes
 * the next character literal. Returns the quote that has no end, up to which all words are added
 * nevertheless, or NUL.
 */
char words_add_quoted(struct words *words, const char *text, size_t length);

#endif
