/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tokens of C and C++ text, preprocessed or not: just enough grammar to know where strings,
 * comments and directive lines are, so that brackets and semicolons can be counted safely.
 */
#ifndef LEXER_H
#define LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOKEN_END,
	TOKEN_DIRECTIVE, /* a whole `#` line with its continuations, without the newline */
	TOKEN_IDENTIFIER,
	TOKEN_NUMBER,
	TOKEN_STRING, /* also raw ones; with their prefix */
	TOKEN_CHARACTER,
	TOKEN_PUNCTUATOR, /* one character at a time, digraphs folded */
};

struct token {
	enum token_kind kind;
	char punctuator; /* TOKEN_PUNCTUATOR: the character, `{` also for `<%` and so on; else 0 */
	size_t begin, end; /* offsets into the text */
};

struct lexer {
	const char *text;
	size_t length;
	size_t at;
	bool line_start;  /* only blanks and comments since the last newline */
	bool raw_strings; /* R"(...)": C++11, and gcc's gnu99 and later */
};

/* A lexer that starts at offset `at`, which must be outside any token. */
void lexer_init(struct lexer *lexer, const char *text, size_t length, size_t at);

/* The next token; at the end always TOKEN_END. Accepts any bytes. */
struct token lexer_next(struct lexer *lexer);

/* Is the token this identifier? */
bool token_is(const struct lexer *lexer, const struct token *token, const char *word);

/*
 * Offset of the next text at or after `at`, skipping blanks and comments (and newlines, if
 * allowed).
 */
size_t skip_blanks(const char *text, size_t length, size_t at, bool newlines);

#endif
