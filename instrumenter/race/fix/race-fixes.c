/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives each race to the checks as a witness, and takes of their findings those that are about the
 * race: of one of its two lines, or else of the same variable.
 */
#include "race-fixes.h"

#include "arguments.h"
#include "fortran-remedies.h"

#include <stdlib.h>
#include <string.h>

static bool is_c(const char *file)
{
	const enum language language = file != NULL ? language_of_file(file, 0) : LANGUAGE_LINKER;

	return language == LANGUAGE_C || language == LANGUAGE_CXX;
}

/* The command by which the checks find the files that the races are in. */
static void add_files(struct words *command, const struct race_findings *findings)
{
	words_add(command, "cc");
	for (size_t i = 0; i < findings->count; i++)
		for (int side = 0; side < 2; side++) {
			const char *file = findings->items[i].side[side].line.file;
			bool known = !is_c(file);

			for (size_t j = 1; j < command->count && !known; j++)
				known = strcmp(command->items[j], race_short_path(file)) == 0;
			if (!known)
				words_add(command, race_short_path(file));
		}
}

/* The variable that both expressions begin with; NULL if they differ or are not known. */
static const char *common_name(const struct race_finding *finding, const struct race_words *words)
{
	const char *one = words->expression[0], *other = words->expression[1];
	size_t length;

	if (one == NULL) {
		one = other;
		other = NULL;
	}
	if (finding->verdict.standing != RACE_COUNTS || one == NULL ||
	    finding->side[0].line.file == NULL)
		return NULL;
	one += strspn(one, "*&(");
	length = strcspn(one, "[(.->+*/ )");
	if (length == 0)
		return NULL;
	if (!finding->one_place && finding->side[1].line.file == NULL)
		return NULL;
	if (!finding->one_place && other != NULL) {
		other += strspn(other, "*&(");
		if (strncmp(one, other, length) != 0 || strchr("[(.->+*/ )", other[length]) == NULL)
			return NULL;
	}
	return strndup(one, length);
}

static bool make_witnesses(
    struct race_fixes *fixes, const struct race_findings *findings, const struct race_words *words)
{
	fixes->race_count = findings->count;
	fixes->witnesses = calloc(findings->count + 1, sizeof *fixes->witnesses);
	fixes->finding = calloc(findings->count + 1, sizeof *fixes->finding);
	if (fixes->witnesses == NULL || fixes->finding == NULL)
		return false;
	for (size_t i = 0; i < findings->count; i++) {
		const struct race_side *side = findings->items[i].side;
		struct lint_witness *witness = &fixes->witnesses[i];
		const char *name = common_name(&findings->items[i], &words[i]);

		fixes->finding[i] = RACE_NOT_FIXED;
		witness->name = name != NULL ? name : strdup("");
		for (int n = 0; n < 2; n++) {
			const int which = findings->items[i].one_place ? 0 : n;
			const char *file = side[which].line.file;
			/* A race of tasks that one thread executed may be none; others are allowed.
			 */
			const bool counts =
			    file != NULL && findings->items[i].verdict.standing == RACE_COUNTS;

			witness->file[n] = counts ? path_base(file) : "";
			witness->line[n] = counts ? side[which].line.line : 0;
		}
	}
	return true;
}

/*
 * Does the message begin with the variable, or an expression with it, or say what a task shares or
 * for what a loop waits?
 */
static bool is_about(const struct lint_finding *finding, const char *name)
{
	static const char *const begins[] = {"the task shares ",
	    "the loop that generates the task changes ", "the loop waits for ", ""};
	const size_t length = strlen(name);

	for (size_t i = 0; i < sizeof begins / sizeof *begins && length > 0; i++) {
		const char *at = finding->message;

		if (strncmp(at, begins[i], strlen(begins[i])) != 0)
			continue;
		at += strlen(begins[i]);
		at += strspn(at, "*&(");
		return strncmp(at, name, length) == 0 && strchr(" ,[.-)", at[length]) != NULL;
	}
	return false;
}

/* Does the finding change the directive of the construct that executes one of the accesses? */
static bool is_around(const struct lint_finding *finding, const struct race_words *words)
{
	for (int n = 0; n < 2; n++) {
		const struct race_construct *unit = words->relation.at[n].unit;
		if (unit != NULL && finding->fixes[0].directive &&
		    unit->line == finding->fixes[0].place.line)
			return true;
	}
	return false;
}

