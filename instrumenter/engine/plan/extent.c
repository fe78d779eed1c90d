/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the end of the statement that follows a pragma. libclang and the token delimiter must
 * agree. If preprocessed text contains what libclang takes for an error (another compiler's
 * extension), libclang drops statements; the delimiter, which needs no types, then decides alone.
 */
#include "extent.h"

#include "delimiter.h"
#include "lexer.h"

#include <string.h>

enum directive_body construct_body(const struct construct *construct)
{
	const struct directive_use *use = &construct->use;

	if (use->leaf_count == 0 || construct->pragma->user || construct->pragma->mixed)
		return BODY_NONE;
	if (directive_has(use, CONSTRUCT_ORDERED) &&
	    (find_clause(&construct->clauses, "depend") != NULL ||
		find_clause(&construct->clauses, "doacross") != NULL))
		return BODY_NONE;
	return use->leaves[use->leaf_count - 1]->body;
}

bool construct_has_body(const struct construct *construct, enum directive_body body)
{
	return construct->use.leaf_count > 0 && construct_body(construct) == body;
}

/* libclang's extent of an expression does not include the `;`. */
static bool is_only_semicolon(const struct inst_input *input, size_t begin, size_t end)
{
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, input->text, end, begin);
	do
		token = lexer_next(&lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	return token.punctuator == ';' && token.end == end;
}

/* The conditionals of a piece of text, relative to its start. */
struct conditionals {
	int nesting, lowest; /* at its end, and the least in between */
	bool others;         /* it contains other preprocessor lines, such as includes */
};

static struct conditionals follow_conditionals(
    const struct inst_input *input, size_t begin, size_t end)
{
	static const struct {
		const char *word;
		int change;
	} words[] = {{"if", 1}, {"ifdef", 1}, {"ifndef", 1}, {"endif", -1}, {"else", 0},
	    {"elif", 0}, {"define", 0}, {"undef", 0}, {"ident", 0}, {"pragma", 0}, {"line", 0}};
	enum { WORDS = sizeof words / sizeof *words };
	struct conditionals found = {0, 0, false};
	struct lexer lexer, line;
	struct token token;

	lexer_init(&lexer, input->text, end, begin);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		size_t i = 0;

		if (token.kind != TOKEN_DIRECTIVE)
			continue;
		lexer_init(&line, input->text, token.end,
		    token.begin + (input->text[token.begin] == '#' ? 1 : 2));
		line.line_start = false;
		token = lexer_next(&line);
		while (i < WORDS && !token_is(&line, &token, words[i].word))
			i++;
		found.others |= i == WORDS && token.kind == TOKEN_IDENTIFIER;
		found.nesting += i < WORDS ? words[i].change : 0;
		if (found.nesting < found.lowest)
			found.lowest = found.nesting;
	}
	return found;
}

/*
 * Does anything separate the pragma from its statement? The end of a conditional that contains only
 * the pragma does not.
 */
static bool is_separated(const struct inst_input *input, const struct inst_pragma *pragma)
{
	struct conditionals between = follow_conditionals(input, pragma->end, pragma->next);

	return between.others || between.nesting > between.lowest;
}

bool leaves_conditional(const struct unit *unit, const struct construct *construct)
{
	return unit->input->form == INST_SOURCE && construct->end > construct->pragma->end &&
	       follow_conditionals(unit->input, construct->pragma->end, construct->end).lowest < 0;
}

/*
 * Is the statement a block of loops that another directive in between, such as `fuse`, turns into
 * one?
 */
static bool is_loop_sequence(const struct unit *unit, const struct construct *construct)
{
	const struct construct *end = unit->constructs + unit->construct_count;

	while (++construct < end && construct->pragma->next == construct[-1].pragma->next)
		if (construct_has_body(construct, BODY_LOOP_SEQUENCE))
			return true;
	return false;
}

/* The reason if the first token of the statement is not what the directive requires, or NULL. */
static const char *first_token_problem(const struct unit *unit, const struct construct *construct)
{
	const struct inst_input *input = unit->input;
	bool macro = input->form == INST_SOURCE && construct->located->found;
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, input->text, input->length, construct->pragma->next);
	token = lexer_next(&lexer);
	if (construct_has_body(construct, BODY_LOOP) && !token_is(&lexer, &token, "for") &&
	    !(macro && construct->located->loop) &&
	    !(token.punctuator == '{' && is_loop_sequence(unit, construct)))
		return "no loop follows it";
	if ((construct_has_body(construct, BODY_SECTIONS) ||
		construct_has_body(construct, BODY_LOOP_SEQUENCE)) &&
	    token.punctuator != '{')
		return "no block follows it";
	return NULL;
}

void find_extent(const struct unit *unit, struct construct *construct)
{
	const struct inst_input *input = unit->input;
	const struct inst_pragma *pragma = construct->pragma;
	const struct located *located = construct->located;
	size_t end = statement_end(input->text, input->length, pragma->next);
	bool dropped = !located->found && end > 0 && input->form == INST_PREPROCESSED &&
		       holds_error(&unit->location, located->block_begin, end);

	construct->end = end > 0 ? end : pragma->end;
	if (construct_has_body(construct, BODY_DECLARATION))
		construct->end = located->end > pragma->end ? located->end : pragma->end;
	else if (is_separated(input, pragma))
		construct->no_extent = "a conditional stands between it and its statement";
	else if (located->in_argument)
		construct->no_extent = "its statement is a macro's argument";
	else if (!located->in_function)
		construct->no_extent = "libclang shows no function around it";
	else if (!located->found && !dropped)
		construct->no_extent = "no statement was found behind it";
	else if (end == 0)
		construct->no_extent = "the end of its statement was not found";
	else if (!dropped && located->end != end &&
		 (located->end > end || !is_only_semicolon(input, located->end, end)))
		construct->no_extent = "the extent of its statement is not clear";
	else
		construct->no_extent = first_token_problem(unit, construct);
}
