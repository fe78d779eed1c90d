/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds statements that seem to belong to an unbraced body. gcc reports -Wmisleading-indentation
 * and -Wmultistatement-macros only for text without line markers. For preprocessed text this check
 * therefore decides whether gcc must also compile the original.
 *
 * One pass over the tokens with a stack of what is open: blocks, and guards (`if (...)`, `else`
 * ...) whose body has not ended. When a statement ends, all guards on top of the stack end with it,
 * and the next token is compared with each of them.
 */
#include "indentation.h"
#include "lexer.h"
#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

#define TAB_STOP 8

enum open_kind { OPEN_BLOCK, OPEN_IF, OPEN_LOOP, OPEN_ELSE };

struct open_part {
	enum open_kind kind;
	size_t column;    /* guards: of the first token on the guard's line */
	size_t body_line; /* guards: start of the line on which the body begins */
	bool is_body;     /* blocks: it is the body of the guard below it */
};

/* The body has braces: gcc does not check the statement after it. */
#define NOWHERE ((size_t)-1)

struct walk {
	struct lexer lexer;
	enum indentation_form form;
	struct open_part *parts;
	size_t count, capacity;
	size_t line_start;  /* of the current token's line */
	size_t first_token; /* column of the first token of that line */
	size_t token_end;
	bool body_next; /* the current token begins a guard's body */
	bool ended;     /* the last token ended a statement */
	bool may_mislead;
};

/* Column of an offset on its line, tabs counted as gcc does. */
static size_t column_of(const char *text, size_t line_start, size_t offset)
{
	size_t column = 0;

	for (size_t i = line_start; i < offset; i++)
		column = text[i] == '\t' ? column / TAB_STOP * TAB_STOP + TAB_STOP : column + 1;
	return column;
}

static void push(struct walk *walk, struct open_part part)
{
	if (!ARRAY_PUSH(walk->parts, walk->count, walk->capacity, part))
		walk->may_mislead = true; /* the compiler must look at the text itself */
}

static struct token next_token(struct walk *walk)
{
	const char *text = walk->lexer.text;
	struct token token;

	do
		token = lexer_next(&walk->lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	size_t start = token.begin;
	while (start > walk->token_end && text[start - 1] != '\n')
		start--;
	if (start > walk->token_end || start == 0) {
		walk->line_start = start;
		walk->first_token = column_of(text, start, token.begin);
	}
	walk->token_end = token.end;
	return token;
}

/* A statement has ended and `token` follows: compares the token with all guards that ended. */
static void end_statement(struct walk *walk, const struct token *token)
{
	walk->ended = false;
	if (token_is(&walk->lexer, token, "else")) {
		/* It belongs to the innermost `if`; the guards inside that have ended. */
		while (walk->count > 0 && walk->parts[walk->count - 1].kind != OPEN_BLOCK)
			if (walk->parts[--walk->count].kind == OPEN_IF)
				return;
		return;
	}
	for (; walk->count > 0 && walk->parts[walk->count - 1].kind != OPEN_BLOCK; walk->count--) {
		const struct open_part *guard = &walk->parts[walk->count - 1];
		if (token->kind == TOKEN_END || token->punctuator == '}')
			continue;
		walk->may_mislead |=
		    guard->body_line == walk->line_start ||
		    (walk->form == INDENTATION_COLUMNS && guard->column < walk->first_token);
	}
}

/* Skips a balanced parenthesis; false if none follows or it never ends. */
static bool skip_parenthesis(struct walk *walk, struct token *token)
{
	size_t depth = 0;

	do {
		if (token->punctuator == '(')
			depth++;
		else if (token->punctuator == ')')
			depth--;
		else if (depth == 0 || token->kind == TOKEN_END)
			return false;
		*token = next_token(walk);
	} while (depth > 0);
	return true;
}

/*
 * Reads a guard at `token`, which becomes the first token of its body. A body in braces needs no
 * check, because gcc does not check it either. `else if` on one line belongs to the guard of its
 * `if`.
 */
static bool read_guard(struct walk *walk, struct token *token)
{
	static const struct {
		const char *word;
		enum open_kind kind;
	} guards[] = {{"if", OPEN_IF}, {"for", OPEN_LOOP}, {"while", OPEN_LOOP},
	    {"switch", OPEN_LOOP}, {"else", OPEN_ELSE}};
	size_t i = 0;

	while (i < sizeof guards / sizeof *guards && !token_is(&walk->lexer, token, guards[i].word))
		i++;
	if (token->kind != TOKEN_IDENTIFIER || i == sizeof guards / sizeof *guards)
		return false;
	struct open_part part = {.kind = guards[i].kind, .column = walk->first_token};
	size_t line = walk->line_start;
	*token = next_token(walk);
	if (part.kind == OPEN_IF && token_is(&walk->lexer, token, "constexpr"))
		*token = next_token(walk);
	if (part.kind != OPEN_ELSE && !skip_parenthesis(walk, token))
		return true;
	if (part.kind == OPEN_ELSE && walk->line_start == line &&
	    token_is(&walk->lexer, token, "if"))
		return true;
	part.body_line = walk->line_start;
	if (token->punctuator == '{') {
		part.column = NOWHERE;
		part.body_line = NOWHERE;
	}
	push(walk, part);
	walk->body_next = true;
	return true;
}

/* Handles a token that is not a guard. */
static void follow(struct walk *walk, const struct token *token, size_t *depth)
{
	bool guarded = walk->count > 0 && walk->parts[walk->count - 1].kind != OPEN_BLOCK;

	switch (token->punctuator) {
	case '(':
	case '[':
		++*depth;
		break;
	case ')':
	case ']':
		*depth -= *depth > 0;
		break;
	case '{':
		push(walk, (struct open_part){.kind = OPEN_BLOCK, .is_body = walk->body_next});
		*depth = 0;
		break;
	case '}':
		while (walk->count > 0 && walk->parts[walk->count - 1].kind != OPEN_BLOCK)
			walk->count--;
		walk->ended = walk->count > 0 && walk->parts[walk->count - 1].is_body;
		walk->count -= walk->count > 0;
		break;
	case ';':
		walk->ended = *depth == 0 && guarded;
		break;
	default:
		break;
	}
	walk->body_next = false;
}

bool indentation_may_mislead(const char *text, size_t length, enum indentation_form form)
{
	struct walk walk = {.form = form};
	size_t depth = 0;

	lexer_init(&walk.lexer, text, length, 0);
	struct token token = next_token(&walk);
	while (token.kind != TOKEN_END && !walk.may_mislead) {
		if (walk.ended)
			end_statement(&walk, &token);
		if (read_guard(&walk, &token))
			continue;
		follow(&walk, &token, &depth);
		token = next_token(&walk);
	}
	free(walk.parts);
	return walk.may_mislead;
}
