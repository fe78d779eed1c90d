/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the times of each loop in a summary, and finds the regions. */
#include "loop-order.h"

#include "shared/array.h"
#include "summary-rows.h"
#include "text-file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct timed_loop {
	const char *loop;
	unsigned long long time; /* 0: it is not in the summary */
};

/* Adds the time of a line, if it is that of a loop. */
static void add_time(struct timed_loop *timed, size_t count, char *columns[SUMMARY_TIME + 1])
{
	size_t file = strlen(columns[SUMMARY_FILE]), line = strlen(columns[SUMMARY_LINE]);

	if (strcmp(columns[SUMMARY_KIND], "region") != 0 ||
	    strcmp(columns[SUMMARY_NAME], "for") != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		const char *loop = timed[i].loop;

		if (strncmp(loop, columns[SUMMARY_FILE], file) == 0 && loop[file] == ':' &&
		    strncmp(loop + file + 1, columns[SUMMARY_LINE], line) == 0 &&
		    loop[file + 1 + line] == '=')
			timed[i].time += strtoull(columns[SUMMARY_TIME], NULL, 10);
	}
}

static int compare_times(const void *one, const void *other)
{
	const struct timed_loop *first = one, *second = other;

	return (first->time < second->time) - (first->time > second->time);
}

/* Adds the region of a line, if it is a parallel one. */
static void add_region(struct timed_loop **regions, size_t *count, size_t *room, char *columns[])
{
	struct timed_loop region = {.time = strtoull(columns[SUMMARY_TIME], NULL, 10)};
	char *name;

	if (strcmp(columns[SUMMARY_KIND], "region") != 0 ||
	    strcmp(columns[SUMMARY_NAME], "parallel") != 0 || region.time == 0 ||
	    asprintf(&name, "%s:%s", columns[SUMMARY_FILE], columns[SUMMARY_LINE]) < 0)
		return;
	region.loop = name;
	if (!ARRAY_PUSH(*regions, *count, *room, region))
		free(name);
}

/* Puts those that took time into the list, most first. */
static void replace(struct words *list, struct timed_loop *timed, size_t count)
{
	struct words sorted = {0};

	if (count > 0)
		qsort(timed, count, sizeof *timed, compare_times);
	for (size_t i = 0; i < count; i++)
		if (timed[i].time > 0)
			words_add(&sorted, timed[i].loop);
	words_finish(list);
	*list = sorted;
}

static void sort(struct timed_loop *timed, struct words *loops, struct words *regions, char *text)
{
	struct timed_loop *found = NULL;
	size_t count = 0, room = 0;
	char *columns[SUMMARY_TIME + 1];

	for (size_t i = 0; i < loops->count; i++)
		timed[i].loop = loops->items[i];
	for (char *line = text, *next; line != NULL; line = next) {
		if (!summary_row_read(line, columns, SUMMARY_TIME + 1, &next))
			continue;
		add_time(timed, loops->count, columns);
		add_region(&found, &count, &room, columns);
	}
	replace(loops, timed, loops->count);
	replace(regions, found, count);
	for (size_t i = 0; i < count; i++)
		free((char *)(uintptr_t)found[i].loop);
	free(found);
}

bool loop_order_by_time(struct words *loops, struct words *regions, const char *path, char **error)
{
	struct text_file file;
	int made = -1;

	if (text_file_read(path, &file) != 0) {
		if (asprintf(error, "cannot read the summary '%s': %s", path,
			errno == EINVAL ? "it is not a regular file" : strerror(errno)) < 0)
			*error = NULL;
		return false;
	}
	struct timed_loop *timed = calloc(loops->count + 1, sizeof *timed);
	bool is_summary = summary_rows_begin(file.bytes);
	if (!is_summary)
		made = asprintf(error,
		    "'%s' is no summary in CSV, which a run with POMP_SUMMARY=FILE and "
		    "POMP_SUMMARY_FORMAT=csv writes",
		    path);
	else if (timed != NULL)
		sort(timed, loops, regions, file.bytes);
	if (made < 0)
		*error = NULL;
	bool is_done = is_summary && timed != NULL;
	free(timed);
	text_file_finish(&file);
	return is_done;
}
