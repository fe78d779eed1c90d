/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads suppression files strictly: a kind that ThreadSanitizer does not know is an error. */
#include "suppressions.h"

#include "error-text.h"
#include "text-file.h"

#include "shared/array.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum suppression_kind kind;
} kinds[] = {
    {"race", SUPPRESSES_RACE},
    {"race_top", SUPPRESSES_RACE_TOP},
    {"called_from_lib", SUPPRESSES_LIBRARY},
    {"mutex", SUPPRESSES_OTHERS},
    {"thread", SUPPRESSES_OTHERS},
    {"signal", SUPPRESSES_OTHERS},
    {"deadlock", SUPPRESSES_DEADLOCK},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The pattern in the form of fnmatch() (heap): open ends are explicit, and only '*' is special. */
static char *close_pattern(const char *pattern)
{
	const bool begins = pattern[0] == '^';
	size_t length = strlen(pattern += begins), end = 0;
	const bool ends = length > 0 && pattern[length - 1] == '$';
	char *closed = malloc(2 * length + 3);

	if (closed == NULL)
		return NULL;
	if (!begins)
		closed[end++] = '*';
	for (size_t i = 0; i < length - ends; i++) {
		if (strchr("?[\\", pattern[i]) != NULL)
			closed[end++] = '\\';
		closed[end++] = pattern[i];
	}
	if (!ends)
		closed[end++] = '*';
	closed[end] = '\0';
	return closed;
}

/* Reads a line that is neither empty nor a comment. */
static bool read_line(const char *text, int number, struct suppressions *suppressions, char **error)
{
	const size_t length = strcspn(text, ":");
	struct suppression suppression = {.line = number};
	size_t kind = 0;

	while (kind < KINDS &&
	       (strlen(kinds[kind].name) != length || strncmp(kinds[kind].name, text, length) != 0))
		kind++;
	if (kind == KINDS || text[length] == '\0')
		return error_set(error,
		    "%s:%d: '%.*s' is no kind of suppression: expected 'KIND:PATTERN' with race, "
		    "race_top, called_from_lib, mutex, thread, signal or deadlock",
		    suppressions->path, number, (int)length, text);
	if (text[length + 1] == '\0')
		return error_set(error, "%s:%d: expected a pattern behind '%s'", suppressions->path,
		    number, text);
	suppression.kind = kinds[kind].kind;
	suppression.text = strdup(text);
	suppression.pattern = close_pattern(text + length + 1);
	if (suppression.text != NULL && suppression.pattern != NULL &&
	    ARRAY_PUSH(suppressions->all, suppressions->count, suppressions->capacity, suppression))
		return true;
	free(suppression.text);
	free(suppression.pattern);
	return false;
}

bool suppressions_read(const char *path, struct suppressions *suppressions, char **error)
{
	struct text_file file;
	bool is_read = true;
	int number = 0;

	*suppressions = (struct suppressions){.path = path};
	*error = NULL;
	if (text_file_read(path, &file) != 0)
		return error_set(
		    error, "cannot read the suppressions '%s': %s", path, strerror(errno));
	for (char *at = file.bytes, *next; at != NULL && is_read; at = next) {
		next = strchr(at, '\n');
		if (next != NULL)
			*next++ = '\0';
		number++;
		at += strspn(at, " \t\r");
		for (size_t end = strlen(at); end > 0 && strchr(" \t\r", at[end - 1]) != NULL;)
			at[--end] = '\0';
		if (at[0] != '\0' && at[0] != '#')
			is_read = read_line(at, number, suppressions, error);
	}
	text_file_finish(&file);
	if (!is_read)
		suppressions_finish(suppressions);
	return is_read;
}

bool suppression_fits(const struct suppression *suppression, const char *name)
{
	return name != NULL && name[0] != '\0' && fnmatch(suppression->pattern, name, 0) == 0;
}

void suppressions_finish(struct suppressions *suppressions)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		free(suppressions->all[i].text);
		free(suppressions->all[i].pattern);
	}
	free(suppressions->all);
	*suppressions = (struct suppressions){0};
}
