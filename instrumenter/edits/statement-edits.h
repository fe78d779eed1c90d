/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words of a user's file, and the edits of a finding's remedy before, in and behind a
 * statement. Lines that are added have the indentation and the line ends of those around them.
 */
#ifndef STATEMENT_EDITS_H
#define STATEMENT_EDITS_H

#include "lexer.h"
#include "lint.h"
#include "patch.h"

/* The offset of the line that contains the offset. */
size_t source_line_begin(const struct text_file *file, size_t at);

/* The offset of a line, counted from 1; the length if there are fewer. */
size_t source_find_line(const struct text_file *file, int line);

/* The first token at or behind the offset; the lexer continues behind it. */
struct token source_token_from(const struct text_file *file, size_t offset, struct lexer *lexer);

/* Takes the words from the lexer, with the last one's end in *end; false if others are there. */
bool source_take_words(struct lexer *lexer, const char *words, size_t *end);

/* Puts lines before `at`, which may be inside of a line; `#` lines begin at the left if `left`. */
bool statement_edit_before(
    const struct text_file *file, size_t at, bool left, const char *lines, struct patch_edit *edit);

/*
 * Is the place in no conditional part (#if) that begins behind this line? What stands in one may be
 * left out of the program, together with what is added elsewhere or not.
 */
bool statement_is_always(const struct text_file *file, size_t at, int since);

/*
 * The edit of a change of statements: its words are found in the line of its place, once. False if
 * the file has other words there, or the same words twice.
 */
bool statement_edit_make(
    const struct text_file *file, const struct lint_fix *fix, struct patch_edit *edit);

#endif
