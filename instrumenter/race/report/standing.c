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

const struct baseline_form race_baseline_form = {"ompinst race", {"races", "deadlocks"}, "race/v2"};

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

static const char *print_of_place(struct inst_arena *arena, const struct race_side *side,
    const char *variable, const char *source)
{
	const char *file = side->line.file, *function = side->line.function;

	/* Without lines and symbols, only the address is left. */
	if (file == NULL && function == NULL)
		function = arena_format(arena, "%" PRIx64, side->offset);
	return arena_format(arena, "%016" PRIx64,
	    baseline_side(file != NULL ? file : side->module, function, variable, source));
}

/* The side of a fingerprint: "-" if ThreadSanitizer has forgotten the place. */
static const char *print_of_side(struct inst_arena *arena, const struct race_finding *finding,
    const struct race_words *words, int index)
{
	const struct race_side *side = &finding->side[index];
	/* On one line, the second expression is what a statement reads besides. */
	const char *expression = words->expression[finding->one_place ? 0 : index];
	const char *variable = finding->variable.whole;

	if (!side->is_known)
		return "-";
	/* The text tells members apart; the name that an address has may be another element's. */
	if (expression != NULL && expression != finding->variable.name)
		variable = race_expression_shape(arena, expression, true);
	return print_of_place(arena, side, variable, words->source[index]);
}

/*
 * The finding as baselines know it: its rule, and for both places the names of file, function and
 * variable and the line's text. Lines may move, and other findings may come and go.
 */
static const char *fingerprint_of(
    struct inst_arena *arena, const struct race_finding *finding, const struct race_words *words)
{
	const char *one = print_of_side(arena, finding, words, 0);
	const char *other = print_of_side(arena, finding, words, 1);
	const bool swap = strcmp(one, other) < 0; /* "-" comes last */

	return arena_format(arena, "%s:%s:%s", race_rule_names[words->relation.rule],
	    swap ? other : one, swap ? one : other);
}

static int compare_prints(const void *left, const void *right)
{
	const char *const *left_print = left, *const *right_print = right;

	return strcmp(*left_print, *right_print);
}

