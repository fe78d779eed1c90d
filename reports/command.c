/* SPDX-License-Identifier: BSD-3-Clause */
/* What every subcommand does around its own work: opening, closing, telling what went wrong. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

struct archive *command_open(const char *path)
{
	char *error = NULL;
	struct archive *archive = archive_open(path, &error);

	if (!archive)
		fprintf(stderr, "ompreport: %s: %s; nothing was written\n", path, error);
	free(error);
	return archive;
}

void command_print_warnings(const char *path, const struct archive *archive)
{
	for (size_t i = 0; i < archive->warning_count; i++)
		fprintf(stderr, "ompreport: %s: %s\n", path, archive->warnings[i]);
}

FILE *command_open_output(const char *path)
{
	FILE *out;

	if (!path)
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
