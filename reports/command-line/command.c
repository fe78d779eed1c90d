/* SPDX-License-Identifier: BSD-3-Clause */
/* What every subcommand does besides its own work: opening, closing, reporting errors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "event-logs.h"
#include "profile-file.h"

/* Prints the progress in a line that the next call overwrites; clear_progress() clears it. */
static void show_progress(uint64_t read, uint64_t announced)
{
	static const char bar[] = "########################################";
	int done = announced ? (int)((double)read / (double)announced * 40) : 0;

	if (done > 40)
		done = 40;
	fprintf(stderr, "\r [%-40.*s] %llu million events", done, bar,
	    (unsigned long long)(read >> 20));
}

/* Call before anything else is printed. */
static void clear_progress(const struct archive *archive)
{
	if (archive->progress && archive->events >> 20 > 0)
		fprintf(stderr, "\r%70s\r", "");
}

struct archive *command_open(const char *path, const struct options *options)
{
	char *error = NULL;
	struct archive *archive = archive_open(path, &error);

	char *logs = archive ? NULL : event_logs_folder(path);

	if (logs)
		fprintf(stderr,
		    "ompreport: %s: the program was stopped, or its trace left for later: there are "
		    "event logs and no archive yet; run 'ompreport recover %s' to make it; nothing "
		    "was written\n",
		    path, logs);
	else if (!archive && profile_file_is(path))
		profile_file_refuse(path);
	else if (!archive)
		fprintf(stderr, "ompreport: %s: %s; nothing was written\n", path, error);
	if (archive) {
		archive->jobs = options->jobs;
		if (isatty(STDERR_FILENO))
			archive->progress = show_progress;
	}
	free(logs);
	free(error);
	return archive;
}

struct archive *command_open_threads(const char *path, const struct options *options)
{
	struct archive *archive = command_open(path, options);

	if (!archive || archive->thread_count > 0)
		return archive;
	fprintf(stderr,
	    "ompreport: %s: none of its %zu locations is a thread, which this report is about; "
	    "nothing was written ('ompreport info' lists them)\n",
	    path, archive->location_count);
	archive_close(archive);
	return NULL;
}

bool command_prints_to_terminal(const struct options *options)
{
	return !options->output && isatty(STDOUT_FILENO);
}

void command_print_warnings(const char *path, const struct archive *archive)
{
	clear_progress(archive);
	for (size_t i = 0; i < archive->warning_count; i++)
		fprintf(stderr, "ompreport: %s: %s\n", path, archive->warnings[i]);
}

FILE *command_open_output(const char *path)
{
	FILE *out;

	if (!path || strcmp(path, "-") == 0)
		return stdout;
	out = fopen(path, "w");
	if (!out)
		fprintf(stderr, "ompreport: %s: %s; nothing was written (-o names another file)\n",
		    path, strerror(errno));
	return out;
}

int command_close_output(FILE *out, const char *path)
{
	int failed = fflush(out) == EOF || ferror(out);
	int reason = errno;

	if (out != stdout && fclose(out) == EOF && !failed) {
		failed = 1;
		reason = errno;
	}
	if (!failed)
		return 0;
	fprintf(stderr, "ompreport: %s: %s; the report is incomplete\n",
	    path ? path : "standard output", strerror(reason));
	return -1;
}
