/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Line numbers from an archive may have any value, so the code compares differences before it adds.
 */
#include "excerpts.h"

#include <limits.h>

static int line_of(
    const struct annotations *annotations, const struct annotated_file *file, size_t index)
{
	return annotations->annotations[file->first + index].line;
}

bool excerpt_next(struct excerpt *excerpt, const struct annotations *annotations,
    const struct annotated_file *file, int context)
{
	size_t at = excerpt->annotation + excerpt->regions, end = at + 1;
	int shown = excerpt->last, line, first, next;

	if (at >= file->count)
		return false;
	line = line_of(annotations, file, at);
	while (end < file->count && line_of(annotations, file, end) == line)
		end++;
	next = end < file->count ? line_of(annotations, file, end) : INT_MAX;
	first = line - context > shown ? line - context : shown + 1;
	*excerpt = (struct excerpt){.first = first,
	    .line = line,
	    .last = next - line > context ? line + context : next - 1,
	    .skipped = shown > 0 ? first - shown - 1 : 0,
	    .annotation = at,
	    .regions = end - at};
	return true;
}
