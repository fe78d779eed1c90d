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

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The condition of the if clause, or NULL. */
static const char *condition_of(const struct clause_list *clauses)
{
	const struct clause *clause = find_clause(clauses, "if");
	const char *text = clause != NULL ? clause->arguments : NULL, *behind;

	if (text == NULL)
		return NULL;
	text += strspn(text, " \t");
	if (strncasecmp(text, "simd", strlen("simd")) != 0)
		return text;
	behind = text + strlen("simd");
	behind += strspn(behind, " \t");
	return *behind == ':' ? behind + 1 : text;
}

/*
 * Can its value be computed twice, as in "n > 8 && !(flags & 2)"? With a call or an assignment in
 * it nobody knows.
 */
static bool is_without_effects(const char *condition)
{
	char before = ' ';

	for (const char *at = condition; *at != '\0'; at++) {
		if ((*at == '(' && (isalnum((unsigned char)before) || before == '_')) ||
		    ((*at == '+' || *at == '-') && at[1] == *at) ||
		    (*at == '=' && at[1] != '=' && strchr("=<>!/", before) == NULL))
			return false;
		before = isspace((unsigned char)*at) ? before : *at;
	}
	return true;
}

bool lane_loop_fits(const struct directive_use *use, const struct clause_list *clauses)
{
	static const enum construct_id others[] = {
	    CONSTRUCT_FOR, CONSTRUCT_LOOP, CONSTRUCT_TASKLOOP, CONSTRUCT_PARALLEL};

	const char *condition = condition_of(clauses);

	if (!directive_has(use, CONSTRUCT_SIMD) || clauses->error != NULL ||
	    (condition != NULL && !is_without_effects(condition)))
		return false;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (directive_has(use, others[i]))
			return false;
	for (size_t i = 0; i < clauses->count; i++)
		if (clauses->clauses[i].rule == NULL ||
		    clause_has_modifier(&clauses->clauses[i], "inscan conditional reproducible"))
			return false;
	return true;
}

/* A loop whose condition is false has no lanes: as with safelen(1) all iterations are ordered. */
const char *lane_loop_clauses(struct inst_arena *arena, const struct clause_list *clauses,
    const char *between, bool is_fortran)
{
	const struct clause *safelen = find_clause(clauses, "safelen");
	const char *length = safelen != NULL ? safelen->arguments : NULL;
	const char *condition = condition_of(clauses);

	if (length != NULL)
		length = arena_format(arena, "(%s)", length + strspn(length, " \t"));
	const char *lanes = length != NULL ? length : "0";
	if (condition != NULL)
		length = is_fortran ? arena_format(arena, "merge(%s,1,%s)", lanes, condition)
				    : arena_format(arena, "((%s) ? %s : 1)", condition, lanes);
	return arena_format(arena, LANE_LOOP_THREADS "%sschedule(" LANE_LOOP_KIND "%s%s)", between,
	    length != NULL ? "+" : "", length != NULL ? length : "");
}

/* Do these words follow in the text? */
static bool has_words(
    const char *text, size_t begin, size_t end, const char *const *words, size_t count)
{
	struct lexer lexer;
	struct token token;
	size_t found = 0;

	lexer_init(&lexer, text, end, begin);
	lexer.line_start = false;
	do
		token = lexer_next(&lexer);
	while (found < count && token_is(&lexer, &token, words[found]) && ++found < count);
	return found == count;
}

/* Behind #pragma, or in the string of _Pragma. */
bool lane_loop_is_ordered(const char *text, size_t end, size_t at)
{
	static const char *const words[] = {"pragma", "omp", "ordered", "simd"};
	enum { WORDS = sizeof words / sizeof *words };
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, text, end, at);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END)
		if ((token.kind == TOKEN_DIRECTIVE &&
			has_words(text, token.begin + 1, token.end, words, WORDS)) ||
		    (token.kind == TOKEN_STRING &&
			has_words(text, token.begin + 1, token.end - 1, words + 1, WORDS - 1)))
			return true;
	return false;
}
