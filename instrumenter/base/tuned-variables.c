/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of shared/tuned-file.h, and makes environments of what it says. */
#include "tuned-variables.h"

#include "shared/tuned-file.h"
#include "text-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* Returns false with *error for a line of another form; cuts the text into lines. */
static bool read_lines(const char *path, char *text, struct words *variables, char **error)
{
	unsigned number = 1;

	for (char *line = text, *next; line != NULL; line = next, number++) {
		char *begin;
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		switch (tuned_line_read(line, &begin)) {
		case TUNED_EMPTY:
			break;
		case TUNED_VARIABLE:
			words_add(variables, begin);
			break;
		case TUNED_WRONG:
			if (asprintf(error,
				"%s:%u: '%s': expected NAME=VALUE, as 'ompinst tune' writes it",
				path, number, begin) < 0)
				*error = NULL;
			return false;
		}
	}
	*error = NULL;
	return !variables->failed;
}

bool tuned_variables_read(const char *path, struct words *variables, char **error)
{
	struct text_file file;

	if (text_file_read(path, &file) != 0) {
		if (asprintf(error, "cannot read the settings '%s': %s", path,
			errno == EINVAL ? "it is not a regular file" : strerror(errno)) < 0)
			*error = NULL;
		return false;
	}
	bool read = read_lines(path, file.bytes, variables, error);
	text_file_finish(&file);
	return read;
}

void tuned_variables_add(struct words *list, const char *variable)
{
	const char *own = getenv(TUNED_LIST);
	size_t name = tuned_name(variable);

	/* Of equal items the last one holds. */
	if (own != NULL && own[0] != '\0' && name == strlen(TUNED_LIST) &&
	    strncmp(variable, TUNED_LIST, name) == 0)
		words_add_format(list, TUNED_LIST "=%s:%s", own, variable + name + 1);
	else
		words_add(list, variable);
}

void tuned_variables_environment(const struct words *variables, struct words *environment)
{
	for (char **entry = environ; *entry != NULL; entry++) {
		size_t name = strcspn(*entry, "=");
		bool replaced = false;
		for (size_t i = 0; i < variables->count; i++)
			replaced |= strncmp(variables->items[i], *entry, name + 1) == 0;
		if (!replaced)
			words_add(environment, *entry);
	}
	for (size_t i = 0; i < variables->count; i++)
		tuned_variables_add(environment, variables->items[i]);
}
