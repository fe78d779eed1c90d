/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the times of each loop in a summary, and finds the regions. */
#include "loop-order.h"

#include "shared/array.h"
#include "summary-rows.h"
#include "text-file.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct timed_place {
	const char *name;
	double time;  /* of all threads; 0: it is not in the summary */
	double bound; /* the time that its slowest thread is in it; 0: not known */
};

struct timed_places {
	struct timed_place *places;
	size_t count, room;
};

/* Adds the times of a row to a place. */
static void add_row(struct timed_place *place, char *columns[], size_t count)
{
	double time = strtod(columns[SUMMARY_TIME], NULL);

	place->time += time;
	if (count < SUMMARY_COLUMNS)
		return;
	double threads = strtod(columns[SUMMARY_THREADS], NULL);
	double most = strtod(columns[SUMMARY_MOST_WORK], NULL);
	place->bound = fmax(place->bound, fmax(most, threads >= 1 ? time / threads : time));
}

/* Is "FILE:LINE=..." or "FILE:LINE" at the row's place? */
static bool is_at(const char *name, char *columns[])
{
	size_t file = strlen(columns[SUMMARY_FILE]), line = strlen(columns[SUMMARY_LINE]);

	return strncmp(name, columns[SUMMARY_FILE], file) == 0 && name[file] == ':' &&
	       strncmp(name + file + 1, columns[SUMMARY_LINE], line) == 0 &&
	       (name[file + 1 + line] == '=' || name[file + 1 + line] == '\0');
}

static bool is_row_of(const char *construct, char *columns[])
{
	return strcmp(columns[SUMMARY_KIND], "region") == 0 &&
	       strcmp(columns[SUMMARY_NAME], construct) == 0;
}

/* The wait at the end of a `parallel for` is the region's. */
static void add_to_loops(struct timed_places *loops, char *columns[], size_t count)
{
	bool is_loop = is_row_of("for", columns), is_region = is_row_of("parallel", columns);

	for (size_t i = 0; i < loops->count; i++) {
		struct timed_place *place = &loops->places[i];
		double time = place->time;

		if ((is_loop || is_region) && is_at(place->name, columns))
			add_row(place, columns, count);
		if (is_region)
			place->time = time;
	}
}

static void add_region(struct timed_places *regions, char *columns[], size_t count)
{
	struct timed_place region = {.time = 0};
	char *name;

	if (!is_row_of("parallel", columns) ||
	    asprintf(&name, "%s:%s", columns[SUMMARY_FILE], columns[SUMMARY_LINE]) < 0)
		return;
	region.name = name;
	add_row(&region, columns, count);
	if (!ARRAY_PUSH(regions->places, regions->count, regions->room, region))
		free(name);
}

static int compare_times(const void *one, const void *other)
{
	const struct timed_place *first = one, *second = other;

	return (first->time < second->time) - (first->time > second->time);
}

/* Puts those that took time enough into the list, most first. Returns how many are too short. */
static size_t replace(struct words *list, struct timed_places *timed, double least)
{
	struct words sorted = {0};
	size_t removed = 0;

	if (timed->count > 0)
		qsort(timed->places, timed->count, sizeof timed->places[0], compare_times);
	for (size_t i = 0; i < timed->count; i++) {
		const struct timed_place *place = &timed->places[i];
		bool is_short = place->bound > 0 && place->bound < least;
		removed += place->time > 0 && is_short;
		if (place->time > 0 && !is_short)
			words_add(&sorted, place->name);
	}
	words_finish(list);
	*list = sorted;
	return removed;
}

static void sort(struct ordered_places *places, struct timed_places *loops, char *text)
{
	struct timed_places regions = {.count = 0};
	char *columns[SUMMARY_COLUMNS];
	double wall = 0;

	for (char *line = text, *next; line != NULL; line = next) {
		size_t count = summary_row_read(line, columns, &next);
		if (count <= SUMMARY_TIME)
			continue;
		if (strcmp(columns[SUMMARY_KIND], "total") == 0 &&
		    strcmp(columns[SUMMARY_NAME], "wall") == 0)
			wall = strtod(columns[SUMMARY_TIME], NULL);
		if (strcmp(columns[SUMMARY_KIND], "region") == 0)
			places->visits += strtod(columns[SUMMARY_COUNT], NULL);
		add_to_loops(loops, columns, count);
		add_region(&regions, columns, count);
	}
	double least = wall * (1 - 1 / (1 + places->least_gain));
	places->removed = replace(places->loops, loops, least);
	places->removed += replace(places->regions, &regions, least);
	for (size_t i = 0; i < regions.count; i++)
		free((char *)(uintptr_t)regions.places[i].name);
	free(regions.places);
}

bool loop_order_by_time(struct ordered_places *places, const char *path, char **error)
{
	struct timed_places loops = {.count = places->loops->count};
	struct text_file file;
	int made = 0;

	if (text_file_read(path, &file) != 0) {
		if (asprintf(error, "cannot read the summary '%s': %s", path,
			errno == EINVAL ? "it is not a regular file" : strerror(errno)) < 0)
			*error = NULL;
		return false;
	}
	bool is_summary = summary_rows_begin(file.bytes);
	loops.places = calloc(loops.count + 1, sizeof loops.places[0]);
	*error = NULL;
	if (!is_summary)
		made = asprintf(error,
		    "'%s' is no summary in CSV, which a run with POMP_SUMMARY=FILE and "
		    "POMP_SUMMARY_FORMAT=csv writes",
		    path);
	if (made < 0)
		*error = NULL;
	for (size_t i = 0; i < loops.count && loops.places != NULL; i++)
		loops.places[i].name = places->loops->items[i];
	if (is_summary && loops.places != NULL)
		sort(places, &loops, file.bytes);
	bool is_done = is_summary && loops.places != NULL;
	free(loops.places);
	text_file_finish(&file);
	return is_done;
}
