/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the page's script needs of the run besides the stretches of the timeline: the recorded
 * events, which it uses to draw regions as nested bars and to compute the figures of a part of the
 * run; and for each wait, which thread ended it and when. For runs that are too large the page has
 * neither, but the sums of steps (cuts.h).
 *
 * A wait that another thread ended is written as three numbers: its end, as the time since the
 * previous such end; the number of the thread that ended it; and how long before the end the thread
 * did so, signed (0, -1, 1, -2, ...), because clocks differ.
 */
#include <stdlib.h>

#include "base64.h"
#include "cuts.h"
#include "page.h"
#include "run-log.h"

void page_put_name(struct json_writer *json, char *name)
{
	char text[PAGE_NAME_MAX];

	snprintf(text, sizeof(text), "%s", name);
	json_put_text(json, NULL, text);
	free(name);
}

static void count_end(
    void *context, const struct path_segment *wait, const struct path_cause *cause)
{
	size_t *count = context;

	(void)wait;
	(void)cause;
	(*count)++;
}

static size_t count_ends(const struct path *path)
{
	size_t count = 0;

	for (uint32_t thread = 0; thread < path->threads; thread++)
		path_for_each_end(path, thread, count_end, &count);
	return count;
}

/* Writes the ends of a thread's waits into the page. */
struct end_writer {
	struct base64 base64;
	uint64_t last; /* ticks: the previous end, or the timeline's start */
};

static void put_end(void *context, const struct path_segment *wait, const struct path_cause *cause)
{
	struct end_writer *writer = context;

	if (wait->to < writer->last)
		return;
	base64_put_number(&writer->base64, wait->to - writer->last);
	base64_put_number(&writer->base64, cause->thread);
	base64_put_number(&writer->base64,
	    cause->at <= wait->to ? (wait->to - cause->at) << 1 : ~((wait->to - cause->at) << 1));
	writer->last = wait->to;
}

static void put_ends(struct json_writer *json, const struct page *page)
{
	const struct path *path = page->analysis->path;
	bool has_ends =
	    path && !path->elsewhere && page_is_exact(page) && count_ends(path) <= PAGE_ENDS_MAX;

	json_begin_line(json);
	json_open_array(json, "ends");
	for (uint32_t i = 0; has_ends && i < path->threads; i++) {
		struct end_writer writer = {{json->out}, page->analysis->timeline->start};

		json_begin_line(json);
		json_open_text(json, NULL);
		path_for_each_end(path, i, put_end, &writer);
		base64_end(&writer.base64);
		json_close_text(json);
	}
	json_close_array(json);
}

static void put_bytes(struct json_writer *json, const char *key, const struct bytes *bytes)
{
	struct base64 base64 = {json->out};

	json_begin_line(json);
	json_open_text(json, key);
	for (size_t i = 0; i < bytes->count; i++)
		base64_put(&base64, bytes->data[i]);
	base64_end(&base64);
	json_close_text(json);
}

/* The timeline's title for a part of a construct; NULL: it has no bar of its own. */
static const char *const part_titles[] = {
    [PART_WHOLE] = "",
    [PART_BODY] = NULL,
    [PART_BARRIER] = "barrier at the end",
    [PART_WAIT] = "wait for its tasks",
    [PART_CREATE] = "creates a task",
    [PART_LOCK] = "lock",
    [PART_NONE] = NULL,
};

/* Writes the numbers of the kinds of events, and how many numbers each kind has after its time. */
static void put_kinds(struct json_writer *json)
{
	json_begin_line(json);
	json_put_number(json, "enter", EVENT_ENTER);
	json_put_number(json, "leave", EVENT_LEAVE);
	json_put_number(json, "switch", EVENT_TASK_SWITCH);
	json_put_number(json, "complete", EVENT_TASK_COMPLETE);
	json_open_array(json, "extras");
	for (uint32_t kind = 0; kind < RUN_LOG_KINDS; kind++)
		json_put_number(json, NULL, run_log_extras(kind));
	json_close_array(json);
}

/* Functions of samples are no constructs that threads enter. */
static bool was_entered(const struct construct *construct)
{
	return construct->events > 0;
}

static size_t count_entered(const struct analysis *analysis)
{
	size_t count = 0;

	for (size_t i = 0; i < analysis->construct_count; i++)
		count += was_entered(&analysis->constructs[i]);
	return count;
}

