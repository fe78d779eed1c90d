/* SPDX-License-Identifier: BSD-3-Clause */
/* What every subcommand does besides its own work: opening, closing, reporting errors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "event-logs.h"
#include "profile-file.h"
#include "streams.h"

/* Prints the progress in a line that the next call overwrites; clear_progress() clears it. */
static void show_progress(uint64_t read, uint64_t announced)
{
	static const char bar[] = "########################################";
	int done = announced ? (int)((double)read / (double)announced * 40) : 0;

	if (done > 40)
		done = 40;
	fprintf(stream_messages(), "\r [%-40.*s] %llu million events", done, bar,
	    (unsigned long long)(read >> 20));
}

/* Call before anything else is printed. */
static void clear_progress(const struct archive *archive)
{
	if (archive->progress && archive->events >> 20 > 0)
		fprintf(stream_messages(), "\r%70s\r", "");
}

struct archive *command_open(const char *path, const struct options *options)
{
	char *error = NULL;
	struct archive *archive = archive_open(path, &error);

	char *logs = archive ? NULL : event_logs_folder(path);

	if (logs)
		fprintf(stream_messages(),
		    "ompreport: %s: the program was stopped, or its trace left for later: there are "
		    "event logs and no archive yet; run 'ompreport recover %s' to make it; nothing "
		    "was written\n",
		    path, logs);
	else if (!archive && profile_file_is(path))
		profile_file_refuse(path);
	else if (!archive)
		fprintf(stream_messages(), "ompreport: %s: %s; nothing was written\n", path, error);
	if (archive) {
		archive->jobs = options->jobs;
		if (stream_messages() == stderr && isatty(STDERR_FILENO))
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
	fprintf(stream_messages(),
	    "ompreport: %s: none of its %zu locations is a thread, which this report is about; "
	    "nothing was written ('ompreport info' lists them)\n",
	    path, archive->location_count);
	archive_close(archive);
	return NULL;
}

bool command_prints_to_terminal(const struct options *options)
{
	return !options->output && stream_output() == stdout && isatty(STDOUT_FILENO);
}

void command_print_warnings(const char *path, const struct archive *archive)
{
	clear_progress(archive);
	for (size_t i = 0; i < archive->warning_count; i++)
		fprintf(stream_messages(), "ompreport: %s: %s\n", path, archive->warnings[i]);
}

FILE *command_open_output(const char *path)
{
	FILE *out;

	if (!path || strcmp(path, "-") == 0)
		return stream_output();
	out = fopen(path, "w");
	if (!out)
		fprintf(stream_messages(),
		    "ompreport: %s: %s; nothing was written (-o names another file)\n", path,
		    strerror(errno));
	return out;
}

int command_close_output(FILE *out, const char *path)
{
	int failed = fflush(out) == EOF || ferror(out);
	int reason = errno;

	if (out != stream_output() && fclose(out) == EOF && !failed) {
		failed = 1;
		reason = errno;
	}
	if (!failed)
		return 0;
	fprintf(stream_messages(), "ompreport: %s: %s; the report is incomplete\n",
	    path ? path : "standard output", strerror(reason));
	return -1;
}
