/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport summary: the exit summary, from a trace. */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "report.h"

/*
 * Appends what else the archive contains to the summary's note. Returns the text to free, or NULL.
 */
static char *note_left_out(const struct archive *archive, struct summary *summary)
{
	char *note = archive_left_out(archive), *longer;

	if (note && summary->note) {
		longer = memory_print("%s %s", summary->note, note);
		free(note);
		note = longer;
	}
	if (note)
		summary->note = note;
	return note;
}

int command_summary(const struct options *options)
{
	struct archive *archive = command_open_threads(options->path, options);
	struct analysis *analysis;
	struct expectations *expectations;
	struct summary summary;
	char *note;
	int status = 1;
	FILE *out;

	if (!archive)
		return 1;
	analysis = report_analyse_with(
	    archive, options->path, options, &(struct analysis_choice){0}, &summary, &expectations);
	report_choose(&summary, options);
	note = note_left_out(archive, &summary);
	out = command_open_output(options->output);
	if (out) {
		summary_print(out, &summary, options->format, options->width, options->rows);
		status = command_close_output(out, options->output) ? 1 : 0;
	}
	free(note);
	expectations_free(expectations);
	analysis_free_summary(&summary);
	analysis_free(analysis);
	archive_close(archive);
	return status;
}
