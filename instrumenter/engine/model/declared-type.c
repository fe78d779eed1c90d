/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads declarations by their words. Other forms (pointers, attributes, what follows a label or
 * stands in parentheses) have no type here.
 */
#include "declared-type.h"

#include "lexer.h"

#include <string.h>

/* Appends a word of the declaration, which is part of the type unless it says where it is stored.
 */
static void add_word(
    struct tree_unit *unit, struct model_declaration *declaration, const struct token *token)
{
	static const char *const others[] = {"auto", "typeof", "__typeof__", "__auto_type",
	    "decltype", "for", "if", "while", "return", "extern", "else", "do", "typedef",
	    "thread_local", "_Thread_local", "__thread", "constexpr", "inline"};
	const char *word =
	    arena_copy(unit->arena, unit->input->text + token->begin, token->end - token->begin);

	if (strcmp(word, "static") == 0) {
		declaration->is_static = true;
		return;
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(word, others[i]) == 0)
			declaration->type = NULL;
	if (declaration->type == NULL)
		return;
	if (declaration->type[0] == '\0')
		declaration->begin = token->begin;
	declaration->type = arena_format(unit->arena, "%s%s%s", declaration->type,
	    declaration->type[0] != '\0' ? " " : "", word);
}

struct model_declaration model_declaration_of(
    struct tree_unit *unit, const struct tree_variable *variable)
{
	struct model_declaration found = {.type = NULL};
	struct lexer lexer;
	struct token token, last = {.kind = TOKEN_END};
	bool begins = true;

	lexer_init(&lexer, unit->input->text, unit->input->length, 0);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END && token.begin < variable->offset) {
		if (token.kind == TOKEN_DIRECTIVE)
			continue;
		if (begins) {
			found = (struct model_declaration){.type = "", .is_first = true};
			last.kind = TOKEN_END;
		}
		begins = token.punctuator != 0 && strchr(";{}", token.punctuator) != NULL;
		if (!found.is_first || begins)
			continue;
		if (last.kind == TOKEN_IDENTIFIER && token.kind == TOKEN_IDENTIFIER)
			add_word(unit, &found, &last);
		if (token.kind != TOKEN_IDENTIFIER) { /* behind the first variable */
			found.is_first = false;
			if (token.punctuator != '=' && token.punctuator != ',')
				found.type = NULL;
		}
		last = token;
	}
	if (found.is_first && last.kind == TOKEN_IDENTIFIER)
		add_word(unit, &found, &last);
	if (begins || (found.type != NULL && found.type[0] == '\0'))
		found.type = NULL;
	return found;
}
