/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the heads of a loop nest token by token, to find which loop variables are declared before
 * the nest. It knows no types and no macros; "cannot be read" is one of its answers.
 */
#include "loop-nest.h"

#include "lexer.h"

#include <stdlib.h>
#include <string.h>

/* How many loops are associated with the directive; 0 if the clause is more than a number. */
static size_t associated_loops(const struct construct *construct)
{
	const struct clause *collapse = find_clause(&construct->clauses, "collapse");
	char *end;
	unsigned long depth;

	if (collapse == NULL || collapse->arguments == NULL)
		return 1;
	depth = strtoul(collapse->arguments, &end, 10);
	return end[strspn(end, " \t")] == '\0' ? depth : 0;
}

static struct token next_token(struct lexer *lexer)
{
	struct token token;

	do
		token = lexer_next(lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	return token;
}

/*
 * Called after the `(` of a loop head: adds the variable if the head begins with an assignment. A
 * declaration begins with at least two words, or with a word and something other than `::` and `=`.
 */
static void add_variable(struct unit *unit, struct lexer *lexer, struct inst_buffer *names)
{
	struct token token = next_token(lexer);
	size_t begin = token.begin, end = begin;

	for (bool name = false;
	     token.punctuator == ':' || (token.kind == TOKEN_IDENTIFIER && !name);
	     token = next_token(lexer)) {
		name = token.kind == TOKEN_IDENTIFIER;
		end = token.end;
	}
	if (end > begin && token.punctuator == '=' && lexer->text[token.end] != '=')
		buffer_format(
		    names, ", %s", arena_copy(unit->arena, lexer->text + begin, end - begin));
}

const char *find_loop_variables(struct unit *unit, const struct construct *construct)
{
	const struct inst_input *input = unit->input;
	struct inst_buffer names = {.arena = unit->arena};
	size_t loops = associated_loops(construct);
	struct lexer lexer;

	if (loops == 0)
		return NULL;
	buffer_add(&names, "", 0);
	lexer_init(&lexer, input->text, construct->end, construct->pragma->next);
	for (; loops > 0; loops--) {
		struct token token = next_token(&lexer);
		size_t depth = 1;

		while (token.punctuator == '{')
			token = next_token(&lexer);
		if (!token_is(&lexer, &token, "for") || next_token(&lexer).punctuator != '(')
			return NULL;
		struct lexer head = lexer;
		add_variable(unit, &head, &names);
		while (depth > 0 && token.kind != TOKEN_END) {
			token = next_token(&lexer);
			depth += token.punctuator == '(';
			depth -= token.punctuator == ')';
		}
	}
	return names.data;
}