/* Writes what each region is a part of, and its title. */
static void put_regions(struct json_writer *json, const struct page *page)
{
	const struct analysis *analysis = page->analysis;

	json_begin_line(json);
	json_open_array(json, "names");
	for (size_t i = 0; i < analysis->construct_count; i++) {
		json_begin_line(json);
		if (was_entered(&analysis->constructs[i]))
			page_put_name(json, analysis_construct_name(&analysis->constructs[i]));
		else
			json_put_null(json, NULL);
	}
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "titles");
	for (size_t i = 0; i < sizeof(part_titles) / sizeof(part_titles[0]); i++)
		json_put_text(json, NULL, part_titles[i]);
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "parts");
	for (size_t i = 0; i < analysis->archive->region_count; i++) {
		const struct region_part *part = &analysis->parts[i];

		json_open_array(json, NULL);
		json_put_signed(
		    json, NULL, part->construct == NO_CONSTRUCT ? -1 : (int64_t)part->construct);
		json_put_number(json, NULL, part->part);
		json_close_array(json);
	}
	json_close_array(json);
}

/* Whether the page contains the events of the whole run. */
static bool has_events(const struct page *page)
{
	return page->run_log && !page->run_log->full && page_is_exact(page) &&
	       count_entered(page->analysis) <= PAGE_NAMED_MAX;
}

/* There are no sums for calls of MPI. */
static bool has_sums(const struct page *page)
{
	const struct cuts *cuts = page->analysis->cuts;

	return cuts && !cuts->full && !mpi_was_called(page->analysis->mpi);
}

/* Writes the times of the steps, in ticks from the clock's start, and what happened in them. */
static void put_sums(struct json_writer *json, const struct page *page)
{
	const struct cuts *cuts = page->analysis->cuts;
	struct bytes bytes = {0};

	cuts_pass(&bytes, (struct analysis *)page->analysis);
	json_begin_line(json);
	json_open_object(json, "steps");
	json_put_number(json, "begin", cuts->start - page->analysis->archive->clock_start);
	json_put_number(json, "ticks", cuts->ticks);
	json_put_number(json, "count", cuts->step);
	json_put_number(json, "samples", cuts->samples.count > 0 ? cuts->samples.steps : 0);
	json_close_object(json);
	put_bytes(json, "sums", &bytes);
	free(bytes.data);
}

static void put_events(struct json_writer *json, const struct page *page)
{
	struct bytes definitions = {0};

	run_log_definitions(&definitions, (struct archive *)page->analysis->archive);
	if (definitions.count <= PAGE_RUN_LOG_MAX && (has_events(page) || has_sums(page)))
		put_bytes(json, "definitions", &definitions);
	if (definitions.count <= PAGE_RUN_LOG_MAX && has_events(page)) {
		put_kinds(json);
		put_regions(json, page);
		put_bytes(json, "events", &page->run_log->bytes);
	} else if (definitions.count <= PAGE_RUN_LOG_MAX && has_sums(page)) {
		put_sums(json, page);
	}
	free(definitions.data);
}

static void put_processes(struct json_writer *json, const struct archive *archive)
{
	json_begin_line(json);
	json_open_array(json, "processes");
	/* Of many ranks with a page about one of them, nothing can be chosen. */
	for (size_t i = 0;
	     i < archive->process_count && (i == 0 || !archive_is_of_one_process(archive)); i++)
		page_put_name(json, archive_process_name(archive, (uint32_t)i));
	json_close_array(json);
}

void page_write_run(const struct page *page)
{
	const struct archive *archive = page->analysis->archive;
	struct json_writer json;

	fputs("<script type=\"application/json\" id=\"run-data\">", page->out);
	json_start(&json, page->out, 0);
	json.compact = true;
	json_open_object(&json, NULL);
	json_put_number(&json, "start", page->analysis->timeline->start - archive->clock_start);
	json_put_number(&json, "ticks", archive->ticks_per_second);
	json_put_number(&json, "from", page->from);
	if (page->to == SUMMARY_NOT_MEASURED)
		json_put_null(&json, "to");
	else
		json_put_number(&json, "to", page->to);
	json_put_text(&json, "archive", archive->path);
	json_put_number(&json, "threads", archive->thread_count);
	put_processes(&json, archive);
	put_ends(&json, page);
	put_events(&json, page);
	json_close_object(&json);
	fputs("</script>\n", page->out);
}
