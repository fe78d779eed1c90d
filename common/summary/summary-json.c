/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary for programs: one JSON object. Times are integers in nanoseconds, values that were
 * not measured are null, and the regions are ordered by potential gain. max_rows does not apply,
 * because programs want everything.
 */
#include "common/json-writer.h"
#include "printers.h"

enum { INDENT = 2 };

static void put_number(struct json_writer *json, const char *key, uint64_t value)
{
	if (value == SUMMARY_NOT_MEASURED)
		json_put_null(json, key);
	else
		json_put_number(json, key, value);
}

/*
 * Writes what the tables and the advice cover; everything else covers all threads and regions.
 */
static void put_chosen(struct json_writer *json, const struct printing *printing)
{
	static const char *const members[] = {
	    "regions", "hot", "team_paths", "serial_paths", "blocked", "locks", "tasks", "advice"};

	if (!printing->summary->chosen)
		return;
	json_begin_line(json);
	json_open_object(json, "chosen");
	json_put_text(json, "options", printing->summary->chosen);
	put_number(json, "thread_time_ns", printing->figures.chosen);
	json_open_array(json, "members");
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		json_put_text(json, NULL, members[i]);
	json_close_array(json);
	json_close_object(json);
}

/* Writes which run the snapshot is of; other summaries are those of whole runs. */
static void put_snapshot(struct json_writer *json, const struct summary *summary)
{
	if (summary->began == 0)
		return;
	json_begin_line(json);
	json_open_object(json, "snapshot");
	json_put_number(json, "began_ns", summary->began);
	json_put_boolean(json, "is_interval", summary->is_interval != 0);
	json_close_object(json);
}

/* In millionths. */
static void put_share(struct json_writer *json, const char *key, double value)
{
	if (value < 0)
		json_put_null(json, key);
	else
		json_put_scaled(json, key, (uint64_t)(value * 1e6 + 0.5), 6);
}

static void put_totals(struct json_writer *json, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	const struct summary_figures *figures = &printing->figures;
	const struct {
		const char *key;
		uint64_t value;
	} totals[] = {
	    {"wall_ns", summary->wall},
	    {"threads", summary->threads},
	    {"locations", summary->locations},
	    {"processors", summary->processors ? summary->processors : SUMMARY_NOT_MEASURED},
	    {"capacity_ns", figures->capacity},
	    {"parallel_ns", summary->parallel},
	    {"imbalance_ns", summary->imbalance},
	    {"mpi_held_ns", summary->mpi_calls > 0 ? summary->mpi_held : SUMMARY_NOT_MEASURED},
	    {"wait_delayed_ns", summary->wait_delayed},
	    {"processor_time_ns", summary->processor_time},
	    {"system_ns", summary->system},
	    {"faults", summary->faults},
	    {"quota_thousandths", summary->quota ? summary->quota : SUMMARY_NOT_MEASURED},
	    {"throttled_ns", summary->quota ? summary->throttled : SUMMARY_NOT_MEASURED},
	    {"stolen_ns", summary->online ? summary->stolen : SUMMARY_NOT_MEASURED},
	    {"machine_idle_ns", summary->online ? summary->idle : SUMMARY_NOT_MEASURED},
	    {"processors_online", summary->online ? summary->online : SUMMARY_NOT_MEASURED},
	    {"processors_bound", summary->bound ? summary->bound : SUMMARY_NOT_MEASURED},
	    {"events", summary->events},
	    {"lost_events", printing_lost(printing, summary->lost_events)},
	    {"untraced_events", printing_lost(printing, summary->untraced_events)},
	    {"event_cost_ns", summary->event_cost},
	};

	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		json_begin_line(json);
		put_number(json, totals[i].key, totals[i].value);
	}
	json_begin_line(json);
	json_open_object(json, "thread_time_ns");
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		put_number(json, summary_category_names[i].key, figures->categories[i]);
	json_close_object(json);
	json_begin_line(json);
	json_open_object(json, "efficiency");
	put_share(json, "total", figures->total);
	put_share(json, "serial", figures->serial);
	put_share(json, "mpi", figures->mpi);
	put_share(json, "running", figures->running);
	put_share(json, "openmp", figures->openmp);
	put_share(json, "load_balance", figures->balance);
	put_share(json, "waits_and_overhead", figures->waiting);
	json_close_object(json);
}

