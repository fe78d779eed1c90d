/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the end of a statement by keywords, brackets and semicolons. The end of a C statement can
 * be found without knowing any type. This makes the delimiter an independent check of libclang's
 * extents, because its errors have other causes (macros that hide brackets).
 */
#include "delimiter.h"

#include "lexer.h"

#include <string.h>

enum { MAX_NESTING = 10000 }; /* of statements directly inside statements; blocks do not count */

/* The next token that is not a `#` line. */
static struct token next_code(struct lexer *lexer)
{
	struct token token;

	do
		token = lexer_next(lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	return token;
}

static struct token peek_code(const struct lexer *lexer)
{
	struct lexer ahead = *lexer;

	return next_code(&ahead);
}

/* Skips to the bracket that closes the one just read. */
static bool skip_brackets(struct lexer *lexer)
{
	size_t depth = 1;

	while (depth > 0) {
		struct token token = next_code(lexer);

		if (token.kind == TOKEN_END)
			return false;
		if (token.punctuator == '(' || token.punctuator == '[' || token.punctuator == '{')
			depth++;
		else if (token.punctuator == ')' || token.punctuator == ']' ||
			 token.punctuator == '}')
			depth--;
	}
	return true;
}

/* Skips `( ... )`, perhaps after words such as constexpr. */
static bool skip_parentheses(struct lexer *lexer)
{
	struct token token = next_code(lexer);

	while (token.kind == TOKEN_IDENTIFIER)
		token = next_code(lexer);
	return token.punctuator == '(' && skip_brackets(lexer);
}

/* Skips past `stop` outside brackets. `::` and the colon of `?:` do not count as colons. */
static bool skip_to(struct lexer *lexer, char stop)
{
	size_t questions = 0;

	for (;;) {
		struct token token = next_code(lexer);

		if (token.kind == TOKEN_END)
			return false;
		if (token.punctuator == ':' && peek_code(lexer).punctuator == ':' && stop == ':') {
			next_code(lexer);
			continue;
		}
		if (token.punctuator == ':' && questions > 0) {
			questions--;
			continue;
		}
		if (token.punctuator == stop)
			return true;
		if (token.punctuator == '?' && stop == ':')
			questions++;
		if (token.punctuator == '(' || token.punctuator == '[' || token.punctuator == '{') {
			if (!skip_brackets(lexer))
				return false;
		} else if (token.punctuator == ')' || token.punctuator == ']' ||
			   token.punctuator == '}') {
			return false;
		}
	}
}

static bool skip_statement(struct lexer *lexer, int nesting);

static bool skip_do(struct lexer *lexer, int nesting)
{
	struct token token;

	if (!skip_statement(lexer, nesting + 1))
		return false;
	token = next_code(lexer);
	return token_is(lexer, &token, "while") && skip_parentheses(lexer) &&
	       next_code(lexer).punctuator == ';';
}

static bool skip_try(struct lexer *lexer)
{
	struct token token;

	if (next_code(lexer).punctuator != '{' || !skip_brackets(lexer))
		return false;
	for (token = peek_code(lexer); token_is(lexer, &token, "catch"); token = peek_code(lexer)) {
		next_code(lexer);
		if (!skip_parentheses(lexer) || next_code(lexer).punctuator != '{' ||
		    !skip_brackets(lexer))
			return false;
	}
	return true;
}

/* What precedes a statement and belongs to it: labels and attributes. */
enum prefix { PREFIX_NONE, PREFIX_SKIPPED, PREFIX_BROKEN };

static enum prefix skip_prefix(struct lexer *lexer, const struct token *token)
{
	struct lexer ahead = *lexer;
	struct token after = next_code(&ahead);

	if (token_is(lexer, token, "case"))
		return skip_to(lexer, ':') ? PREFIX_SKIPPED : PREFIX_BROKEN;
	if (token->kind == TOKEN_IDENTIFIER && after.punctuator == ':' &&
	    next_code(&ahead).punctuator != ':') {
		next_code(lexer); /* a label, or `default` */
		return PREFIX_SKIPPED;
	}
	if (token->punctuator == '[' && after.punctuator == '[')
		return skip_brackets(lexer) ? PREFIX_SKIPPED : PREFIX_BROKEN;
	if (after.punctuator == '(' &&
	    (token_is(lexer, token, "__attribute__") || token_is(lexer, token, "_Pragma")))
		return skip_parentheses(lexer) ? PREFIX_SKIPPED : PREFIX_BROKEN;
	return PREFIX_NONE;
}

/*
 * Skips `if` and all of its branches except the last statement; *open tells whether that still
 * follows.
 */
static bool skip_if(struct lexer *lexer, int nesting, bool *open)
{
	struct token token = peek_code(lexer);

	*open = false;
	if (token.punctuator == '!')
		next_code(lexer); /* if !consteval */
	token = peek_code(lexer);
	if (token_is(lexer, &token, "consteval"))
		next_code(lexer);
	else if (!skip_parentheses(lexer))
		return false;
	if (!skip_statement(lexer, nesting + 1))
		return false;
	token = peek_code(lexer);
	*open = token_is(lexer, &token, "else");
	if (*open)
		next_code(lexer);
	return true;
}

static bool skip_statement(struct lexer *lexer, int nesting)
{
	if (nesting > MAX_NESTING)
		return false;
	for (;;) { /* each turn reads the head of a statement, whose body then follows */
		struct token token = next_code(lexer);
		enum prefix prefix = skip_prefix(lexer, &token);
		bool open;

		if (token.kind == TOKEN_END || prefix == PREFIX_BROKEN || token.punctuator == '}')
			return false;
		if (prefix == PREFIX_SKIPPED)
			continue;
		if (token.punctuator == '{')
			return skip_brackets(lexer);
		if (token.punctuator == ';')
			return true;
		if (token_is(lexer, &token, "if")) {
			if (!skip_if(lexer, nesting, &open))
				return false;
			if (!open)
				return true;
		} else if (token_is(lexer, &token, "for") || token_is(lexer, &token, "while") ||
			   token_is(lexer, &token, "switch")) {
			if (!skip_parentheses(lexer))
				return false;
		} else if (token_is(lexer, &token, "do")) {
			return skip_do(lexer, nesting);
		} else if (token_is(lexer, &token, "try")) {
			return skip_try(lexer);
		} else {
			lexer->at = token.begin; /* its own brackets count */
			return skip_to(lexer, ';');
		}
	}
}

size_t statement_end(const char *text, size_t length, size_t at)
{
	struct lexer lexer;

	lexer_init(&lexer, text, length, at);
	return skip_statement(&lexer, 0) ? lexer.at : 0;
}

size_t block_declarations(const char *text, size_t length, size_t at)
{
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, text, length, at);
	if (next_code(&lexer).punctuator != '{')
		return 0;
	for (at = lexer.at;; at = lexer.at) {
		token = next_code(&lexer);
		if (!token_is(&lexer, &token, "__label__"))
			return at;
		if (!skip_to(&lexer, ';'))
			return 0;
	}
}

size_t block_end(const char *text, size_t length, size_t at)
{
	struct lexer lexer;

	lexer_init(&lexer, text, length, at);
	return next_code(&lexer).punctuator == '{' && skip_brackets(&lexer) ? lexer.at : 0;
}