/* 2: one of the race's lines; 1: the same variable of the same construct; 0: another race. */
static int closeness(const struct lint_finding *finding, const struct lint_witness *witness,
    const struct race_words *words)
{
	const bool named = witness->name[0] != '\0';
	int closest = 0;

	for (int n = 0; n < 2 && (!named || is_about(finding, witness->name)); n++) {
		if (strcmp(path_base(finding->place.file), witness->file[n]) != 0)
			continue;
		if (finding->place.line == witness->line[n] ||
		    (!named && finding->note_place.line == witness->line[n]))
			return 2;
		closest = named && is_around(finding, words) ? 1 : closest;
	}
	return closest;
}

static void choose_findings(struct race_fixes *fixes, const struct race_words *words)
{
	struct findings *findings = &fixes->run.findings;
	bool *used = calloc(findings->count + 1, sizeof *used);

	for (size_t i = 0; i < fixes->race_count; i++) {
		int closest = 0;
		for (size_t j = 0; j < findings->count; j++) {
			int close =
			    findings->fixes[j].offered
				? closeness(&findings->all[j], &fixes->witnesses[i], &words[i])
				: 0;
			if (close <= closest)
				continue;
			closest = close;
			fixes->finding[i] = j;
		}
		if (fixes->finding[i] != RACE_NOT_FIXED && used != NULL)
			used[fixes->finding[i]] = true;
	}
	for (size_t j = 0; j < findings->count; j++)
		findings->fixes[j].offered &= used != NULL && used[j];
	free(used);
}

/* Is the same remedy at the same place among them? */
static bool is_known(const struct lint_finding *all, size_t count, const struct lint_finding *found)
{
	for (size_t i = 0; i < count; i++)
		if (all[i].place.line == found->place.line &&
		    strcmp(all[i].place.file, found->place.file) == 0 &&
		    strcmp(all[i].message, found->message) == 0)
			return true;
	return false;
}

/* Adds what Fortran's text decides to the findings of the checks, which read C and C++. */
static void add_fortran(struct race_fixes *fixes, const struct race_findings *findings,
    const struct race_words *words, struct inst_arena *arena)
{
	struct lint_report report = {
	    .findings = arena_allocate(arena, (findings->count + 1) * sizeof *report.findings)};
	const char *markers = "";

	for (size_t i = 0; i < findings->count; i++) {
		struct lint_finding *found = &report.findings[report.count];

		if (findings->items[i].verdict.standing != RACE_COUNTS ||
		    !fortran_remedy_find(
			arena, &findings->items[i], &words[i], fixes->witnesses[i].name, found) ||
		    is_known(report.findings, report.count, found))
			continue;
		report.count++;
		markers = arena_format(arena, "%s# 1 \"%s\"\n", markers, found->place.file);
	}
	findings_begin_unit(&fixes->run.findings,
	    &(struct text_file){.bytes = (char *)markers, .length = strlen(markers)});
	findings_add(&fixes->run.findings, &report);
}

int race_fixes_make(struct race_fixes *fixes, struct process_watch *watch, const char *command,
    const struct race_findings *findings, const struct race_words *words, struct inst_arena *arena,
    char **error)
{
	int code;

	*fixes = (struct race_fixes){.options = {.checks = lint_race_checks(), .fix = true}};
	*error = NULL;
	if (command != NULL)
		words_add_text(&fixes->command, command);
	else
		add_files(&fixes->command, findings);
	if (words_vector(&fixes->command) == NULL || !make_witnesses(fixes, findings, words))
		return -1;
	fixes->options.checks |= LINT_BIT(LINT_FLAG_WRITE);
	fixes->compiler_words = compiler_find(
	    (const char *const *)fixes->command.items, SEARCH_ALL, &fixes->compiler, error, &code);
	if (fixes->compiler_words == 0 || scratch_init(&fixes->run.scratch) != 0)
		return -1;
	fixes->run.options = &fixes->options;
	fixes->run.watch = *watch;
	fixes->run.aside = true;
	fixes->run.witnesses = fixes->witnesses;
	fixes->run.witness_count = fixes->race_count;
	lint_check_command(&fixes->run, &fixes->compiler,
	    (const char *const *)fixes->command.items + fixes->compiler_words, true);
	watch->interrupted = fixes->run.watch.interrupted;
	add_fortran(fixes, findings, words, arena);
	finding_fixes_make(&fixes->run.findings, &fixes->patch);
	choose_findings(fixes, words);
	finding_fixes_collect(&fixes->run.findings, &fixes->patch, FINDING_ALL);
	return 0;
}

