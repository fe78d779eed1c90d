/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cuts each file of a small archive at every byte and reads what is left: cut-archive FOLDER
 * FILE... If the archive cannot be opened, the reader says why. If it can, no event is invented,
 * the events of threads whose files are complete are all there, and the reader reports what is
 * missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"

static int failures;

struct reading {
	bool opened;
	size_t warnings;
	uint64_t events;
};

static struct reading read_all(const char *folder)
{
	static const struct analysis_choice all = {.to = SUMMARY_NOT_MEASURED};
	char *error = NULL;
	struct archive *archive = archive_open(folder, &error);
	struct reading reading = {.opened = archive != NULL};
	struct analysis *analysis;
	struct summary summary;

	if (!archive) {
		if (!error || !error[0]) {
			printf("FAIL: no reason given\n");
			failures++;
		} else if (strstr(error, "empty")) {
			printf("FAIL: what was cut off is called empty: %s\n", error);
			failures++;
		}
		free(error);
		return reading;
	}
	analysis = analysis_run(archive, &all);
	analysis_summarize(analysis, &summary);
	reading.events = archive->events;
	reading.warnings = archive->warning_count;
	analysis_free_summary(&summary);
	analysis_free(analysis);
	archive_close(archive);
	return reading;
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *data;
	long end;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0) {
		perror(path);
		exit(1);
	}
	rewind(file);
	data = malloc((size_t)end + 1);
	*size = fread(data, 1, (size_t)end, file);
	fclose(file);
	return data;
}

static void write_file(const char *path, const char *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

/* `own`: events that are in that file. */
static void check(
    const char *name, size_t length, struct reading whole, struct reading cut, uint64_t own)
{
	if (cut.opened && (cut.events > whole.events || cut.events + own < whole.events)) {
		printf("FAIL: %s cut at %zu: %llu events of %llu, of which %llu are in it\n", name,
		    length, (unsigned long long)cut.events, (unsigned long long)whole.events,
		    (unsigned long long)own);
		failures++;
	}
	if (cut.opened && cut.events < whole.events && cut.warnings == whole.warnings) {
		printf(
		    "FAIL: %s cut at %zu: events are missing, and nothing is said\n", name, length);
		failures++;
	}
}

static size_t cut(const char *folder, const char *name)
{
	struct reading whole = read_all(folder), without;
	char path[1024];
	size_t size;
	char *data;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	data = read_file(path, &size);
	/* Only what is in an events file may get lost by cutting one; definitions hold it all. */
	without = (struct reading){0};
	if (strstr(name, ".evt")) {
		unlink(path);
		without = read_all(folder);
	}
	for (size_t length = 0; length < size; length++) {
		write_file(path, data, length);
		check(name, length, whole, read_all(folder), whole.events - without.events);
	}
	write_file(path, data, size);
	if (read_all(folder).events != whole.events) {
		printf("FAIL: %s: the whole file is not read as before\n", name);
		failures++;
	}
	free(data);
	return size;
}

int main(int argc, char **argv)
{
	size_t cuts = 0;

	for (int i = 2; i < argc; i++)
		cuts += cut(argv[1], argv[i]);
	printf("%zu cuts, %d failures\n", cuts, failures);
	return failures || cuts == 0 ? 1 : 0;
}
