/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport html: the summary and the timeline of one run as a web page, by default beside the
 * archive; for several archives, the page that compares them.
 */
#include <stdlib.h>

#include "commands.h"
#include "comparison-page.h"
#include "memory.h"
#include "page.h"
#include "rank-page.h"
#include "report.h"
#include "streams.h"
#include "tried-file.h"

/*
 * Opens the archive, of which --rank chooses the only rank that is read. Returns NULL after a
 * message, with the exit status in *status.
 */
static struct archive *open_archive(const struct options *options, int *status)
{
	struct archive *archive = command_open_threads(options->path, options);

	*status = 1;
	if (!archive || !options->rank ||
	    archive_keep_process(archive, (uint32_t)strtoul(options->rank, NULL, 10)))
		return archive;
	fprintf(stream_messages(),
	    "ompreport: --rank='%s': there is no such rank with threads; expected one of 0 to %zu "
	    "('ompreport ranks' lists them); nothing was written\n",
	    options->rank, archive->process_count > 0 ? archive->process_count - 1 : 0);
	archive_close(archive);
	*status = 2;
	return NULL;
}

/* For the page of one rank: what it does not know of the others. */
static void warn_of_others(struct archive *archive, const struct options *options)
{
	if (!options->rank || archive->process_count < 2)
		return;
	archive_warn(archive,
	    archive->has_mpi
		? "this page is about rank %s, and only its events were read: what its calls of MPI "
		  "waited for is not known and counts as transfer, and the critical path is that of "
		  "its own threads"
		: "this page is about process %s, and only its events were read",
	    options->rank);
}

/*
 * The clock of an archive also covers locations that are not threads, such as an accelerator's
 * stream. The timeline shall cover only the threads' time, so all events are read once to find it.
 */
static void choose_span(
    struct timeline_shape *shape, const struct archive *archive, const struct options *options)
{
	struct analysis_choice choice = {.from = options->from, .to = options->to};
	struct archive *again;
	struct analysis *analysis;
	int status;

	if (archive->location_count == archive->thread_count)
		return;
	again = open_archive(options, &status);
	if (!again)
		return;
	analysis = analysis_run(again, &choice);
	if (analysis->last_time > analysis->first_time) {
		shape->begin = analysis->first_time;
		shape->end = analysis->last_time;
	}
	analysis_free(analysis);
	archive_close(again);
}

/* Includes the program's source unless the options leave it out. Returns the exit status. */
static int write_page(const struct page *without_source, const struct options *options)
{
	struct page page = *without_source;
	const char *folder = page.rows->archive->folder;
	char *path = options->output ? memory_copy_text(options->output)
		     : options->rank ? memory_print("%s/rank-%s.html", folder, options->rank)
				     : memory_print("%s/report.html", folder);
	struct annotations annotations = {0};
	struct sources sources = {0};
	struct page_source source = {NULL};
	int status = 1;

	if (!options->no_source && !options->brief) {
		annotations = annotations_collect(page.summary, &page.figures, NULL, NULL);
		page_add_heat(&annotations, page.analysis);
		source = page_plan_source(&annotations, &sources);
		page.source = &source;
	}
	page.out = command_open_output(path);
	if (page.out) {
		page_write(&page);
		status = command_close_output(page.out, path) ? 1 : 0;
	}
	if (status == 0 && !options->output)
		fprintf(stream_output(), "%s\n", path);
	free(path);
	page_free_source(&source);
	annotations_finish(&annotations);
	sources_free(&sources);
	return status;
}

/* What the page with a timeline needs: events in the order of time, unless it is brief. */
static struct analysis_choice choose_events(
    const struct archive *archive, const struct page_rows *rows, struct run_log *run_log)
{
	struct timeline_shape shape = page_timeline_shape(rows, archive->clock_length);

	if (!run_log)
		return (struct analysis_choice){.timeline = shape};
	return (struct analysis_choice){
	    .timeline = shape,
	    .has_path = true,
	    .cuts = PAGE_STEPS_OF_SUMS,
	    .cut_entries_max = PAGE_SUMS_MAX,
	    .cut_samples_max = PAGE_SUMS_SAMPLES_MAX,
	    .record = run_log_add,
	    .record_context = run_log,
	};
}

/* What the page of groups needs: nothing that keeps processes from being read one by one. */
static struct analysis_choice choose_sums(const struct archive *archive, size_t **begins)
{
	size_t processes;

	*begins = page_find_processes(archive, &processes);
	return (struct analysis_choice){
	    .timeline = rank_page_shape(*begins, processes),
	    .has_path = true,
	};
}

static int write_run(const struct options *options, const struct tried_file *tried)
{
	int status;
	struct archive *archive = open_archive(options, &status);
	struct run_log run_log;
	struct page_rows rows;
	struct expectations *expectations;
	struct analysis_choice choice;
	struct summary summary;
	struct page page = {0};
	size_t *begins = NULL;
	char *left_out;
	bool groups;

	if (!archive)
		return status;
	groups = rank_page_suits(archive);
	rows = page_lay_out_rows(archive);
	page.rows = &rows;
	run_log_init(&run_log, archive, PAGE_RUN_LOG_MAX);
	page.run_log = groups || options->brief ? NULL : &run_log;
	choice = groups ? choose_sums(archive, &begins)
			: choose_events(archive, &rows, page.run_log ? &run_log : NULL);
	choose_span(&choice.timeline, archive, options);
	page.analysis =
	    report_analyse_with(archive, options->path, options, &choice, &summary, &expectations);
	free(begins);
	left_out = archive_left_out(archive);
	if (left_out)
		archive_warn(archive, "%s", left_out); /* the page shows it among the warnings */
	free(left_out);
	warn_of_others(archive, options);
	if (summary.caller_count == 0)
		analysis_summarize_callers(page.analysis, &summary);
	page.brief = options->brief;
	page.write_groups = groups ? rank_page_write_groups : NULL;
	page.from = options->from;
	page.to = options->to;
	page.summary = &summary;
	summary.tried = tried->tried;
	summary.tried_count = tried->count;
	summary_compute(&summary, &page.figures);
	status = write_page(&page, options);
	expectations_free(expectations);
	analysis_free_summary(&summary);
	page_free_rows(&rows);
	run_log_finish(&run_log);
	analysis_free((struct analysis *)page.analysis);
	archive_close(archive);
	return status;
}

int command_html(const struct options *options)
{
	struct tried_file tried;
	int status;

	if (options->path_count > 1 && options->tried) {
		fprintf(stream_messages(),
		    "ompreport html: --tried: %zu archives; expected one: a page about "
		    "two sides has no advice to prove; see ompreport html --help\n",
		    options->path_count);
		return 2;
	}
	if (options->path_count > 1 && options->rank) {
		fprintf(stream_messages(),
		    "ompreport html: --rank: %zu archives; expected one: a page about two sides is "
		    "about all ranks; see ompreport html --help\n",
		    options->path_count);
		return 2;
	}
	if (options->path_count > 1)
		return comparison_page_run(options);
	if (options->paired) {
		fprintf(stream_messages(),
		    "ompreport html: --paired: one archive; expected the runs of two "
		    "sides; see ompreport html --help\n");
		return 2;
	}
	if (tried_file_read(&tried, options->tried) != 0)
		return 1;
	status = write_run(options, &tried);
	tried_file_free(&tried);
	return status;
}
