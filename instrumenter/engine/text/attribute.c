/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Directives in C++ attributes (OpenMP 5.2, 3.1): `[[omp::directive(...)]]` is one directive,
 * `[[omp::sequence(...)]]` several, the outermost first. They mean what the same pragmas, one
 * behind the other, would mean, and become such pragmas when they are instrumented. The scanner
 * calls this.
 */
#include "scan.h"

#include <string.h>

enum { MAX_SEQUENCES = 16 }; /* in one another */

static const char *const keywords[] = {"directive", "decl", "sequence"};

static bool is_keyword(const struct lexer *lexer, const struct token *token)
{
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (token_is(lexer, token, keywords[i]))
			return true;
	return false;
}

/* `::`, which the lexer gives as two. */
static bool skip_scope(struct lexer *lexer)
{
	return lexer_next(lexer).punctuator == ':' && lexer_next(lexer).punctuator == ':';
}

/*
 * The text up to the parenthesis that closes the one just read, on one line; the lexer is then
 * behind it. NULL when nothing closes it. A macro may have left line markers inside.
 */
static char *read_words(struct inst_arena *arena, struct lexer *lexer)
{
	struct inst_buffer words = {.arena = arena};
	size_t depth = 1, end = lexer->at;

	buffer_add(&words, "", 0);
	for (;;) {
		struct token token = lexer_next(lexer);

		if (token.kind == TOKEN_END)
			return NULL;
		if (token.kind == TOKEN_DIRECTIVE)
			continue;
		if (token.punctuator != 0 && strchr("([{", token.punctuator) != NULL)
			depth++;
		else if (token.punctuator != 0 && strchr(")]}", token.punctuator) != NULL &&
			 --depth == 0)
			return words.data;
		if (token.begin > end && words.length > 0)
			buffer_add_string(&words, " ");
		buffer_add(&words, lexer->text + token.begin, token.end - token.begin);
		end = token.end;
	}
}

/*
 * Items up to `close`. `scoped`: each has omp:: before its name, as it must outside of
 * `[[using omp: ...]]` and sequences. False when one of them is not OpenMP's.
 */
static bool read_items(struct inst_arena *arena, struct inst_scan *scan, struct lexer *lexer,
    char close, bool scoped, int nesting)
{
	for (;;) {
		struct token token = lexer_next(lexer);
		bool has_scope = token_is(lexer, &token, "omp");

		if (has_scope) {
			if (!skip_scope(lexer))
				return false;
			token = lexer_next(lexer);
		}
		if ((scoped && !has_scope) || !is_keyword(lexer, &token) ||
		    lexer_next(lexer).punctuator != '(')
			return false;
		if (token_is(lexer, &token, "sequence")) {
			if (nesting == MAX_SEQUENCES ||
			    !read_items(arena, scan, lexer, ')', false, nesting + 1))
				return false;
		} else {
			char *words = read_words(arena, lexer);

			if (words == NULL)
				return false;
			scan_add(
			    arena, scan, (struct inst_pragma){.attribute = true, .words = words});
		}
		token = lexer_next(lexer);
		if (token.punctuator == close)
			return true;
		if (token.punctuator != ',')
			return false;
	}
}

/* Does OpenMP's occur between these brackets? The lexer is behind the second one. */
static bool is_mentioned(struct lexer lexer)
{
	size_t depth = 2;

	while (depth > 0) {
		struct token token = lexer_next(&lexer);
		struct lexer ahead = lexer;

		if (token.kind == TOKEN_END)
			return false;
		if (token.punctuator == '[')
			depth++;
		else if (token.punctuator == ']')
			depth--;
		else if (token_is(&lexer, &token, "omp") && skip_scope(&ahead)) {
			token = lexer_next(&ahead);
			if (is_keyword(&ahead, &token))
				return true;
		}
	}
	return false;
}

bool scan_attribute(
    struct inst_arena *arena, struct inst_scan *scan, struct lexer *lexer, size_t begin)
{
	struct lexer ahead = *lexer, inside;
	size_t first = scan->pragma_count;
	struct token token;
	bool scoped = true;

	if (lexer_next(&ahead).punctuator != '[')
		return false;
	inside = ahead;
	token = lexer_next(&inside);
	if (token_is(&inside, &token, "using")) {
		token = lexer_next(&inside);
		if (!token_is(&inside, &token, "omp") || lexer_next(&inside).punctuator != ':')
			return false;
		scoped = false;
	} else {
		inside = ahead;
	}
	if (read_items(arena, scan, &inside, ']', scoped, 0)) {
		token = lexer_next(&inside);
		if (token.punctuator == ']') {
			for (size_t i = first; i < scan->pragma_count; i++) {
				scan->pragmas[i].begin = begin;
				scan->pragmas[i].end = token.end;
				scan->pragmas[i].next = inside.length;
			}
			*lexer = inside;
			return true;
		}
	}
	scan->pragma_count = first;
	if (is_mentioned(ahead))
		scan_add(arena, scan,
		    (struct inst_pragma){.attribute = true,
			.mixed = true,
			.begin = begin,
			.end = ahead.at,
			.next = lexer->length,
			.words = "[[omp::]]"});
	return false;
}
