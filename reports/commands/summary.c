/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport summary: the exit summary once more, from a trace. */
#include "commands.h"
#include "report.h"

int command_summary(const struct options *options)
{
	struct archive *archive = command_open_threads(options->path, options);
	struct analysis *analysis;
	struct expectations *expectations;
	struct summary summary;
	int status = 1;
	FILE *out;

	if (!archive)
		return 1;
	analysis = report_analyse_with(
	    archive, options->path, options, &(struct analysis_choice){0}, &summary, &expectations);
	report_choose(&summary, options);
	out = command_open_output(options->output);
	if (out) {
		summary_print(out, &summary, options->format, options->width, options->rows);
		status = command_close_output(out, options->output) ? 1 : 0;
	}
	expectations_free(expectations);
	analysis_free_summary(&summary);
	analysis_free(analysis);
	archive_close(archive);
	return status;
}
