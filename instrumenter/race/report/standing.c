/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes findings out that a comment at one of their places allows, that a suppression fits, that a
 * baseline has, or that no change is near to. A race
 * between tasks of one thread does not count whatever the user says of it.
 */
#include "standing.h"

#include "allow-comment.h"
#include "causes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct baseline_form race_baseline_form = {"ompinst race", "races", "race/v2"};

const char *const race_standing_names[RACE_STANDING_COUNT] = {
    [RACE_COUNTS] = "counts",
    [RACE_OF_ONE_THREAD] = "one thread",
    [RACE_ALLOWED] = "allowed",
    [RACE_SUPPRESSED] = "suppressed",
    [RACE_KNOWN] = "known",
    [RACE_UNCHANGED] = "unchanged",
};

bool race_triage_read(const struct race_options *options, struct race_triage *triage, char **error)
{
	return (options->baseline == NULL || baseline_read(options->baseline, &race_baseline_form,
						 &triage->baseline, error)) &&
	       (options->suppressions == NULL ||
		   suppressions_read(options->suppressions, &triage->suppressions, error)) &&
	       (options->since == NULL ||
		   changed_lines_read(options->since, &triage->changed, error));
}

void race_triage_finish(struct race_triage *triage)
{
	baseline_finish(&triage->baseline);
	suppressions_finish(&triage->suppressions);
	changed_lines_finish(&triage->changed);
}

/* The side of a fingerprint: "-" if ThreadSanitizer has forgotten the place. */
static const char *print_of_side(struct inst_arena *arena, const struct race_finding *finding,
    const struct race_words *words, int index)
{
	const struct race_side *side = &finding->side[index];
	/* On one line, the second expression is what a statement reads besides. */
	const char *expression = words->expression[finding->one_place ? 0 : index];
	const char *variable = finding->variable.whole;
	const char *function = side->line.function;

	if (!side->is_known)
		return "-";
	/* The text tells members apart; the name that an address has may be another element's. */
	if (expression != NULL && expression != finding->variable.name)
		variable = race_expression_shape(arena, expression, true);
	/* Without lines and symbols, only the address is left. */
	if (side->line.file == NULL && function == NULL)
		function = arena_format(arena, "%" PRIx64, side->offset);
	return arena_format(arena, "%016" PRIx64,
	    baseline_side(side->line.file != NULL ? side->line.file : side->module, function,
		variable, words->source[index]));
}

const char *race_fingerprint(
    struct inst_arena *arena, const struct race_finding *finding, const struct race_words *words)
{
	const char *one = print_of_side(arena, finding, words, 0);
	const char *other = print_of_side(arena, finding, words, 1);
	const bool swap = strcmp(one, other) < 0; /* "-" comes last */

	return arena_format(arena, "%s:%s:%s", race_rule_names[words->relation.rule],
	    swap ? other : one, swap ? one : other);
}

/* Is there a comment that allows a race in the line? */
static bool is_allowance(struct race_sources *sources, const struct race_text *text, int line,
    struct race_allowance *allowance)
{
	struct allow_comment comment;
	const char *whole = line >= 1 && line <= text->line_count ? text->lines[line - 1] : "";

	/* Code is no comment. */
	if (!allow_comment_find(whole, strlen(whole), &comment) ||
	    text->code[line - 1][comment.offset] != ' ')
		return false;
	*allowance = (struct race_allowance){
	    text->path, line, arena_copy(sources->arena, comment.reason, comment.reason_length)};
	return true;
}

/* Finds a comment at one of the places, or on the line before. */
static bool find_allowance(struct race_sources *sources, const struct race_finding *finding,
    struct race_allowance *allowance)
{
	for (int i = 0; i < 2; i++) {
		const struct race_line *line = &finding->side[i].line;
		if (line->file == NULL)
			continue;
		const struct race_text *text = race_source_text(sources, line->file);
		if (is_allowance(sources, text, line->line, allowance) ||
		    is_allowance(sources, text, line->line - 1, allowance))
			return true;
	}
	return false;
}

