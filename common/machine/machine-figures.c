/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and reads the file; a row without a part of its figures is none. */
#include "common/machine-figures.h"

#include "common/json-reader.h"
#include "shared/read-text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 64 * 1024 };

struct reading {
	struct machine_figures *figures;
	bool is_format;
};

void machine_find_processor(char *name, size_t size)
{
	static const char *const keys[] = {"model name", "cpu model", "CPU part"};
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[256];
	bool found = false;

	snprintf(name, size, "unknown");
	while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
		char *colon = strchr(line, ':');
		for (size_t i = 0; i < sizeof keys / sizeof keys[0] && colon != NULL; i++)
			found |= strncmp(line, keys[i], strlen(keys[i])) == 0;
		if (found)
			snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
	}
	if (file != NULL)
		fclose(file);
}

bool machine_figures_path(char path[PATH_MAX])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length = -1;

	if (cache != NULL && cache[0] == '/')
		length = snprintf(path, PATH_MAX, "%s/ompinst/machine.json", cache);
	else if (home != NULL && home[0] == '/')
		length = snprintf(path, PATH_MAX, "%s/.cache/ompinst/machine.json", home);
	return length > 0 && length < PATH_MAX;
}

static void read_row(struct machine_figures *figures, const char *path, const char *text)
{
	char key[32];
	size_t row;

	if (sscanf(path, "rows/%zu/%31s", &row, key) != 2 || row >= MACHINE_ROWS)
		return;
	if (row >= figures->count)
		figures->count = row + 1;
	if (strcmp(key, "threads") == 0)
		figures->rows[row].threads = (unsigned)strtoul(text, NULL, 10);
	else if (strcmp(key, "triad_bytes_per_s") == 0)
		figures->rows[row].bandwidth = strtod(text, NULL);
	else if (strcmp(key, "chain_step_ns") == 0)
		figures->rows[row].chain_time = strtod(text, NULL);
	else if (strcmp(key, "peak_flops_per_s") == 0)
		figures->rows[row].peak = strtod(text, NULL);
}

static void read_value(void *context, const char *path, const char *text)
{
	struct reading *reading = context;
	struct machine_figures *figures = reading->figures;

	if (strcmp(path, "format") == 0)
		reading->is_format = strcmp(text, "ompinst-machine") == 0;
	else if (strcmp(path, "processor") == 0)
		snprintf(figures->processor, sizeof figures->processor, "%s", text);
	else if (strcmp(path, "processors") == 0)
		figures->processors = (unsigned)strtoul(text, NULL, 10);
	else
		read_row(figures, path, text);
}

/* Files of earlier versions have no peak. */
static bool is_whole(const struct machine_row *row)
{
	return isfinite(row->peak) && row->peak >= 0 && row->threads > 0 &&
	       isfinite(row->bandwidth) && row->bandwidth > 0 && isfinite(row->chain_time) &&
	       row->chain_time > 0;
}

int machine_figures_read(const char *path, struct machine_figures *figures)
{
	struct reading reading = {figures, false};
	FILE *file = fopen(path, "re");
	char *bytes = file != NULL ? malloc(LARGEST_FILE) : NULL;
	size_t kept = 0;
	int result = -1;

	*figures = (struct machine_figures){.count = 0};
	if (bytes != NULL) {
		size_t length = fread(bytes, 1, LARGEST_FILE, file);
		if (length < LARGEST_FILE && json_read(bytes, length, read_value, &reading) == 0 &&
		    reading.is_format)
			result = 0;
	}
	for (size_t i = 0; i < figures->count; i++)
		if (is_whole(&figures->rows[i]))
			figures->rows[kept++] = figures->rows[i];
	figures->count = kept;
	free(bytes);
	if (file != NULL)
		fclose(file);
	return kept > 0 ? result : -1;
}

const struct machine_row *machine_row_of(const struct machine_figures *figures, unsigned threads)
{
	for (size_t i = 0; i < figures->count; i++)
		if (figures->rows[i].threads == threads)
			return &figures->rows[i];
	return NULL;
}
