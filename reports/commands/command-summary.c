/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport summary: the exit summary, from a trace. */
#include <stdlib.h>

#include "commands.h"
#include "memory.h"
#include "report.h"
#include "tried-file.h"

/*
 * Adds to the summary's note what its tables leave out, and what else the archive contains. Returns
 * the text to free.
 */
static char *note_left_out(
    const struct archive *archive, const struct options *options, struct summary *summary)
{
	bool has_code = summary->hot_count > 0 || summary->blocked_call_count > 0;
	char *left_out = archive_left_out(archive);
	const char *const parts[] = {summary->note,
	    options->min_duration > 0 && has_code
		? "--min-duration chooses regions: samples and blocked calls are those of all "
		  "visits."
		: NULL,
	    left_out};
	char *note = memory_copy_text("");

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *longer = parts[i] ? memory_print("%s%s%s", note, note[0] ? " " : "", parts[i])
					: memory_copy_text(note);

		free(note);
		note = longer;
	}
	free(left_out);
	summary->note = note[0] ? note : NULL;
	return note;
}

int command_summary(const struct options *options)
{
	struct archive *archive;
	struct analysis *analysis;
	struct expectations *expectations;
	struct summary summary;
	struct tried_file tried;
	char *note;
	int status = 1;
	FILE *out;

	if (tried_file_read(&tried, options->tried) != 0)
		return 1;
	archive = command_open_threads(options->path, options);
	if (!archive) {
		tried_file_free(&tried);
		return 1;
	}
	analysis = report_analyse_with(
	    archive, options->path, options, &(struct analysis_choice){0}, &summary, &expectations);
	report_choose(&summary, analysis, options);
	note = note_left_out(archive, options, &summary);
	summary.tried = tried.tried;
	summary.tried_count = tried.count;
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
	tried_file_free(&tried);
	return status;
}
