/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `simd` becomes `parallel for simd`, which takes all clauses of a simd loop and leaves what they
 * mean to the compiler. A loop that has its iterations shared out by other directives (`for simd`,
 * `taskloop simd`) stays as it is.
 */
#include "lane-loops.h"

#include "clause-table.h"
#include "lexer.h"
#include "shared/loop-schedule.h"

#include <string.h>

bool lane_loop_fits(const struct directive_use *use, const struct clause_list *clauses)
{
	static const enum construct_id others[] = {
	    CONSTRUCT_FOR, CONSTRUCT_LOOP, CONSTRUCT_TASKLOOP, CONSTRUCT_PARALLEL};

	if (!directive_has(use, CONSTRUCT_SIMD) || clauses->error != NULL)
		return false;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (directive_has(use, others[i]))
			return false;
	for (size_t i = 0; i < clauses->count; i++)
		if (clauses->clauses[i].rule == NULL ||
		    strcmp(clauses->clauses[i].name, "if") == 0 ||
		    clause_has_modifier(&clauses->clauses[i], "inscan conditional reproducible"))
			return false;
	return true;
}

const char *lane_loop_clauses(
    struct inst_arena *arena, const struct clause_list *clauses, const char *between)
{
	const struct clause *safelen = find_clause(clauses, "safelen");

	if (safelen == NULL || safelen->arguments == NULL)
		return arena_format(
		    arena, LANE_LOOP_THREADS "%sschedule(" LANE_LOOP_KIND ")", between);
	return arena_format(arena, LANE_LOOP_THREADS "%sschedule(" LANE_LOOP_KIND "+(%s))", between,
	    safelen->arguments + strspn(safelen->arguments, " \t"));
}

bool lane_loop_is_ordered(const char *text, size_t end, size_t at)
{
	static const char *const words[] = {"#", "pragma", "omp", "ordered", "simd"};
	enum { WORDS = sizeof words / sizeof *words };
	struct lexer lexer, line;
	struct token token;

	lexer_init(&lexer, text, end, at);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		size_t word = 1;
		if (token.kind != TOKEN_DIRECTIVE)
			continue;
		lexer_init(&line, text, token.end, token.begin + 1);
		line.line_start = false;
		for (token = lexer_next(&line);
		     word < WORDS && token_is(&line, &token, words[word]); word++)
			token = lexer_next(&line);
		if (word == WORDS)
			return true;
	}
	return false;
}
