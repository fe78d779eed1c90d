/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the mark and its reason by the line's text alone. */
#include "allow-comment.h"

#include <ctype.h>
#include <string.h>

static const char mark[] = "omp race: allow";

bool allow_comment_find(const char *line, size_t length, struct allow_comment *comment)
{
	const char *end = line + length;
	const char *at = memmem(line, length, mark, strlen(mark));

	if (at == NULL)
		return false;
	comment->offset = (size_t)(at - line);
	at += strlen(mark);
	/* "omp race: allowed" is another word. */
	if (at < end && (isalnum((unsigned char)*at) || *at == '_'))
		return false;
	for (const char *close = at; close + 1 < end; close++)
		if (close[0] == '*' && close[1] == '/')
			end = close;
	while (at < end && (*at == ':' || *at == ' ' || *at == '\t'))
		at++;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	comment->reason = at;
	comment->reason_length = (size_t)(end - at);
	return true;
}
