/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares preprocessed texts: does one differ from the other only by what divides loops? */
#include "divided-loops.h"

#include "lexer.h"
#include "shared/loop-schedule.h"

#include <stdlib.h>
#include <string.h>

/* The tokens of a preprocessed text, and those of its pragmas. */
struct token_reader {
	struct lexer lexer, pragma;
	bool in_pragma;
};

static struct token read_token(struct token_reader *reader)
{
	struct token token;

	if (reader->in_pragma && (token = lexer_next(&reader->pragma)).kind != TOKEN_END)
		return token;
	while ((token = lexer_next(&reader->lexer)).kind == TOKEN_DIRECTIVE) {
		lexer_init(&reader->pragma, reader->lexer.text, token.end, token.begin + 1);
		reader->pragma.line_start = false;
		reader->in_pragma = true;
		token = lexer_next(&reader->pragma);
		if (token.kind != TOKEN_NUMBER && token.kind != TOKEN_END)
			return token;
	} /* a line marker */
	reader->in_pragma = false;
	return token;
}

/* Behind the word "schedule": is there a kind that is divided, or that a divided one replaces? */
static bool skip_kind(struct token_reader *reader)
{
	const struct lexer *lexer = &reader->lexer;
	bool opens = read_token(reader).punctuator == '(';
	const struct token kind = read_token(reader), next = read_token(reader);

	if (!opens || next.punctuator == ')')
		return opens &&
		       (token_is(lexer, &kind, "static") || token_is(lexer, &kind, "auto"));
	const char *chunk = lexer->text + read_token(reader).begin;
	return token_is(lexer, &kind, "dynamic") && next.punctuator == ',' &&
	       strtoul(chunk, NULL, 10) == DIVIDED_LOOP_CHUNK &&
	       read_token(reader).punctuator == ')';
}

/* Behind an open bracket: goes behind the one that closes it. */
static bool skip_brackets(struct token_reader *reader)
{
	struct token token;
	size_t depth = 1;

	while (depth > 0 && (token = read_token(reader)).kind != TOKEN_END) {
		depth += token.punctuator == '(';
		depth -= token.punctuator == ')';
	}
	return depth == 0;
}

/* Behind `token`, which the other text lacks: is it the begin of what lanes need? Skips that. */
static bool skip_lanes(struct token_reader *reader, const struct token *token)
{
	const struct lexer *lexer = &reader->lexer;
	struct token next;

	if (!reader->in_pragma)
		return false;
	if (token_is(lexer, token, "parallel")) {
		next = read_token(reader);
		return token_is(lexer, &next, "for");
	}
	if (!token_is(lexer, token, "num_threads"))
		return token_is(lexer, token, "threads") || token_is(lexer, token, "ordered");
	if (read_token(reader).punctuator != '(' || !skip_brackets(reader))
		return false;
	next = read_token(reader);
	if (!token_is(lexer, &next, "proc_bind") || read_token(reader).punctuator != '(' ||
	    !skip_brackets(reader))
		return false;
	next = read_token(reader);
	return token_is(lexer, &next, "schedule") && read_token(reader).punctuator == '(' &&
	       skip_brackets(reader);
}

/* Behind the word "order": is there "(concurrent)"? A comma may follow. */
static bool skip_order(struct token_reader *reader)
{
	const struct lexer *lexer = &reader->lexer;
	const bool opens = read_token(reader).punctuator == '(';
	struct token token = read_token(reader);

	if (token_is(lexer, &token, "unconstrained")) {
		read_token(reader);
		token = read_token(reader);
	}
	if (!opens || !token_is(lexer, &token, "concurrent") ||
	    read_token(reader).punctuator != ')')
		return false;
	struct token_reader behind = *reader;
	if (read_token(&behind).punctuator == ',')
		*reader = behind;
	return true;
}

static struct token read_other_token(struct token_reader *reader)
{
	const struct lexer *lexer = &reader->lexer;
	struct token token = read_token(reader);

	while (token_is(lexer, &token, "schedule") || token_is(lexer, &token, "order")) {
		struct token_reader behind = *reader;
		if (!(token_is(lexer, &token, "order") ? skip_order : skip_kind)(&behind))
			break;
		*reader = behind;
		token = read_token(reader);
	}
	return token;
}

static bool are_same(
    const char *text, const struct token *token, const char *divided, const struct token *other)
{
	return token->kind == other->kind &&
	       token->end - token->begin == other->end - other->begin &&
	       memcmp(text + token->begin, divided + other->begin, token->end - token->begin) == 0;
}

bool divided_loops_are_all(const char *text, size_t length, const char *divided, size_t new_length)
{
	struct token_reader one = {.in_pragma = false}, other = one;
	struct token token, same;

	lexer_init(&one.lexer, text, length, 0);
	lexer_init(&other.lexer, divided, new_length, 0);
	do {
		token = read_other_token(&one);
		same = read_other_token(&other);
		while (!are_same(text, &token, divided, &same)) {
			if (!skip_lanes(&other, &same))
				return false;
			same = read_other_token(&other);
		}
	} while (token.kind != TOKEN_END);
	return true;
}
