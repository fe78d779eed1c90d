/* SPDX-License-Identifier: BSD-3-Clause */
/* Which remedies are offered: those whose edits are all possible, and exclude no others. */
#include "finding-fixes.h"

#include "fix-edits.h"
#include "shared/array.h"

#include <stdlib.h>

static void make_edits(struct findings *findings, struct patch *patch, size_t number)
{
	const struct lint_finding *finding = &findings->all[number];
	struct finding_fix *fix = &findings->fixes[number];

	fix->offered = finding->fix_count > 0 && findings_agree(findings, number);
	for (size_t i = 0; i < finding->fix_count && fix->offered; i++) {
		struct finding_edit edit;

		fix->offered = fix_edit_make(patch, &finding->fixes[i], &edit.file, &edit.edit);
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
