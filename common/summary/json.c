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
 * Writes what the regions, locks, tasks and the advice cover; everything else covers all threads
 * and regions.
 */
static void put_chosen(struct json_writer *json, const struct printing *printing)
{
	if (!printing->summary->chosen)
		return;
	json_begin_line(json);
	json_open_object(json, "chosen");
	json_put_text(json, "options", printing->summary->chosen);
	put_number(json, "thread_time_ns", printing->figures.chosen);
	json_open_array(json, "members");
	json_put_text(json, NULL, "regions");
	json_put_text(json, NULL, "locks");
	json_put_text(json, NULL, "tasks");
	json_put_text(json, NULL, "advice");
	json_close_array(json);
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

struct number {
	const char *key;
	uint64_t value;
};

static void put_numbers(struct json_writer *json, const struct number *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_number(json, numbers[i].key, numbers[i].value);
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void put_totals(struct json_writer *json, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	const struct summary_figures *figures = &printing->figures;
	const struct number totals[] = {
	    {"wall_ns", summary->wall},
	    {"threads", summary->threads},
	    {"locations", summary->locations},
	    {"processors", summary->processors ? summary->processors : SUMMARY_NOT_MEASURED},
	    {"capacity_ns", figures->capacity},
	    {"parallel_ns", summary->parallel},
	    {"imbalance_ns", summary->imbalance},
	    {"mpi_held_ns", summary->mpi_calls > 0 ? summary->mpi_held : SUMMARY_NOT_MEASURED},
	    {"events", summary->events},
	    {"lost_events", printing_lost(printing, summary->lost_events)},
	    {"untraced_events", printing_lost(printing, summary->untraced_events)},
	    {"event_cost_ns", summary->event_cost},
	};

	for (size_t i = 0; i < COUNT_OF(totals); i++) {
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

static void put_region(
    struct json_writer *json, const struct summary *summary, const struct summary_region *region)
{
	const struct number numbers[] = {
	    {"begin_line", (uint64_t)(region->begin_line < 0 ? 0 : region->begin_line)},
	    {"end_line", (uint64_t)(region->end_line < 0 ? 0 : region->end_line)},
	    {"visits", region->visits},
	    {"time_ns", region->time},
	    {"self_ns", region->self},
	    {"threads", region->threads},
	    {"body_min_ns", region->body_min},
	    {"body_sum_ns", region->body_sum},
	    {"body_max_ns", region->body_max},
	    {"barrier_wait_ns", region->barrier_wait},
	    {"enter_wait_ns", region->enter_wait},
	    {"imbalance_ns", region->imbalance},
	    {"gain_ns", summary_gain(region)},
	};

	json_put_text(json, "name", region->name);
	json_put_text(json, "sub_name", region->sub_name);
	json_put_text(json, "file", region->file);
	if (region->code != SUMMARY_INSTRUMENTED) {
		json_put_text(json, "function", region->function ? region->function : "");
		json_put_text(json, "known_by", "code");
		json_put_boolean(json, "static_loops_visible", region->code != SUMMARY_CODE_GNU);
	}
	put_numbers(json, numbers, COUNT_OF(numbers));
	if (summary->metric_count > 0)
		put_metrics(json, summary, region);
}

static void put_lock(struct json_writer *json, const struct summary_lock *lock)
{
	const struct number numbers[] = {
	    {"acquisitions", lock->acquisitions},
	    {"contended", lock->contended},
	    {"wait_ns", lock->wait},
	    {"hold_ns", lock->hold},
	};

	json_put_text(json, "name", lock->name);
	put_numbers(json, numbers, COUNT_OF(numbers));
}

static void put_task(struct json_writer *json, const struct summary_task *task)
{
	const struct number numbers[] = {
	    {"begin_line", (uint64_t)(task->begin_line < 0 ? 0 : task->begin_line)},
	    {"created", task->created},
	    {"executed", task->executed},
	    {"undeferred", task->undeferred},
	    {"create_ns", task->create_time},
	    {"execute_ns", task->execute_time},
	    {"execute_max_ns", task->execute_max},
	};

	json_put_text(json, "file", task->file);
	put_numbers(json, numbers, COUNT_OF(numbers));
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

/* Writes regions, locks and tasks: one object per line. */
static void put_rows(struct json_writer *json, const struct printing *printing)
{
	const struct summary *summary = printing->summary;

	json_begin_line(json);
	json_open_array(json, "regions");
	for (size_t i = 0; i < summary->region_count; i++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		put_region(json, summary, printing_region(printing, i));
		json_close_object(json);
	}
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "locks");
	for (size_t i = 0; i < summary->lock_count; i++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		put_lock(json, printing_lock(printing, i));
		json_close_object(json);
	}
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "tasks");
	for (size_t i = 0; i < summary->task_count; i++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		put_task(json, printing_task(printing, i));
		json_close_object(json);
	}
	json_close_array(json);
}

static void put_advice(struct json_writer *json, const struct summary *summary)
{
	char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE];
	int advice_count = summary_advise(summary, advice);

	json_begin_line(json);
	json_open_array(json, "advice");
	for (int i = 0; i < advice_count; i++) {
		json_begin_line(json);
		json_put_text(json, NULL, advice[i]);
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
	put_totals(&json, printing);
	put_chosen(&json, printing);
	put_metric_list(&json, summary);
	put_rows(&json, printing);
	put_advice(&json, summary);
	json_begin_line(&json);
	json_put_text(&json, "trace", summary->trace_path);
	json_put_text(&json, "note", summary->note);
	json_close_object(&json);
	json_finish(&json);
}
