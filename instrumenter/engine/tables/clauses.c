/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the clauses after a directive's name: words, each perhaps with an argument in parentheses.
 * Strings, characters and nested brackets inside an argument are skipped as tokens, so a
 * parenthesis in a string opens nothing.
 */
#include "clause-table.h"
#include "lexer.h"

#include <string.h>

/* Offset after the bracket that closes the one at `open`; 0 if nothing closes it. */
static size_t matching_end(const char *text, size_t length, size_t open)
{
	struct lexer lexer;
	size_t depth = 0;

	lexer_init(&lexer, text, length, open);
	lexer.line_start = false;
	for (;;) {
		struct token token = lexer_next(&lexer);

		if (token.kind == TOKEN_END)
			return 0;
		if (token.punctuator != 0 && strchr("([{", token.punctuator) != NULL)
			depth++;
		else if (token.punctuator != 0 && strchr(")]}", token.punctuator) != NULL &&
			 --depth == 0)
			return token.punctuator == ')' ? token.end : 0;
	}
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while ((text[length] >= 'a' && text[length] <= 'z') ||
	       (text[length] >= 'A' && text[length] <= 'Z') || text[length] == '_' ||
	       (length > 0 && text[length] >= '0' && text[length] <= '9'))
		length++;
	return length;
}

struct clause_list clauses_read(struct inst_arena *arena, const char *text)
{
	struct clause_list list = {.error = NULL};
	size_t length = strlen(text), at = 0;

	for (;;) {
		struct clause clause = {.name = ""};
		size_t begin, open;

		while (at < length && strchr(" \t\r\f\v,", text[at]) != NULL)
			at++;
		if (at == length)
			return list;
		begin = at;
		at += word_length(text + at);
		if (at == begin && (list.count > 0 || text[at] != '(')) {
			list.error =
			    arena_format(arena, "a clause was expected at '%.20s'", text + begin);
			return list;
		}
		clause.name = arena_copy(arena, text + begin, at - begin);
		open = at + strspn(text + at, " \t");
		if (text[open] == '(') {
			at = matching_end(text, length, open);
			if (at == 0) {
				list.error = arena_format(
				    arena, "no ')' closes the clause '%.40s'", text + begin);
				return list;
			}
			clause.arguments = arena_copy(arena, text + open + 1, at - open - 2);
		}
		clause.text = arena_copy(arena, text + begin, at - begin);
		clause.rule = clause_rule_find(clause.name);
		*ARENA_ADD(arena, list.clauses, list.count, list.room) = clause;
	}
}

const struct clause *find_clause(const struct clause_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->clauses[i].name, name) == 0)
			return &list->clauses[i];
	return NULL;
}

/* The default clause's argument; "shared" without the clause. */
static const char *default_of(const struct clause_list *list)
{
	const struct clause *clause = find_clause(list, "default");

	if (clause == NULL || clause->arguments == NULL)
		return "shared";
	return clause->arguments + strspn(clause->arguments, " \t");
}

bool clauses_restrict_default(const struct clause_list *list)
{
	return strncmp(default_of(list), "shared", strlen("shared")) != 0;
}

bool clauses_require_listing(const struct clause_list *list)
{
	return strncmp(default_of(list), "none", strlen("none")) == 0;
}

bool clauses_keep_wait(const struct clause_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct clause *clause = &list->clauses[i];
		const char *modifier = clause->rule != NULL ? clause->rule->keeps_wait : NULL;

		if (modifier != NULL &&
		    (*modifier == '\0' || clause_has_modifier(clause, modifier)))
			return true;
	}
	return false;
}

bool clause_has_modifier(const struct clause *clause, const char *modifiers)
{
	const char *at = clause->arguments;
	const char *after;
	size_t length;

	if (at == NULL)
		return false;
	at += strspn(at, " \t");
	length = word_length(at);
	after = at + length + strspn(at + length, " \t");
	if (*after != ',' && (*after != ':' || after[1] == ':'))
		return false;
	while (*modifiers != '\0') {
		size_t word = strcspn(modifiers, " ");

		if (word == length && memcmp(at, modifiers, length) == 0)
			return true;
		modifiers += word + strspn(modifiers + word, " ");
	}
	return false;
}

/*
 * The offset of the argument's first `:` that is outside brackets and not part of `::` or `?:`; a
 * modifier or an operator stands before it. 0 if there is none.
 */
static size_t find_colon(const char *text, size_t length)
{
	struct lexer lexer;
	size_t depth = 0, questions = 0, previous = (size_t)-1;

	lexer_init(&lexer, text, length, 0);
	lexer.line_start = false;
	for (;;) {
		struct token token = lexer_next(&lexer);

		if (token.kind == TOKEN_END)
			return 0;
		if (token.punctuator == 0)
			continue;
		if (strchr("([{", token.punctuator) != NULL)
			depth++;
		else if (strchr(")]}", token.punctuator) != NULL && depth > 0)
			depth--;
		else if (token.punctuator == '?')
			questions++;
		else if (token.punctuator == ':' && depth == 0 && previous != token.begin - 1 &&
			 (token.end >= length || text[token.end] != ':')) {
			if (questions == 0)
				return token.begin;
			questions--;
		}
		previous = token.punctuator == ':' ? token.begin : (size_t)-1;
	}
}

size_t clause_list_begin(const struct clause *clause)
{
	size_t colon = find_colon(clause->arguments, strlen(clause->arguments));

	return colon == 0 ? 0 : colon + 1;
}

bool clause_next_item(const char *arguments, size_t *at, size_t *begin, size_t *end)
{
	struct lexer lexer;
	size_t length = strlen(arguments), depth = 0, templates = 0;

	lexer_init(&lexer, arguments, length, *at);
	lexer.line_start = false;
	*begin = *at = skip_blanks(arguments, length, *at, true);
	*end = *begin;
	for (;;) {
		struct token token = lexer_next(&lexer);

		*at = token.end;
		if (token.kind == TOKEN_END)
			return *end > *begin;
		if (token.punctuator != 0 && strchr("([{", token.punctuator) != NULL)
			depth++;
		else if (token.punctuator != 0 && strchr(")]}", token.punctuator) != NULL &&
			 depth > 0)
			depth--;
		else if (depth == 0 && token.punctuator == '<')
			templates++; /* T<A, B>::x */
		else if (depth == 0 && token.punctuator == '>' && templates > 0)
			templates--;
		else if (depth == 0 && templates == 0 && token.punctuator == ',')
			return *end > *begin;
		else if (depth == 0 && token.punctuator == ':' && arguments[token.end] != ':' &&
			 (token.begin == 0 || arguments[token.begin - 1] != ':')) {
			*at = length; /* a step or modifier ends the list */
			return *end > *begin;
		}
		*end = token.end;
	}
}

bool clause_lists(const struct clause *clause, const char *name)
{
	size_t at, begin, end;

	if (clause->arguments == NULL)
		return false;
	at = clause_list_begin(clause);
	while (clause_next_item(clause->arguments, &at, &begin, &end))
		if (end - begin == strlen(name) &&
		    memcmp(clause->arguments + begin, name, end - begin) == 0)
			return true;
	return false;
}
