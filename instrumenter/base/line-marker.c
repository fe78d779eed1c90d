/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads line markers. A line that is not exactly in the form that compilers write is not a marker.
 */
#include "line-marker.h"

#include <stdlib.h>
#include <string.h>

bool line_marker_read(const char *at, const char *end, struct line_marker *marker)
{
	char *after;

	if (end - at < 6 || at[0] != '#' || at[1] != ' ' || at[2] < '0' || at[2] > '9')
		return false;
	long line = strtol(at + 2, &after, 10);
	if (after + 2 > end || after[0] != ' ' || after[1] != '"')
		return false;
	const char *name = after + 2;
	const char *quote = memchr(name, '"', (size_t)(end - name));
	*marker = (struct line_marker){name, quote != NULL ? (size_t)(quote - name) : 0, (int)line};
	return true;
}

bool line_marker_names(const struct line_marker *marker, const char *file, size_t length)
{
	return marker->file_length == length && memcmp(marker->file, file, length) == 0;
}
