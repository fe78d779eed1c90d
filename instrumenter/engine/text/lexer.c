/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits C and C++ text into tokens. Also works on text that is not preprocessed: it handles
 * continuation lines, comments, digraphs and raw strings. It expands and evaluates nothing. In
 * broken text (an open string, a lone quote), tokens end with the line or the text.
 *
 * The scanner and the statement delimiter use it.
 */
#include "lexer.h"

#include <string.h>

void lexer_init(struct lexer *lexer, const char *text, size_t length, size_t at)
{
	lexer->text = text;
	lexer->length = length;
	lexer->at = at;
	lexer->line_start = at == 0 || text[at - 1] == '\n';
	lexer->raw_strings = true;
}

/* Length of a line splice (backslash, perhaps blanks as gcc allows, newline) at `at`, else 0. */
static size_t splice_length(const char *text, size_t length, size_t at)
{
	size_t end = at;

	if (at >= length || text[at] != '\\')
		return 0;
	end++;
	while (end < length && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r'))
		end++;
	return end < length && text[end] == '\n' ? end + 1 - at : 0;
}

static size_t skip_line_comment(const char *text, size_t length, size_t at)
{
	while (at < length && text[at] != '\n') {
		size_t splice = splice_length(text, length, at);

		at += splice > 0 ? splice : 1;
	}
	return at;
}

static size_t skip_block_comment(const char *text, size_t length, size_t at)
{
	for (at += 2; at + 1 < length; at++)
		if (text[at] == '*' && text[at + 1] == '/')
			return at + 2;
	return length;
}

size_t skip_blanks(const char *text, size_t length, size_t at, bool newlines)
{
	while (at < length) {
		size_t splice = splice_length(text, length, at);

		if (splice > 0)
			at += splice;
		else if (text[at] == '/' && at + 1 < length && text[at + 1] == '*')
			at = skip_block_comment(text, length, at);
		else if (text[at] == '/' && at + 1 < length && text[at + 1] == '/')
			at = skip_line_comment(text, length, at);
		else if (text[at] == '\n'
			     ? newlines
			     : strchr(" \t\r\f\v", text[at]) != NULL && text[at] != '\0')
			at++;
		else
			break;
	}
	return at;
}

static bool is_identifier_start(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
	       byte == '$' || (unsigned char)byte >= 0x80;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static size_t identifier_end(const char *text, size_t length, size_t at)
{
	while (at < length && (is_identifier_start(text[at]) || is_digit(text[at])))
		at++;
	return at;
}

/* A preprocessing number: 1'000, 0x1p-3, 1e+5, .5f. */
static size_t number_end(const char *text, size_t length, size_t at)
{
	while (at < length) {
		char byte = text[at];

		if ((byte == '+' || byte == '-') && strchr("eEpP", text[at - 1]) != NULL)
			at++;
		else if (byte == '\'' && at + 1 < length &&
			 (is_identifier_start(text[at + 1]) || is_digit(text[at + 1])))
			at += 2;
		else if (byte == '.' || is_digit(byte) || is_identifier_start(byte))
			at++;
		else
			break;
	}
	return at;
}

/* The end of a string or character constant whose opening quote is at `at`. */
static size_t quoted_end(const char *text, size_t length, size_t at)
{
	char quote = text[at++];

	while (at < length && text[at] != quote && text[at] != '\n') {
		size_t splice = splice_length(text, length, at);

		if (splice > 0)
			at += splice;
		else
			at += text[at] == '\\' && at + 1 < length && text[at + 1] != '\n' ? 2 : 1;
	}
	return at < length && text[at] == quote ? at + 1 : at;
}

/* The end of R"delimiter( ... )delimiter" whose quote is at `at`; 0 if it is not a raw string. */
static size_t raw_string_end(const char *text, size_t length, size_t at)
{
	size_t open = at + 1;
	size_t size;

	while (open < length && open - at <= 17 && text[open] != '(')
		if (strchr(" )\\\t\v\f\n\"", text[open++]) != NULL)
			return 0;
	if (open >= length || text[open] != '(')
		return 0;
	size = open - at - 1;
	for (size_t close = open + 1; close < length; close++)
		if (text[close] == ')' && length - close > size + 1 &&
		    memcmp(text + close + 1, text + at + 1, size) == 0 &&
		    text[close + 1 + size] == '"')
			return close + size + 2;
	return length;
}

/* Is text[begin, end) an encoding prefix that a string may carry? */
static bool is_string_prefix(const char *text, size_t begin, size_t end, bool *raw)
{
	static const char *const prefixes[] = {"L", "u8", "u", "U", "R", "LR", "u8R", "uR", "UR"};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strlen(prefixes[i]) == end - begin &&
		    memcmp(prefixes[i], text + begin, end - begin) == 0) {
			*raw = text[end - 1] == 'R';
			return true;
		}
	return false;
}

static struct token lex_word(struct lexer *lexer, size_t begin)
{
	struct token token = {TOKEN_IDENTIFIER, 0, begin, 0};
	const char *text = lexer->text;
	bool raw = false;

	token.end = identifier_end(text, lexer->length, begin);
	if (token.end < lexer->length && (text[token.end] == '"' || text[token.end] == '\'') &&
	    is_string_prefix(text, begin, token.end, &raw)) {
		size_t end = 0;

		token.kind = text[token.end] == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
		if (raw && lexer->raw_strings)
			end = token.kind == TOKEN_STRING
				  ? raw_string_end(text, lexer->length, token.end)
				  : 0;
		token.end = end > 0 ? end : quoted_end(text, lexer->length, token.end);
	}
	return token;
}

/* The end of a `#` line: the first newline outside splices and block comments. */
static size_t directive_end(const char *text, size_t length, size_t at)
{
	while (at < length && text[at] != '\n') {
		size_t splice = splice_length(text, length, at);

		if (splice > 0)
			at += splice;
		else if (text[at] == '/' && at + 1 < length && text[at + 1] == '*')
			at = skip_block_comment(text, length, at);
		else if (text[at] == '/' && at + 1 < length && text[at + 1] == '/')
			at = skip_line_comment(text, length, at);
		else if (text[at] == '"' || text[at] == '\'')
			at = quoted_end(text, length, at);
		else
			at++;
	}
	return at;
}

static struct token lex_punctuator(struct lexer *lexer, size_t begin)
{
	static const struct {
		char spelling[3];
		char means;
	} digraphs[] = {{"<%", '{'}, {"%>", '}'}, {"<:", '['}, {":>", ']'}, {"%:", '#'}};
	struct token token = {TOKEN_PUNCTUATOR, lexer->text[begin], begin, begin + 1};

	for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
		if (lexer->length - begin >= 2 &&
		    memcmp(lexer->text + begin, digraphs[i].spelling, 2) == 0) {
			/* C++11: `<::` is `<` `::` unless `:` or `>` follows. */
			if (digraphs[i].means == '[' && lexer->length - begin >= 3 &&
			    lexer->text[begin + 2] == ':' &&
			    (lexer->length - begin < 4 ||
				(lexer->text[begin + 3] != ':' && lexer->text[begin + 3] != '>')))
				break;
			token.punctuator = digraphs[i].means;
			token.end = begin + 2;
		}
	return token;
}

struct token lexer_next(struct lexer *lexer)
{
	const char *text = lexer->text;
	size_t begin = skip_blanks(text, lexer->length, lexer->at, false);
	struct token token = {TOKEN_END, 0, 0, 0};

	while (begin < lexer->length && text[begin] == '\n') {
		lexer->line_start = true;
		begin = skip_blanks(text, lexer->length, begin + 1, false);
	}
	token.begin = token.end = lexer->at = begin;
	if (begin >= lexer->length)
		return token;
	if (is_identifier_start(text[begin])) {
		token = lex_word(lexer, begin);
	} else if (is_digit(text[begin]) ||
		   (text[begin] == '.' && begin + 1 < lexer->length && is_digit(text[begin + 1]))) {
		token.kind = TOKEN_NUMBER;
		token.end = number_end(text, lexer->length, begin + 1);
	} else if (text[begin] == '"' || text[begin] == '\'') {
		token.kind = text[begin] == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
		token.end = quoted_end(text, lexer->length, begin);
	} else {
		token = lex_punctuator(lexer, begin);
	}
	if (token.punctuator == '#' && lexer->line_start) {
		token.kind = TOKEN_DIRECTIVE;
		token.punctuator = 0;
		token.end = directive_end(text, lexer->length, token.end);
	}
	lexer->line_start = false;
	lexer->at = token.end;
	return token;
}

bool token_is(const struct lexer *lexer, const struct token *token, const char *word)
{
	return token->kind == TOKEN_IDENTIFIER && strlen(word) == token->end - token->begin &&
	       memcmp(lexer->text + token->begin, word, token->end - token->begin) == 0;
}
