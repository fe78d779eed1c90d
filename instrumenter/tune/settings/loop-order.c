/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the times of each loop in a summary. */
#include "loop-order.h"

#include "summary-rows.h"
#include "text-file.h"

#include <errno.h>
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

static void sort(struct timed_loop *timed, struct words *loops, char *text)
{
	struct words sorted = {0};
	char *columns[SUMMARY_TIME + 1];

	for (size_t i = 0; i < loops->count; i++)
		timed[i].loop = loops->items[i];
	for (char *line = text, *next; line != NULL; line = next) {
		if (summary_row_read(line, columns, SUMMARY_TIME + 1, &next))
			add_time(timed, loops->count, columns);
	}
	qsort(timed, loops->count, sizeof *timed, compare_times);
	for (size_t i = 0; i < loops->count; i++)
		if (timed[i].time > 0)
			words_add(&sorted, timed[i].loop);
	words_finish(loops);
	*loops = sorted;
}

bool loop_order_by_time(struct words *loops, const char *path, char **error)
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
		sort(timed, loops, file.bytes);
	if (made < 0)
		*error = NULL;
	bool is_done = is_summary && timed != NULL;
	free(timed);
	text_file_finish(&file);
	return is_done;
}
