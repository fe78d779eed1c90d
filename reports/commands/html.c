/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport html: the summary and the timeline as one web page, by default beside the archive. */
#include <stdlib.h>

#include "commands.h"
#include "page.h"
#include "memory.h"
#include "report.h"

int command_html(const struct options *options)
{
	struct archive *archive = command_open_threads(options->path);
	struct html_rows rows;
	struct summary summary;
	struct html html;
	int status = 1;
	char *path;

	if (!archive)
		return 1;
	path = options->output ? memory_copy_text(options->output)
			       : memory_print("%s/report.html", archive->folder);
	rows = html_lay_out(archive);
	html.rows = &rows;
	html.analysis = report_analyse(archive, options->path, options,
	    html_shape(&rows, archive->clock_length), HTML_PATH_MAX);
	html.summary = &summary;
	analysis_summarize(html.analysis, &summary);
	summary_compute(&summary, &html.figures);
	html.out = command_open_output(path);
	if (html.out) {
		html_write_page(&html);
		status = command_close_output(html.out, path) ? 1 : 0;
	}
	if (status == 0 && !options->output)
		printf("%s\n", path);
	free(path);
	analysis_free_summary(&summary);
	html_free_rows(&rows);
	analysis_free((struct analysis *)html.analysis);
	archive_close(archive);
	return status;
}
