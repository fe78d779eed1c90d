/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Judges the results of several runs. A floating-point sum depends on the order of its terms, which
 * OpenMP leaves open in a reduction; the same is true for constructs that threads execute in turn.
 * The program's source shows which of these it contains.
 */
#include "results.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Above this difference, the order of a sum is probably not the reason. */
static const double rounding = 1e-4;

static bool differs(struct inst_arena *arena, const struct race_run *runs,
    const char *const *outputs, unsigned left, unsigned right, struct race_results *results)
{
	struct race_difference difference;
	bool status = runs[left].end != runs[right].end || runs[left].status != runs[right].status;

	if (!race_compare(arena, outputs[left], outputs[right], &difference) && !status)
		return false;
	if (results->variations == 0) {
		results->left = left;
		results->right = right;
		results->by_status = status;
		results->difference = difference;
	}
	return true;
}

static bool is_complete(const struct race_run *run)
{
	return run->end == RACE_EXITED || run->end == RACE_KILLED;
}

static bool has_same_settings(const struct race_run *left, const struct race_run *right)
{
	return left->schedule == right->schedule && left->seed == right->seed &&
	       left->strands == right->strands;
}

void race_results_compare(struct inst_arena *arena, const struct race_run *runs,
    const char *const *outputs, unsigned count, struct race_results *results)
{
	for (unsigned i = 1; i < count; i++)
		for (unsigned j = 0; j < i && is_complete(&runs[i]); j++) {
			if (!is_complete(&runs[j]) || !differs(arena, runs, outputs, j, i, results))
				continue;
			if (runs[i].threads != runs[j].threads)
				results->variations |= RACE_VARIES_BY_THREADS;
			else if (runs[i].threads == 1)
				results->variations |= RACE_VARIES_ALONE;
			else if (has_same_settings(&runs[i], &runs[j]))
				results->variations |= RACE_VARIES_REPEATED;
			else
				results->variations |= RACE_VARIES_BY_ORDER;
		}
}

static void add(struct race_results *results, const char *text)
{
	if (results->responsible_count < RACE_MOST_RESPONSIBLE)
		results->responsible[results->responsible_count++] = text;
}

/* Does the line contain the name as a word, after a word for a floating-point type? */
static bool declares_floating(const char *line, const char *name)
{
	static const char *const types[] = {"double", "float", "real", "complex", "_Complex"};
	const size_t length = strlen(name);

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		const char *type = strcasestr(line, types[i]);
		if (type == NULL)
			continue;
		for (const char *at = type + 1; (at = strcasestr(at, name)) != NULL; at++)
			if (!isalnum((unsigned char)at[-1]) && at[-1] != '_' &&
			    !isalnum((unsigned char)at[length]) && at[length] != '_')
				return true;
	}
	return false;
}

static bool is_floating(const struct race_text *text, const char *name)
{
	for (int line = 0; line < text->line_count; line++)
		if (declares_floating(text->lines[line], name))
			return true;
	return false;
}

/* The first variable in the clause's list that has a floating-point type in the text, or NULL. */
static const char *floating_item(
    struct inst_arena *arena, const struct race_text *text, const struct clause *clause)
{
	const char *at = clause->arguments != NULL ? strchr(clause->arguments, ':') : NULL;

	while (at != NULL && *at != '\0') {
		at++;
		at += strspn(at, " \t");
		size_t length = 0;
		while (isalnum((unsigned char)at[length]) || at[length] == '_')
			length++;
		const char *name = arena_copy(arena, at, length);
		if (length > 0 && is_floating(text, name))
			return name;
		at = strchr(at, ',');
	}
	return NULL;
}

static void note_reductions(struct inst_arena *arena, const struct race_text *text,
    const struct race_construct *construct, struct race_results *results)
{
	for (size_t i = 0; i < construct->clauses.count; i++) {
		const struct clause *clause = &construct->clauses.clauses[i];
		if (strstr(clause->name, "reduction") == NULL)
			continue;
		const char *name = floating_item(arena, text, clause);
		if (name != NULL)
			add(results,
			    arena_format(arena,
				"%s(%s) of '%s' at %s:%d: the order in which floating-point "
				"numbers are combined is open",
				clause->name, name, construct->name, text->path, construct->line));
	}
}

/*
 * Records a construct that threads execute one after the other, in the order in which they arrive.
 */
static void note_order(struct inst_arena *arena, const struct race_text *text,
    const struct race_construct *construct, struct race_results *results)
{
	static const struct {
		enum construct_id id;
		const char *why;
	} rows[] = {
	    {CONSTRUCT_CRITICAL, "which thread comes first is open"},
	    {CONSTRUCT_ATOMIC, "which thread comes first is open"},
	    {CONSTRUCT_SINGLE, "which thread executes it is open"},
	    {CONSTRUCT_TASK, "which task is executed first is open"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (directive_is(&construct->use, rows[i].id))
			add(results, arena_format(arena, "'%s' at %s:%d: %s", construct->name,
					 text->path, construct->line, rows[i].why));
}

/* Records both kinds of causes, the more likely kind first. */
static void note_sources(struct race_sources *sources, struct race_code *code, const char *program,
    bool sums_first, struct race_results *results)
{
	const char *const *files = race_code_files(code, program);

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; files != NULL && files[i] != NULL; i++) {
			const struct race_text *text = race_source_text(sources, files[i]);
			for (int j = 0; j < text->construct_count; j++)
				if ((pass == 0) == sums_first)
					note_reductions(
					    sources->arena, text, &text->constructs[j], results);
				else
					note_order(
					    sources->arena, text, &text->constructs[j], results);
		}
}

void race_results_explain(struct race_sources *sources, struct race_code *code, const char *program,
    size_t race_count, struct race_results *results)
{
	const struct race_difference *difference = &results->difference;
	bool small =
	    !results->by_status && difference->is_numeric && difference->relative < rounding;

	if (results->variations == 0)
		return;
	if ((results->variations & RACE_VARIES_ALONE) != 0) {
		add(results, "it differs with one thread, too: a time, a random number, an address "
			     "or a value that was never set");
		return;
	}
	if (race_count > 0)
		add(results, arena_format(sources->arena, "the race%s above: fix %s first",
				 race_count == 1 ? "" : "s", race_count == 1 ? "it" : "them"));
	note_sources(sources, code, program, small, results);
	if (results->responsible_count == 0)
		add(results, "nothing in the source files that are known: perhaps a schedule that "
			     "gives threads other iterations, or omp_get_thread_num()");
}
