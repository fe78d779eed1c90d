/* SPDX-License-Identifier: BSD-3-Clause */
/* Which remedies are offered: those whose edits are all possible, and exclude no others. */
#include "finding-fixes.h"

#include "fix-edits.h"
#include "shared/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool removes_items(const struct lint_fix *fix)
{
	return fix->change == LINT_CHANGE_REMOVE && strchr(fix->text, '(') != NULL;
}

/* Are both changes of the same clause of the same directive? */
static bool same_clause(const struct lint_fix *one, const struct lint_fix *other)
{
	const size_t length = strcspn(one->text, "(") + 1;

	return removes_items(other) && one->place.line == other->place.line &&
	       strcmp(one->place.file, other->place.file) == 0 &&
	       strncmp(one->text, other->text, length) == 0;
}

/*
 * The edit of one change. Items that several findings remove from one list are one edit of all
 * these findings, because a comma belongs to two items.
 */
static bool make_edit(const struct findings *findings, struct patch *patch,
    const struct lint_fix *fix, struct finding_edit *edit)
{
	struct lint_fix all = *fix;
	char *text = NULL;
	size_t length;
	FILE *out;

	if (!removes_items(fix))
		return fix_edit_make(patch, fix, &edit->file, &edit->edit);
	out = open_memstream(&text, &length);
	*edit = (struct finding_edit){0};
	if (out == NULL)
		return false;
	fprintf(out, "%.*s(", (int)strcspn(fix->text, "("), fix->text);
	for (size_t i = 0; i < findings->count; i++)
		for (size_t j = 0; j < findings->all[i].fix_count; j++) {
			const struct lint_fix *other = &findings->all[i].fixes[j];
			if (same_clause(fix, other))
				fprintf(out, "%.*s, ",
				    (int)strcspn(strchr(other->text, '(') + 1, ")"),
				    strchr(other->text, '(') + 1);
		}
	fputc(')', out);
	bool made = fclose(out) == 0;
	all.text = text;
	made = made && fix_edit_make(patch, &all, &edit->file, &edit->edit);
	free(text);
	return made;
}

static void make_edits(struct findings *findings, struct patch *patch, size_t number)
{
	const struct lint_finding *finding = &findings->all[number];
	struct finding_fix *fix = &findings->fixes[number];

	fix->offered = finding->fix_count > 0 && !fix->known && !fix->unchanged &&
		       findings_agree(findings, number);
	for (size_t i = 0; i < finding->fix_count && fix->offered; i++) {
		struct finding_edit edit;

		fix->offered = make_edit(findings, patch, &finding->fixes[i], &edit);
		if (finding->fixes[i].change >= LINT_CHANGE_NOTHING)
			continue;
		if (fix->offered && !ARRAY_PUSH(fix->edits, fix->count, fix->capacity, edit))
			fix->offered = false;
		if (!fix->offered)
			free(edit.edit.text);
	}
}

static bool conflict(const struct finding_fix *one, const struct finding_fix *other)
{
	for (size_t i = 0; i < one->count; i++)
		for (size_t j = 0; j < other->count; j++)
			if (one->edits[i].file == other->edits[j].file &&
			    patch_edits_conflict(&one->edits[i].edit, &other->edits[j].edit))
				return true;
	return false;
}

void finding_fixes_make(struct findings *findings, struct patch *patch)
{
	bool *excluded = calloc(findings->count + 1, sizeof *excluded);

	for (size_t i = 0; i < findings->count; i++)
		make_edits(findings, patch, i);
	for (size_t i = 0; i < findings->count && excluded != NULL; i++)
		for (size_t j = 0; j < i; j++)
			if (findings->fixes[i].offered && findings->fixes[j].offered &&
			    conflict(&findings->fixes[i], &findings->fixes[j]))
				excluded[i] = excluded[j] = true;
	for (size_t i = 0; i < findings->count; i++)
		findings->fixes[i].offered &= excluded != NULL && !excluded[i];
	free(excluded);
}

void finding_fixes_collect(const struct findings *findings, struct patch *patch, size_t only)
{
	patch_clear(patch);
	for (size_t i = 0; i < findings->count; i++)
		for (size_t j = 0; j < findings->fixes[i].count; j++)
			if (findings->fixes[i].offered && (only == FINDING_ALL || only == i))
				patch_add(patch, findings->fixes[i].edits[j].file,
				    &findings->fixes[i].edits[j].edit);
}

size_t finding_fixes_offered(const struct findings *findings)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->fixes[i].offered;
	return count;
}
