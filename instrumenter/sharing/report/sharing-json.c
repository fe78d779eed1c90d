/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as JSON. */
#include "first-touch-report.h"
#include "sharing-report.h"

#include "moved-report.h"

#include "common/json-writer.h"

static void put_threads(struct json_writer *json, sharing_members members)
{
	json_open_array(json, "threads");
	for (int i = 0; i < SHARING_MOST_MEMBERS; i++)
		if ((members >> i & 1) != 0)
			json_put_number(json, NULL, (uint64_t)i);
	json_close_array(json);
}

static void put_construct(struct json_writer *json, const struct sharing_place *place)
{
	if (place->construct == NULL) {
		json_put_null(json, "construct");
		return;
	}
	json_open_object(json, "construct");
	json_put_text(json, "name", place->construct->name);
	json_put_text(json, "file", place->text->path);
	json_put_signed(json, "line", place->construct->line);
	json_close_object(json);
}

static void put_place(struct json_writer *json, const struct sharing_place *place)
{
	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "file", place->line.file);
	json_put_signed(json, "line", place->line.line);
	json_put_signed(json, "column", place->line.column);
	json_put_text(json, "function", place->line.function);
	json_put_text(json, "access",
	    place->writes == 0  ? "read"
	    : place->reads == 0 ? "write"
				: "read and write");
	json_put_text(json, "expression", place->expression);
	json_put_text(json, "source", place->source);
	json_put_number(json, "reads", place->reads);
	json_put_number(json, "writes", place->writes);
	put_threads(json, place->members);
	put_construct(json, place);
	json_close_object(json);
}

static void put_allocated(struct json_writer *json, const struct race_line *line)
{
	if (line->file == NULL) {
		json_put_null(json, "allocated");
		return;
	}
	json_open_object(json, "allocated");
	json_put_text(json, "file", line->file);
	json_put_signed(json, "line", line->line);
	json_put_text(json, "function", line->function);
	json_close_object(json);
}

static void put_near(struct json_writer *json, const struct sharing_finding *finding)
{
	json_put_number(json, "distance", finding->distance);
	json_put_number(json, "stride", finding->stride);
	json_put_number(json, "lines_in_row", finding->in_row);
	if (finding->longer_line > 0)
		json_put_number(json, "longer_line", finding->longer_line);
	else
		json_put_null(json, "longer_line");
}

static void put_finding(struct json_writer *json, const struct sharing_report *report,
    const struct sharing_finding *finding)
{
	static const char *const memories[] = {[RACE_PLACE_UNKNOWN] = "other",
	    [RACE_PLACE_GLOBAL] = "static",
	    [RACE_PLACE_HEAP] = "heap",
	    [RACE_PLACE_STACK] = "stack",
	    [RACE_PLACE_TLS] = "other"};
	const struct sharing_words words = sharing_describe(report, finding);

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "kind", sharing_kinds[finding->kind].name);
	json_put_boolean(json, "counts", sharing_counts(finding, report->options->least));
	json_put_text(json, "title", words.title);
	json_put_text(json, "variable",
	    finding->variable.whole != NULL ? finding->variable.whole : finding->base);
	json_open_array(json, "parts");
	for (int i = 0; i < 2; i++)
		if (finding->parts[i] != NULL)
			json_put_text(json, NULL, finding->parts[i]);
	json_close_array(json);
	json_put_text(json, "memory", memories[finding->place.kind]);
	json_put_text(json, "object", words.object);
	put_allocated(json, &finding->allocated);
	json_begin_line(json);
	if (finding->kind != SHARING_MOVED)
		json_put_number(json, "lines", finding->lines);
	put_threads(json, finding->members);
	if (finding->kind != SHARING_MOVED)
		json_put_number(json, "accesses", finding->accesses);
	if (finding->kind == SHARING_POSSIBLE)
		put_near(json, finding);
	if (finding->kind == SHARING_MOVED) {
		moved_put_json(json, report, finding);
	} else {
		json_put_number(json, "transfers", finding->transfers);
		json_put_decimal(json, "cost_seconds", finding->seconds, 6);
		json_put_decimal(json, "cost_share", finding->share, 4);
		json_put_decimal(json, "cost_most_seconds", finding->most, 6);
	}
	if (finding->touch != NULL)
		first_touch_put_json(json, finding, put_place);
	if (report->options->prove) {
		json_put_text(json, "unproved", finding->unproved);
		json_put_decimal(json, "seconds_before", finding->before, 6);
		json_put_decimal(json, "seconds_apart", finding->after, 6);
	}
	json_begin_line(json);
	json_open_array(json, "places");
	for (size_t i = 0; i < finding->place_count; i++)
		put_place(json, &finding->places[i]);
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "remedies");
	for (unsigned i = 0; i < words.remedy_count; i++)
		json_put_text(json, NULL, words.remedies[i]);
	json_close_array(json);
	json_close_object(json);
}

static void put_run(struct json_writer *json, const struct sharing_report *report)
{
	const struct sharing_reports *reports = report->reports;

	json_begin_line(json);
	json_open_object(json, "run");
	json_put_text(json, "end", report->end);
	json_put_signed(json, "status", report->status);
	json_put_number(json, "processes", reports->processes);
	json_put_number(json, "threads", reports->threads);
	json_put_decimal(json, "seconds", reports->wall, 6);
	json_put_decimal(json, "processor_seconds", reports->processor, 6);
	json_put_decimal(json, "program_seconds", report->findings->processor, 6);
	if (report->plain->seconds > 0) {
		json_put_decimal(json, "plain_seconds", report->plain->seconds, 6);
		json_put_decimal(json, "plain_seconds_on_one", report->plain->on_one, 6);
	}
	json_put_number(json, "accesses", reports->calls);
	json_put_number(json, "lines_left_out", reports->refused);
	json_close_object(json);
}

void sharing_report_json(const struct sharing_report *report, FILE *out)
{
	struct json_writer json;

	json_start(&json, out, 2);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "tool", "ompinst sharing");
	json_put_text(&json, "program", report->program);
	put_run(&json, report);
	json_begin_line(&json);
	json_open_array(&json, "findings");
	for (size_t i = 0; i < report->findings->count; i++) {
		const struct sharing_finding *finding = &report->findings->items[i];
		if (sharing_is_shown(report, finding))
			put_finding(&json, report, finding);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}
