/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the settings of a search. Those that were compared with other settings than the program's
 * own say nothing about the program, and are left out; so are settings without an interval.
 */
#include "tried-file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/json-reader.h"
#include "memory.h"
#include "streams.h"
#include "whole-file.h"

#define LOOPS "POMP_LOOP_SCHEDULES"

/* The setting that is read. */
struct entry {
	struct summary_tried tried;
	char *schedules; /* of single loops; NULL: it sets other variables */
	size_t variables, number;
	bool is_compared; /* with the unchanged program */
};

struct reading {
	struct tried_file *file;
	struct entry entry;
	bool is_tune; /* the document has what tune writes */
};

/* Splits "solver.c:12=dynamic,4"; several loops are no single one. */
static void read_loop(struct entry *entry)
{
	char *equals = entry->schedules ? strrchr(entry->schedules, '=') : NULL;
	char *colon;

	if (!equals || entry->variables != 1 || strchr(entry->schedules, ';'))
		return;
	*equals = '\0';
	colon = strrchr(entry->schedules, ':');
	if (!colon)
		return;
	*colon = '\0';
	entry->tried.file = entry->schedules;
	entry->tried.line = atoi(colon + 1);
	entry->tried.schedule = equals + 1;
}

static void free_entry(struct summary_tried *tried, char *schedules)
{
	free((char *)tried->setting);
	free(schedules);
}

static void end_entry(struct reading *reading)
{
	struct entry *entry = &reading->entry;

	read_loop(entry);
	if (entry->tried.setting && entry->is_compared && entry->tried.gain > 0) {
		struct tried_file *file = reading->file;
		if (!entry->tried.file) {
			free(entry->schedules);
			entry->tried.file = NULL;
		}
		*MEMORY_ADD(file->tried, file->capacity, file->count) = entry->tried;
	} else {
		free_entry(&entry->tried, entry->schedules);
	}
	*entry = (struct entry){.number = entry->number + 1};
}

/* "null" is 0: not known. */
static double number_of(const char *text)
{
	double value = strtod(text, NULL);

	return isfinite(value) && value > 0 ? value : 0;
}

static void visit(void *context, const char *path, const char *text)
{
	struct reading *reading = context;
	struct entry *entry = &reading->entry;
	const char *key;
	char *end;

	reading->is_tune |= strcmp(path, "min_gain") == 0;
	if (strncmp(path, "settings/", strlen("settings/")) != 0)
		return;
	size_t number = strtoull(path + strlen("settings/"), &end, 10);
	if (*end != '/')
		return;
	key = end + 1;
	while (entry->number < number)
		end_entry(reading);
	if (strcmp(key, "setting") == 0 && !entry->tried.setting)
		entry->tried.setting = memory_copy_text(text);
	else if (strcmp(key, "against") == 0)
		entry->is_compared = strcmp(text, "unchanged") == 0;
	else if (strcmp(key, "gain") == 0)
		entry->tried.gain = number_of(text);
	else if (strcmp(key, "low") == 0)
		entry->tried.low = number_of(text);
	else if (strcmp(key, "high") == 0)
		entry->tried.high = number_of(text);
	else if (strncmp(key, "ratios/", strlen("ratios/")) == 0)
		entry->tried.pairs++;
	else if (strncmp(key, "variables/", strlen("variables/")) == 0)
		entry->variables++;
	if (strcmp(key, "variables/" LOOPS) == 0 && !entry->schedules)
		entry->schedules = memory_copy_text(text);
}

int tried_file_read(struct tried_file *file, const char *path)
{
	struct reading reading = {.file = file};
	size_t length;
	char *bytes;
	bool is_read;

	*file = (struct tried_file){0};
	if (!path)
		return 0;
	bytes = whole_file_read(path, &length);
	if (!bytes) {
		fprintf(
		    stream_messages(), "ompreport: cannot read '%s': %s\n", path, strerror(errno));
		return -1;
	}
	is_read = json_read(bytes, length, visit, &reading) == 0 && reading.is_tune;
	end_entry(&reading);
	free(bytes);
	if (is_read)
		return 0;
	fprintf(stream_messages(),
	    "ompreport: '%s': expected what `ompinst tune --json` prints; nothing is reported\n",
	    path);
	tried_file_free(file);
	return -1;
}

void tried_file_free(struct tried_file *file)
{
	for (size_t i = 0; i < file->count; i++)
		free_entry(&file->tried[i], (char *)file->tried[i].file);
	free(file->tried);
	*file = (struct tried_file){0};
}