/* Writes the region's metrics by name; null if they were not read. */
static void put_metrics(
    struct json_writer *json, const struct summary *summary, const struct summary_region *region)
{
	json_open_object(json, "metrics");
	for (size_t i = 0; i < summary->metric_count; i++) {
		if (region->metrics == NULL)
			json_put_null(json, summary->metrics[i].name);
		else
			json_put_number(json, summary->metrics[i].name, region->metrics[i]);
	}
	json_close_object(json);
}

/* Writes which metrics there are, and which could not be measured. */
static void put_metric_list(struct json_writer *json, const struct summary *summary)
{
	if (summary->metric_count + summary->dropped_count == 0)
		return;
	json_begin_line(json);
	json_open_array(json, "metrics");
	for (size_t i = 0; i < summary->metric_count; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "name", summary->metrics[i].name);
		json_put_text(json, "unit", summary->metrics[i].unit);
		json_close_object(json);
	}
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "dropped_metrics");
	for (size_t i = 0; i < summary->dropped_count; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "name", summary->dropped[i].name);
		json_put_text(json, "reason", summary->dropped[i].reason);
		json_close_object(json);
	}
	json_close_array(json);
}

static void put_regions(struct json_writer *json, const struct printing *printing)
{
	const struct figure_table table = printing_regions(printing);

	json_begin_line(json);
	json_open_array(json, "regions");
	for (size_t i = 0; i < table.rows; i++) {
		const struct summary_region *region = printing_region(printing, i);

		json_begin_line(json);
		json_open_object(json, NULL);
		table_put_json_row(json, &table, i);
		if (region->code != SUMMARY_INSTRUMENTED) {
			json_put_text(json, "function", region->function ? region->function : "");
			json_put_text(json, "known_by", "code");
			json_put_boolean(
			    json, "static_loops_visible", region->code != SUMMARY_CODE_GNU);
		}
		if (printing->summary->metric_count > 0)
			put_metrics(json, printing->summary, region);
		json_close_object(json);
	}
	json_close_array(json);
}

static void put_table(struct json_writer *json, const char *key, struct figure_table table)
{
	json_begin_line(json);
	json_open_array(json, key);
	table_put_json_rows(json, &table);
	json_close_array(json);
}

static void put_advice(struct json_writer *json, const struct printing *printing)
{
	json_begin_line(json);
	json_open_array(json, "advice");
	for (int i = 0; i < printing->advice.count; i++) {
		json_begin_line(json);
		json_put_text(json, NULL, printing->advice.text[i]);
	}
	json_close_array(json);
}

void summary_print_json(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	struct json_writer json;

	json_start(&json, out, INDENT);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "format", "ompinst-summary");
	json_put_number(&json, "version", 1);
	json_begin_line(&json);
	json_put_text(&json, "program", summary->program);
	put_snapshot(&json, summary);
	put_totals(&json, printing);
	put_chosen(&json, printing);
	put_metric_list(&json, summary);
	put_regions(&json, printing);
	if (summary->caller_count > 0)
		put_table(&json, "callers", printing_callers(printing));
	if (summary->samples > 0) {
		json_begin_line(&json);
		json_put_number(&json, "samples", summary->samples);
		put_table(&json, "hot", printing_hot(printing));
		put_table(&json, "team_paths", printing_paths(printing));
		put_table(&json, "serial_paths", printing_serial(printing));
	}
	if (summary->blocked_call_count > 0)
		put_table(&json, "blocked", printing_blocked(printing));
	if (summary->samples > 0 || summary->sample_note != NULL) {
		json_begin_line(&json);
		json_put_number(&json, "lost_samples", summary->lost_samples);
		json_put_text(&json, "sample_note", summary->sample_note);
	}
	put_table(&json, "locks", printing_locks(printing));
	put_table(&json, "tasks", printing_tasks(printing));
	put_advice(&json, printing);
	json_begin_line(&json);
	json_put_text(&json, "trace", summary->trace_path);
	json_put_text(&json, "note", summary->note);
	json_close_object(&json);
	json_finish(&json);
}