static const char *allowance_text(struct inst_arena *arena, const struct race_allowance *allowance)
{
	return arena_format(arena, "%s:%d%s%s", race_short_path(allowance->file), allowance->line,
	    allowance->reason[0] != '\0' ? ": " : "", allowance->reason);
}

/* Has one of the accesses changed, or a directive around it, as when a clause was removed? */
static bool has_changed(const struct changed_lines *changed, const struct race_finding *finding,
    const struct race_words *words)
{
	for (int i = 0; i < 2; i++) {
		const struct race_line *line = &finding->side[i].line;
		const struct race_position *at = &words->relation.at[i];
		if (line->file != NULL && changed_lines_have(changed, line->file, line->line))
			return true;
		if (at->unit != NULL &&
		    changed_lines_have(changed, at->around->path, at->unit->line))
			return true;
		for (const struct race_construct *around = at->innermost; around != NULL;
		     around = race_parent(at->innermost_text, around))
			if (changed_lines_have(changed, at->innermost_text->path, around->line))
				return true;
	}
	return false;
}

static void judge(struct race_sources *sources, const struct race_triage *triage,
    const struct race_words *words, struct race_finding *finding)
{
	struct race_allowance allowance;

	finding->fingerprint = race_fingerprint(sources->arena, finding, words);
	finding->in_baseline =
	    triage->baseline.path != NULL && baseline_has(&triage->baseline, finding->fingerprint);
	if (finding->standing != RACE_COUNTS)
		return;
	if (find_allowance(sources, finding, &allowance)) {
		finding->standing = RACE_ALLOWED;
		finding->reason = allowance_text(sources->arena, &allowance);
	} else if (finding->suppression != NULL) {
		finding->standing = RACE_SUPPRESSED;
		finding->reason =
		    arena_format(sources->arena, "%s:%d: %s", triage->suppressions.path,
			finding->suppression->line, finding->suppression->text);
	} else if (finding->in_baseline) {
		finding->standing = RACE_KNOWN;
		finding->reason = triage->baseline.path;
	} else if (triage->changed.commit != NULL &&
		   !has_changed(&triage->changed, finding, words)) {
		finding->standing = RACE_UNCHANGED;
		finding->reason = triage->changed.commit;
	}
}

void race_judge(struct race_sources *sources, const struct race_triage *triage,
    const struct race_words *words, struct race_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		judge(sources, triage, &words[i], &findings->items[i]);
	race_group(sources->arena, words, findings);
}

size_t race_standing_count(const struct race_findings *findings, enum race_standing standing)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].standing == standing;
	return count;
}

bool race_is_documented(const struct race_finding *finding, bool all)
{
	return all ||
	       (finding->standing != RACE_OF_ONE_THREAD && finding->standing != RACE_UNCHANGED);
}

/* Is the comment at a place of some finding? */
static bool is_used(const struct race_findings *findings, const char *file, int comment)
{
	for (size_t i = 0; i < findings->count; i++)
		for (int j = 0; j < 2; j++) {
			const struct race_line *line = &findings->items[i].side[j].line;
			if (line->file != NULL && strcmp(line->file, file) == 0 &&
			    (line->line == comment || line->line == comment + 1))
				return true;
		}
	return false;
}

const struct race_allowance *race_allowances_unused(struct race_sources *sources,
    struct race_code *code, const char *program, const struct race_findings *findings,
    size_t *count)
{
	const char *const *files = race_code_files(code, program);
	struct race_allowance *unused = NULL, allowance;
	size_t room = 0;

	*count = 0;
	for (size_t i = 0; files != NULL && files[i] != NULL; i++) {
		const struct race_text *text = race_source_text(sources, files[i]);
		for (int line = 1; line <= text->line_count; line++) {
			if (!is_allowance(sources, text, line, &allowance) ||
			    is_used(findings, text->path, line))
				continue;
			unused = arena_grow(sources->arena, unused, *count, &room, sizeof *unused);
			unused[(*count)++] = allowance;
		}
	}
	return unused;
}