/* One change in the words of a remedy. */
static const char *change_text(struct inst_arena *arena, const struct lint_fix *fix)
{
	const char *file = race_short_path(fix->place.file);
	const int line = fix->place.line;

	switch (fix->change) {
	case LINT_CHANGE_ADD:
		return arena_format(arena, "%s on '%s' at %s:%d", fix->text, fix->at, file, line);
	case LINT_CHANGE_REMOVE:
		return arena_format(
		    arena, "'%s' at %s:%d without %s", fix->at, file, line, fix->text);
	case LINT_CHANGE_NAME:
		return arena_format(arena, "'critical%s%s%s' at %s:%d",
		    fix->text[0] != '\0' ? "(" : "", fix->text, fix->text[0] != '\0' ? ")" : "",
		    file, line);
	case LINT_CHANGE_OTHER:
		return arena_format(
		    arena, "'%s' instead of '%s' at %s:%d", fix->text, fix->at, file, line);
	default:
		return arena_format(arena, "'%s %s' in front of line %d",
		    language_of_file(file, 0) == LANGUAGE_FORTRAN ? "!$omp" : "#pragma omp",
		    fix->text, line);
	}
}

/* Behind "'#pragma omp " or "'!$omp "; NULL if the remedy is a clause. */
static const char *named_directive(const char *remedy)
{
	const char *at = strstr(remedy, "omp ");

	return remedy[0] == '\'' && at != NULL && at - remedy <= (long)strlen("'#pragma ")
		   ? at + strlen("omp ")
		   : NULL;
}

/* Does the remedy not contradict the one that is decided: two clauses, or two forms of atomic? */
static bool may_stay(const char *remedy, const char *decided)
{
	const char *directive = named_directive(remedy), *also = named_directive(decided);

	if (strcmp(remedy, decided) == 0)
		return false;
	if (also != NULL && strncmp(also, "atomic", strlen("atomic")) == 0)
		return directive == NULL || strncmp(directive, "atomic", strlen("atomic")) != 0;
	return also != NULL || strchr(decided, '(') == NULL || directive != NULL;
}

/* Copies the edits of the race's remedy, with their places. */
static void add_edits(const struct race_fixes *fixes, const struct finding_fix *fix,
    struct inst_arena *arena, struct race_words *words)
{
	struct race_edit *edits = arena_allocate(arena, (fix->count + 1) * sizeof *edits);

	for (size_t i = 0; i < fix->count; i++) {
		const struct patch_edit *edit = &fix->edits[i].edit;
		const struct patch_file *file = &fixes->patch.files[fix->edits[i].file];
		size_t line, column, end_line, end_column;

		patch_place(file, edit->begin, &line, &column);
		patch_place(file, edit->end, &end_line, &end_column);
		edits[i] =
		    (struct race_edit){file->name, line, column, end_line, end_column, edit->text};
	}
	words->edits = edits;
	words->edit_count = fix->count;
}

void race_fixes_advise(
    const struct race_fixes *fixes, size_t race, struct inst_arena *arena, struct race_words *words)
{
	const struct race_words old = *words;
	const struct lint_finding *finding;
	const char *text = NULL;
	bool others = true; /* other remedies stay */

	if (!race_fixes_has(fixes, race))
		return;
	finding = &fixes->run.findings.all[fixes->finding[race]];
	if (finding->fix_count == 0)
		return;
	for (size_t i = 0; i < finding->fix_count; i++) {
		const char *more = change_text(arena, &finding->fixes[i]);

		if (finding->fixes[i].change > LINT_CHANGE_BEFORE) { /* of statements */
			text = finding->note;
			others = false;
			break;
		}
		text = text == NULL ? more : arena_format(arena, "%s, %s", text, more);
	}
	words->remedies[0] = text;
	words->remedy_count = 1;
	if (fixes->wanted)
		add_edits(fixes, &fixes->run.findings.fixes[fixes->finding[race]], arena, words);
	for (unsigned i = 0; i < old.remedy_count && others; i++)
		if (may_stay(old.remedies[i], text) && words->remedy_count < RACE_MOST_REMEDIES)
			words->remedies[words->remedy_count++] = old.remedies[i];
}

bool race_fixes_has(const struct race_fixes *fixes, size_t race)
{
	return fixes->finding[race] != RACE_NOT_FIXED &&
	       fixes->run.findings.fixes[fixes->finding[race]].offered;
}

size_t race_fixes_count(const struct race_fixes *fixes, size_t only)
{
	size_t count = 0;

	for (size_t i = 0; i < fixes->race_count; i++)
		count +=
		    race_fixes_has(fixes, i) && (only == FINDING_ALL || only == fixes->finding[i]);
	return count;
}

void race_fixes_finish(struct race_fixes *fixes)
{
	for (size_t i = 0; i < fixes->race_count && fixes->witnesses != NULL; i++)
		free((char *)fixes->witnesses[i].name);
	free(fixes->witnesses);
	free(fixes->finding);
	patch_finish(&fixes->patch);
	findings_finish(&fixes->run.findings);
	scratch_finish(&fixes->run.scratch);
	compiler_finish(&fixes->compiler);
	words_finish(&fixes->command);
}
