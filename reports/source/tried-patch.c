/* SPDX-License-Identifier: BSD-3-Clause */
/* Only loops of the archive are changed: their regions have the paths of the source files. */
#include "tried-patch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/summary-figures.h"
#include "memory.h"
#include "schedule-edit.h"
#include "streams.h"
#include "whole-file.h"

/* The best sure gain of the region's loop, or NULL. */
static const struct summary_tried *best_of(
    const struct summary *summary, const struct summary_region *region)
{
	const struct summary_tried *best = NULL;

	for (size_t i = 0; i < summary->tried_count; i++) {
		const struct summary_tried *tried = &summary->tried[i];

		if (tried->file && tried->low > 1 && tried->line == region->begin_line &&
		    strcmp(summary_base_name(tried->file), summary_base_name(region->file)) == 0 &&
		    (!best || tried->gain > best->gain))
			best = tried;
	}
	return best;
}

/* Has an earlier region of the summary the same place? */
static bool is_repeated(const struct summary *summary, size_t number)
{
	const struct summary_region *region = &summary->regions[number];

	for (size_t i = 0; i < number; i++)
		if (summary->regions[i].file &&
		    summary->regions[i].begin_line == region->begin_line &&
		    strcmp(summary->regions[i].file, region->file) == 0)
			return true;
	return false;
}

/* Inserts the edit by its place. */
static void add_edit(struct patch_edit *edits, size_t *count, struct patch_edit edit)
{
	size_t at = (*count)++;

	for (; at > 0 && edits[at - 1].begin > edit.begin; at--)
		edits[at] = edits[at - 1];
	edits[at] = edit;
}

/* Prints the changes of one file, that of the first region; returns how many there are. */
static size_t print_file(FILE *out, const struct summary *summary, size_t first)
{
	const char *path = summary->regions[first].file;
	struct patch_edit *edits = memory_new(summary->region_count, sizeof(edits[0]));
	struct patch_text text = {.name = path, .edits = edits};
	char *bytes = whole_file_read(path, &text.length);
	const char *unread = bytes ? NULL : strerror(errno);

	for (size_t i = first; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];
		const struct summary_tried *tried = region->file && strcmp(region->file, path) == 0
							? best_of(summary, region)
							: NULL;
		struct patch_edit edit;
		const char *problem;

		if (!tried || is_repeated(summary, i))
			continue;
		problem = unread ? unread
				 : schedule_edit_make(bytes, text.length, region->begin_line,
				       tried->schedule, &edit);
		if (problem)
			fprintf(stream_messages(),
			    "ompreport annotate: %s:%d: schedule(%s) is left out: %s\n", path,
			    region->begin_line, tried->schedule, problem);
		else
			add_edit(edits, &text.count, edit);
	}
	text.bytes = bytes;
	if (text.count > 0)
		patch_text_print(out, &text);
	for (size_t i = 0; i < text.count; i++)
		free(edits[i].text);
	free(edits);
	free(bytes);
	return text.count;
}

size_t tried_patch_print(FILE *out, const struct summary *summary)
{
	size_t changes = 0;

	for (size_t i = 0; i < summary->region_count; i++) {
		bool known = !summary->regions[i].file || !best_of(summary, &summary->regions[i]);

		for (size_t j = 0; j < i && !known; j++)
			known = summary->regions[j].file &&
				best_of(summary, &summary->regions[j]) &&
				strcmp(summary->regions[j].file, summary->regions[i].file) == 0;
		if (!known)
			changes += print_file(out, summary, i);
	}
	return changes;
}
