/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the rows of the regions; their times are sums over threads. */
#include "region-time.h"

#include "summary-rows.h"
#include "text-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 6 }; /* regions that a message names */

/* Is it the text "FILE:LINE", with FILE or the end of its path? Returns what follows, or NULL. */
static const char *match_place(const char *name, char *columns[])
{
	const char *file = columns[SUMMARY_FILE], *line = columns[SUMMARY_LINE],
		   *colon = strrchr(name, ':');
	size_t length = strlen(file), given = colon != NULL ? (size_t)(colon - name) : 0;

	if (given == 0 || given > length || memcmp(file + length - given, name, given) != 0 ||
	    (given < length && file[length - given - 1] != '/') ||
	    strncmp(colon + 1, line, strlen(line)) != 0)
		return NULL;
	return colon + 1 + strlen(line);
}

static bool is_named(const char *name, char *columns[])
{
	const char *rest = match_place(name, columns), *construct = columns[SUMMARY_NAME];

	if (rest != NULL &&
	    (rest[0] == '\0' || (rest[0] == ' ' && strcmp(rest + 1, construct) == 0)))
		return true;
	return strcmp(name, construct) == 0 || (columns[SUMMARY_SUB_NAME][0] != '\0' &&
						   strcmp(name, columns[SUMMARY_SUB_NAME]) == 0);
}

static void list_region(FILE *out, size_t number, char *columns[])
{
	if (number < LISTED)
		fprintf(out, "%s%s:%s %s", number > 0 ? ", " : "", columns[SUMMARY_FILE],
		    columns[SUMMARY_LINE], columns[SUMMARY_NAME]);
	else if (number == LISTED)
		fputs(" and others", out);
}

/* The time in the rows of the text, which is cut; *regions: those that there are (heap). */
static double find_time(char *text, const char *name, char **regions)
{
	char *columns[SUMMARY_COLUMNS];
	double found = 0;
	size_t count = 0, length;
	FILE *out = open_memstream(regions, &length);

	for (char *line = text, *next; line != NULL && out != NULL; line = next) {
		if (summary_row_read(line, columns, &next) <= SUMMARY_THREADS ||
		    strcmp(columns[SUMMARY_KIND], "region") != 0)
			continue;
		double time = strtod(columns[SUMMARY_TIME], NULL),
		       threads = strtod(columns[SUMMARY_THREADS], NULL);
		if (is_named(name, columns) && threads >= 1 && time / threads > found)
			found = time / threads;
		list_region(out, count++, columns);
	}
	if (out == NULL || fclose(out) != 0)
		*regions = NULL;
	return found * 1e-9;
}

double region_time_read(const char *path, const char *name, char **problem)
{
	struct text_file file;
	char *regions = NULL;
	double seconds = 0;
	int made = 0;

	if (text_file_read(path, &file) != 0 || !summary_rows_begin(file.bytes)) {
		made = asprintf(problem,
		    "left no summary, from which the time of region '%s' would "
		    "come: it is not built by ompinst, or measures nothing",
		    name);
	} else if ((seconds = find_time(file.bytes, name, &regions)) <= 0) {
		made = asprintf(problem, "has executed no region '%s', %s%s", name,
		    regions != NULL && regions[0] != '\0' ? "but " : "nor any other",
		    regions != NULL ? regions : "");
	}
	if (made < 0)
		*problem = NULL;
	text_file_finish(&file);
	free(regions);
	return seconds;
}