/* Of its rule and of each step, whose order depends on lines that may move. */
static const char *fingerprint_of_deadlock(struct inst_arena *arena,
    const struct race_deadlock *deadlock, const struct race_deadlock_words *words)
{
	const char **prints = arena_allocate(arena, deadlock->count * sizeof *prints);
	struct inst_buffer text = {.arena = arena};

	for (size_t i = 0; i < deadlock->count; i++)
		prints[i] = arena_format(arena, "%s:%s",
		    print_of_place(
			arena, &deadlock->steps[i].since, NULL, words->steps[i].since_source),
		    print_of_place(arena, &deadlock->steps[i].at, NULL, words->steps[i].at_source));
	qsort(prints, deadlock->count, sizeof *prints, compare_prints);
	buffer_add_string(&text, race_rule_names[words->rule]);
	for (size_t i = 0; i < deadlock->count; i++)
		if (i == 0 || !deadlock->is_joined || strcmp(prints[i], prints[i - 1]) != 0)
			buffer_format(&text, ":%s", prints[i]);
	return text.data;
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

static const char *allowance_text(struct inst_arena *arena, const struct race_allowance *allowance)
{
	return arena_format(arena, "%s:%d%s%s", race_short_path(allowance->file), allowance->line,
	    allowance->reason[0] != '\0' ? ": " : "", allowance->reason);
}

/* Finds a comment at the place, or on the line before. */
static bool find_allowance(
    struct race_sources *sources, const struct race_line *line, struct race_allowance *allowance)
{
	if (line->file == NULL)
		return false;
	const struct race_text *text = race_source_text(sources, line->file);
	return is_allowance(sources, text, line->line, allowance) ||
	       is_allowance(sources, text, line->line - 1, allowance);
}

/* The text of a comment that allows the race, or NULL. */
static const char *find_reason(
    struct race_sources *sources, const struct race_line *const *places, size_t count)
{
	struct race_allowance allowance;

	for (size_t i = 0; i < count; i++)
		if (find_allowance(sources, places[i], &allowance))
			return allowance_text(sources->arena, &allowance);
	return NULL;
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

/* Has a line of the deadlock changed, or a call that leads to it? */
static bool has_deadlock_changed(
    const struct changed_lines *changed, const struct race_deadlock *deadlock)
{
	for (size_t i = 0; i < 2 * deadlock->count; i++) {
		const struct race_lock_step *step = &deadlock->steps[i / 2];
		const struct race_side *side = i % 2 == 0 ? &step->since : &step->at;
		for (size_t j = 0; j < side->caller_count; j++) {
			const struct race_line *line = &side->callers[j];
			if (line->file != NULL &&
			    changed_lines_have(changed, line->file, line->line))
				return true;
		}
	}
	return false;
}

/*
 * What the user has said of a finding at these places. has_changed: since the commit, if there is
 * one.
 */
static void judge(struct race_sources *sources, const struct race_triage *triage,
    const struct race_line *const *places, size_t count, bool has_changed,
    struct race_verdict *verdict)
{
	verdict->in_baseline =
	    triage->baseline.path != NULL && baseline_has(&triage->baseline, verdict->fingerprint);
	if (verdict->standing != RACE_COUNTS)
		return;
	verdict->reason = find_reason(sources, places, count);
	if (verdict->reason != NULL) {
		verdict->standing = RACE_ALLOWED;
	} else if (verdict->suppression != NULL) {
		verdict->standing = RACE_SUPPRESSED;
		verdict->reason =
		    arena_format(sources->arena, "%s:%d: %s", triage->suppressions.path,
			verdict->suppression->line, verdict->suppression->text);
	} else if (verdict->in_baseline) {
		verdict->standing = RACE_KNOWN;
		verdict->reason = triage->baseline.path;
	} else if (!has_changed) {
		verdict->standing = RACE_UNCHANGED;
		verdict->reason = triage->changed.commit;
	}
}

static void judge_race(struct race_sources *sources, const struct race_triage *triage,
    const struct race_words *words, struct race_finding *finding)
{
	const struct race_line *const places[] = {&finding->side[0].line, &finding->side[1].line};

	finding->verdict.fingerprint = fingerprint_of(sources->arena, finding, words);
	judge(sources, triage, places, 2,
	    triage->changed.commit == NULL || has_changed(&triage->changed, finding, words),
	    &finding->verdict);
}

static void judge_deadlock(struct race_sources *sources, const struct race_triage *triage,
    const struct race_deadlock_words *words, struct race_deadlock *deadlock)
{
	const struct race_line **places =
	    arena_allocate(sources->arena, 2 * deadlock->count * sizeof *places);

	for (size_t i = 0; i < deadlock->count; i++) {
		places[2 * i] = &deadlock->steps[i].since.line;
		places[2 * i + 1] = &deadlock->steps[i].at.line;
	}
	deadlock->verdict.fingerprint = fingerprint_of_deadlock(sources->arena, deadlock, words);
	judge(sources, triage, places, 2 * deadlock->count,
	    triage->changed.commit == NULL || has_deadlock_changed(&triage->changed, deadlock),
	    &deadlock->verdict);
}

void race_judge(struct race_sources *sources, const struct race_triage *triage,
    const struct race_words *words, struct race_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		judge_race(sources, triage, &words[i], &findings->items[i]);
	race_group(sources->arena, words, findings);
}

void race_judge_deadlocks(struct race_sources *sources, const struct race_triage *triage,
    const struct race_deadlock_words *words, struct race_deadlocks *deadlocks)
{
	for (size_t i = 0; i < deadlocks->count; i++)
		judge_deadlock(sources, triage, &words[i], &deadlocks->items[i]);
	race_group_deadlocks(words, deadlocks);
}

size_t race_standing_count(const struct race_findings *findings, enum race_standing standing)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].verdict.standing == standing;
	return count;
}

bool race_is_documented(const struct race_verdict *verdict, bool all)
{
	return all ||
	       (verdict->standing != RACE_OF_ONE_THREAD && verdict->standing != RACE_UNCHANGED);
}

static bool is_at(const struct race_line *line, const struct race_allowance *allowance)
{
	return line->file != NULL && strcmp(line->file, allowance->file) == 0 &&
	       (line->line == allowance->line || line->line == allowance->line + 1);
}

/* Is the comment at a place of some finding? */
static bool is_used(const struct race_findings *findings, const struct race_deadlocks *deadlocks,
    const struct race_allowance *allowance)
{
	for (size_t i = 0; i < findings->count; i++)
		for (int j = 0; j < 2; j++)
			if (is_at(&findings->items[i].side[j].line, allowance))
				return true;
	for (size_t i = 0; i < deadlocks->count; i++)
		for (size_t j = 0; j < deadlocks->items[i].count; j++)
			if (is_at(&deadlocks->items[i].steps[j].at.line, allowance) ||
			    is_at(&deadlocks->items[i].steps[j].since.line, allowance))
				return true;
	return false;
}

const struct race_allowance *race_allowances_unused(struct race_sources *sources,
    struct race_code *code, const char *program, const struct race_findings *findings,
    const struct race_deadlocks *deadlocks, size_t *count)
{
	const char *const *files = race_code_files(code, program);
	struct race_allowance *unused = NULL, allowance;
	size_t room = 0;

	*count = 0;
	for (size_t i = 0; files != NULL && files[i] != NULL; i++) {
		const struct race_text *text = race_source_text(sources, files[i]);
		for (int line = 1; line <= text->line_count; line++) {
			if (!is_allowance(sources, text, line, &allowance) ||
			    is_used(findings, deadlocks, &allowance))
				continue;
			*ARENA_ADD(sources->arena, unused, *count, room) = allowance;
		}
	}
	return unused;
}
