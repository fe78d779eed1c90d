/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary for programs: one JSON object. Times are integers in nanoseconds, what was not
 * measured is null, the regions come by potential gain. max_rows does not apply: programs want
 * everything.
 */
#include <inttypes.h>

#include "printers.h"

static void print_text(FILE *out, const char *key, const char *value)
{
	fprintf(out, "\"%s\": ", key);
	if (!value) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	summary_write_json_text(out, value);
	fputc('"', out);
}

static void print_number(FILE *out, const char *key, uint64_t value)
{
	if (value == SUMMARY_NOT_MEASURED)
		fprintf(out, "\"%s\": null", key);
	else
		fprintf(out, "\"%s\": %" PRIu64, key, value);
}

static void print_share(FILE *out, const char *key, double value)
{
	if (value < 0)
		fprintf(out, "\"%s\": null", key);
	else
		/*
		 * In millionths by integers: the decimal point must not depend on the program's
		 * locale.
		 */
		fprintf(out, "\"%s\": %d.%06d", key, (int)((value * 1e6 + 0.5) / 1e6),
		    (int)((int64_t)(value * 1e6 + 0.5) % 1000000));
}

struct number {
	const char *key;
	uint64_t value;
};

static void print_numbers(
    FILE *out, const struct number *numbers, size_t count, const char *separator)
{
	for (size_t i = 0; i < count; i++) {
		fputs(separator, out);
		print_number(out, numbers[i].key, numbers[i].value);
	}
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void print_totals(FILE *out, const struct printing *printing)
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
	    {"lost_events", summary->lost_events},
	    {"untraced_events", summary->untraced_events},
	    {"event_cost_ns", summary->event_cost},
	};

	print_numbers(out, totals, COUNT_OF(totals), ",\n  ");
	fputs(",\n  \"thread_time_ns\": {", out);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		fputs(i ? ", " : "", out);
		print_number(out, summary_category_names[i].key, figures->categories[i]);
	}
	fputs("},\n  \"efficiency\": {", out);
	print_share(out, "total", figures->total);
	fputs(", ", out);
	print_share(out, "serial", figures->serial);
	fputs(", ", out);
	print_share(out, "mpi", figures->mpi);
	fputs(", ", out);
	print_share(out, "openmp", figures->openmp);
	fputs(", ", out);
	print_share(out, "load_balance", figures->balance);
	fputs(", ", out);
	print_share(out, "waits_and_overhead", figures->waiting);
	fputs("}", out);
}

/* The region's metrics by name; null where they were not read. */
static void print_metrics(
    FILE *out, const struct summary *summary, const struct summary_region *region)
{
	fputs(", \"metrics\": {", out);
	for (size_t i = 0; i < summary->metric_count; i++) {
		fputs(i ? ", \"" : "\"", out);
		summary_write_json_text(out, summary->metrics[i].name);
		if (region->metrics == NULL)
			fputs("\": null", out);
		else
			fprintf(out, "\": %" PRIu64, region->metrics[i]);
	}
	fputc('}', out);
}

static void print_region(
    FILE *out, const struct summary *summary, const struct summary_region *region)
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

	print_text(out, "name", region->name);
	fputs(", ", out);
	print_text(out, "sub_name", region->sub_name);
	fputs(", ", out);
	print_text(out, "file", region->file);
	print_numbers(out, numbers, COUNT_OF(numbers), ", ");
	if (summary->metric_count > 0)
		print_metrics(out, summary, region);
}

static void print_lock(FILE *out, const struct summary_lock *lock)
{
	const struct number numbers[] = {
	    {"acquisitions", lock->acquisitions},
	    {"contended", lock->contended},
	    {"wait_ns", lock->wait},
	    {"hold_ns", lock->hold},
	};

	print_text(out, "name", lock->name);
	print_numbers(out, numbers, COUNT_OF(numbers), ", ");
}

static void print_task(FILE *out, const struct summary_task *task)
{
	const struct number numbers[] = {
	    {"begin_line", (uint64_t)(task->begin_line < 0 ? 0 : task->begin_line)},
	    {"created", task->created},
	    {"executed", task->executed},
	    {"undeferred", task->undeferred},
	    {"create_ns", task->create_time},
	    {"execute_ns", task->execute_time},
	};

	print_text(out, "file", task->file);
	print_numbers(out, numbers, COUNT_OF(numbers), ", ");
}

/* Which metrics there are, and which there should have been. */
static void print_metric_list(FILE *out, const struct summary *summary)
{
	if (summary->metric_count + summary->dropped_count == 0)
		return;
	fputs(",\n  \"metrics\": [", out);
	for (size_t i = 0; i < summary->metric_count; i++) {
		fputs(i ? "}, {" : "{", out);
		print_text(out, "name", summary->metrics[i].name);
		fputs(", ", out);
		print_text(out, "unit", summary->metrics[i].unit);
	}
	fputs(summary->metric_count ? "}],\n  \"dropped_metrics\": ["
				    : "],\n  \"dropped_metrics\": [",
	    out);
	for (size_t i = 0; i < summary->dropped_count; i++) {
		fputs(i ? "}, {" : "{", out);
		print_text(out, "name", summary->dropped[i].name);
		fputs(", ", out);
		print_text(out, "reason", summary->dropped[i].reason);
	}
	fputs(summary->dropped_count ? "}]" : "]", out);
}

/* Starts the array `key`, or its next element. */
static void start_element(FILE *out, size_t i)
{
	fputs(i ? "},\n    {" : "\n    {", out);
}

static void end_array(FILE *out, size_t count)
{
	fputs(count ? "}\n  ]" : "]", out);
}

void summary_print_json(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;
	char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE];
	int advice_count = summary_advise(summary, advice);

	fputs("{\n  \"format\": \"ompinst-summary\", \"version\": 1,\n  ", out);
	print_text(out, "program", summary->program);
	print_totals(out, printing);
	print_metric_list(out, summary);
	fputs(",\n  \"regions\": [", out);
	for (size_t i = 0; i < summary->region_count; i++) {
		start_element(out, i);
		print_region(out, summary, printing_region(printing, i));
	}
	end_array(out, summary->region_count);
	fputs(",\n  \"locks\": [", out);
	for (size_t i = 0; i < summary->lock_count; i++) {
		start_element(out, i);
		print_lock(out, printing_lock(printing, i));
	}
	end_array(out, summary->lock_count);
	fputs(",\n  \"tasks\": [", out);
	for (size_t i = 0; i < summary->task_count; i++) {
		start_element(out, i);
		print_task(out, printing_task(printing, i));
	}
	end_array(out, summary->task_count);
	fputs(",\n  \"advice\": [", out);
	for (int i = 0; i < advice_count; i++) {
		fputs(i ? ",\n    \"" : "\n    \"", out);
		summary_write_json_text(out, advice[i]);
		fputc('"', out);
	}
	fputs("\n  ],\n  ", out);
	print_text(out, "trace", summary->trace_path);
	fputs(", ", out);
	print_text(out, "note", summary->note);
	fputs("\n}\n", out);
}
