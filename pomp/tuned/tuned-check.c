/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file line by line; lines that are too long are of another form. */
#include "tuned-check.h"

#include "at-start.h"
#include "shared/tuned-file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LONGEST_LINE = 1024 };

static bool is_set(const char *variable)
{
	char name[LONGEST_LINE];
	size_t length = tuned_name(variable);

	memcpy(name, variable, length);
	name[length] = '\0';
	return tuned_holds(variable, getenv(name));
}

static void check_lines(const char *path, FILE *file, FILE *messages)
{
	char line[LONGEST_LINE], first[LONGEST_LINE] = "", *text;
	unsigned number = 0, differing = 0;

	while (fgets(line, sizeof(line), file) != NULL) {
		enum tuned_line kind = tuned_line_read(line, &text);
		number++;
		if (kind == TUNED_WRONG) {
			fprintf(messages,
			    "pomp: POMP_TUNED='%s': line %u is '%s', expected NAME=VALUE; the rest "
			    "is ignored\n",
			    path, number, text);
			break;
		}
		if (kind == TUNED_EMPTY || is_set(text))
			continue;
		if (differing++ == 0)
			memcpy(first, text, strlen(text) + 1);
	}
	if (differing > 0)
		fprintf(messages,
		    "pomp: POMP_TUNED='%s': the environment does not have %s%s; the program runs "
		    "without what was tuned; start it with 'ompinst run --tuned=FILE', or set them "
		    "before it starts\n",
		    path, first, differing > 1 ? " and others" : "");
}

void pomp_tuned_check(const char *path, FILE *messages)
{
	char *whole = pomp_at_start_path(path);
	FILE *file = whole != NULL ? fopen(whole, "re") : NULL;

	if (file != NULL) {
		check_lines(path, file, messages);
		fclose(file);
	} else {
		fprintf(messages, "pomp: POMP_TUNED='%s': %s; settings are not compared\n", path,
		    strerror(errno));
	}
	free(whole);
}
