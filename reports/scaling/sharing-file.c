/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the findings. One finding is a variable, whose cost is divided among its places in the
 * source by their accesses. What other machines would share (possible-false-sharing) costs nothing
 * here and is left out.
 */
#include "sharing-file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json-reader.h"
#include "common/summary-figures.h"
#include "memory.h"
#include "streams.h"
#include "whole-file.h"

struct place {
	char *file; /* of the construct, or of the access outside of all */
	int line;
	double accesses;
};

struct reading {
	struct sharing_file *file;
	bool is_sharing; /* the document has what sharing writes */
	/* The finding that is read. */
	size_t finding;
	bool is_possible;
	char *variable;
	double seconds;
	struct place *places;
	size_t count, room;
};

static void end_finding(struct reading *reading)
{
	double accesses = 0;

	for (size_t i = 0; i < reading->count; i++)
		accesses += reading->places[i].accesses;
	for (size_t i = 0; i < reading->count; i++) {
		struct place *place = &reading->places[i];
		struct sharing_file *file = reading->file;

		if (!reading->is_possible && accesses > 0 && reading->seconds > 0 && place->file &&
		    place->accesses > 0)
			*MEMORY_ADD(file->places, file->room, file->count) = (struct shared_place){
			    memory_print("%s:%d ", summary_base_name(place->file), place->line),
			    memory_copy_text(reading->variable ? reading->variable : "memory"),
			    1e9 * reading->seconds * place->accesses / accesses};
		free(place->file);
	}
	free(reading->variable);
	free(reading->places);
	*reading = (struct reading){.file = reading->file, .is_sharing = reading->is_sharing};
}

/* "null" and what is no number is 0. */
static double number_of(const char *text)
{
	double value = strtod(text, NULL);

	return isfinite(value) && value > 0 ? value : 0;
}

/* The access's own place comes first, and the construct around it takes its place. */
static void put_place(struct place *place, const char *key, const char *text)
{
	if (strcmp(key, "file") == 0 || strcmp(key, "construct/file") == 0) {
		free(place->file);
		place->file = memory_copy_text(text);
	} else if (strcmp(key, "line") == 0 || strcmp(key, "construct/line") == 0) {
		place->line = atoi(text);
	} else if (strcmp(key, "reads") == 0 || strcmp(key, "writes") == 0) {
		place->accesses += number_of(text);
	}
}

static void put_value(struct reading *reading, const char *key, const char *text)
{
	size_t number;
	int length = 0;

	if (strcmp(key, "kind") == 0)
		reading->is_possible = strncmp(text, "possible", strlen("possible")) == 0;
	else if (strcmp(key, "variable") == 0 && !reading->variable && strcmp(text, "null") != 0)
		reading->variable = memory_copy_text(text);
	else if (strcmp(key, "cost_seconds") == 0)
		reading->seconds = number_of(text);
	else if (sscanf(key, "places/%zu/%n", &number, &length) == 1 && length > 0) {
		if (number == reading->count)
			*MEMORY_ADD(reading->places, reading->room, reading->count) =
			    (struct place){0};
		if (number + 1 == reading->count)
			put_place(&reading->places[number], key + length, text);
	}
}

static void visit(void *context, const char *path, const char *text)
{
	struct reading *reading = context;
	size_t finding;
	int length = 0;

	if (strcmp(path, "tool") == 0)
		reading->is_sharing = strcmp(text, "ompinst sharing") == 0;
	else if (strcmp(path, "run/threads") == 0)
		reading->file->threads = (uint64_t)number_of(text);
	else if (sscanf(path, "findings/%zu/%n", &finding, &length) == 1 && length > 0) {
		if (finding != reading->finding)
			end_finding(reading);
		reading->finding = finding;
		put_value(reading, path + length, text);
	}
}

int sharing_file_read(struct sharing_file *file, const char *path)
{
	struct reading reading = {.file = file};
	size_t length;
	char *bytes;

	*file = (struct sharing_file){.is_given = path != NULL};
	if (!path)
		return 0;
	bytes = whole_file_read(path, &length);
	if (!bytes) {
		fprintf(
		    stream_messages(), "ompreport: cannot read '%s': %s\n", path, strerror(errno));
		return -1;
	}
	bool is_read = json_read(bytes, length, visit, &reading) == 0 && reading.is_sharing;
	end_finding(&reading);
	free(bytes);
	if (is_read)
		return 0;
	fprintf(stream_messages(),
	    "ompreport: '%s': expected what `ompinst sharing run --format=json --output=FILE` "
	    "writes; nothing is reported\n",
	    path);
	sharing_file_free(file);
	return -1;
}

double sharing_file_cost(
    const struct sharing_file *file, const char *region, const struct shared_place **place)
{
	double cost = 0;

	*place = NULL;
	for (size_t i = 0; i < file->count; i++) {
		const struct shared_place *at = &file->places[i];

		if (strncmp(at->construct, region, strlen(at->construct)) != 0)
			continue;
		cost += at->cost;
		if (!*place || at->cost > (*place)->cost)
			*place = at;
	}
	return cost;
}

void sharing_file_free(struct sharing_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		free(file->places[i].construct);
		free(file->places[i].variable);
	}
	free(file->places);
	*file = (struct sharing_file){0};
}
