/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The summary for Prometheus and what reads its text (OpenMetrics 1.0). Times are seconds. What
 * only grows while a program runs is a counter, so that rate() gives the last minutes. A value that
 * was not measured is left out. Samples of a family have to be different from each other in their
 * labels, so constructs of the same kind, name and lines are one.
 */
#include <stddef.h>
#include <string.h>

#include "common/utf8.h"
#include "printers.h"

enum unit { UNIT_NONE, UNIT_SECONDS };

/* A counter, and where its value is in the row's structure. */
struct family {
	const char *name, *help;
	enum unit unit;
	size_t member;
};

#define OF_SUMMARY(name) offsetof(struct summary, name)
#define OF_REGION(name)  offsetof(struct summary_region, name)
#define OF_LOCK(name)    offsetof(struct summary_lock, name)
#define OF_TASK(name)    offsetof(struct summary_task, name)

static const struct family totals[] = {
    {"wall", "From the begin of measuring to its end, or until now", UNIT_SECONDS,
	OF_SUMMARY(wall)},
    {"processor_time", "Processor time of all threads", UNIT_SECONDS, OF_SUMMARY(processor_time)},
    {"system_time", "The part of it in the kernel", UNIT_SECONDS, OF_SUMMARY(system)},
    {"page_faults", "Page faults of all threads", UNIT_NONE, OF_SUMMARY(faults)},
    {"events", "Events of all threads", UNIT_NONE, OF_SUMMARY(events)},
    {"lost_events", "Events that were not measured or not written", UNIT_NONE,
	OF_SUMMARY(lost_events)},
};

static const struct family of_regions[] = {
    {"region_visits", "How often threads executed the construct", UNIT_NONE, OF_REGION(visits)},
    {"region_time", "Elapsed time of all threads in the construct, nested ones included",
	UNIT_SECONDS, OF_REGION(time)},
    {"region_self", "What threads ran in the construct itself", UNIT_SECONDS, OF_REGION(self)},
    {"region_barrier_wait", "Waits at the construct's own barrier", UNIT_SECONDS,
	OF_REGION(barrier_wait)},
    {"region_enter_wait", "Waits before the construct could be entered", UNIT_SECONDS,
	OF_REGION(enter_wait)},
    {"region_imbalance", "Time that the slowest threads were longer in it than the mean",
	UNIT_SECONDS, OF_REGION(imbalance)},
    {"region_delayed", "Threads had work there and no processor", UNIT_SECONDS, OF_REGION(delayed)},
    {"region_blocked", "Threads were blocked in system calls there", UNIT_SECONDS,
	OF_REGION(blocked)},
    {"region_page_faults", "Page faults in the construct itself", UNIT_NONE, OF_REGION(faults)},
};

static const struct family of_locks[] = {
    {"lock_acquisitions", "How often the lock or critical was taken", UNIT_NONE,
	OF_LOCK(acquisitions)},
    {"lock_contended", "How often another thread held it then", UNIT_NONE, OF_LOCK(contended)},
    {"lock_wait", "Waits for it", UNIT_SECONDS, OF_LOCK(wait)},
    {"lock_hold", "Time in which it was held", UNIT_SECONDS, OF_LOCK(hold)},
};

static const struct family of_tasks[] = {
    {"tasks_created", "Tasks that were created there", UNIT_NONE, OF_TASK(created)},
    {"tasks_executed", "Tasks that were executed", UNIT_NONE, OF_TASK(executed)},
    {"task_time", "Time of all threads in executing them", UNIT_SECONDS, OF_TASK(execute_time)},
};

static void begin_family(
    FILE *out, const char *name, const char *type, enum unit unit, const char *help)
{
	const char *suffix = unit == UNIT_SECONDS ? "_seconds" : "";

	fprintf(out, "# TYPE ompinst_%s%s %s\n", name, suffix, type);
	if (unit == UNIT_SECONDS)
		fprintf(out, "# UNIT ompinst_%s%s seconds\n", name, suffix);
	fprintf(out, "# HELP ompinst_%s%s %s.\n", name, suffix, help);
}

/* A label's value: backslash, quote and line end are escaped, as the format has it. */
static void put_label(FILE *out, const char *before, const char *name, const char *value)
{
	fprintf(out, "%s%s=\"", before, name);
	for (const char *at = value != NULL ? value : "", *start = at; *at != '\0'; start = at) {
		uint32_t character = utf8_next(&at);

		if (character == '\n')
			fputs("\\n", out);
		else if (character == UTF8_REPLACEMENT || utf8_is_unsafe(character))
			fputs(UTF8_REPLACEMENT_TEXT, out);
		else
			fprintf(out, "%s%.*s", character == '\\' || character == '"' ? "\\" : "",
			    (int)(at - start), start);
	}
	fputc('"', out);
}

static void put_value(FILE *out, enum unit unit, uint64_t value)
{
	if (unit == UNIT_SECONDS)
		fprintf(out, " %llu.%09llu\n", (unsigned long long)(value / 1000000000),
		    (unsigned long long)(value % 1000000000));
	else
		fprintf(out, " %llu\n", (unsigned long long)value);
}

static void begin_sample(FILE *out, const struct family *family)
{
	fprintf(out, "ompinst_%s%s_total", family->name,
	    family->unit == UNIT_SECONDS ? "_seconds" : "");
}

static uint64_t value_at(const void *row, const struct family *family)
{
	uint64_t value;

	memcpy(&value, (const char *)row + family->member, sizeof(value));
	return value;
}

static void put_totals(FILE *out, const struct printing *printing)
{
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		uint64_t value = value_at(printing->summary, &totals[i]);

		if (totals[i].member == OF_SUMMARY(lost_events))
			value = printing_lost(printing, value);
		if (value == SUMMARY_NOT_MEASURED)
			continue;
		begin_family(out, totals[i].name, "counter", totals[i].unit, totals[i].help);
		begin_sample(out, &totals[i]);
		put_value(out, totals[i].unit, value);
	}
}

static void put_gauge(FILE *out, const char *name, uint64_t value, const char *help)
{
	if (value == 0 || value == SUMMARY_NOT_MEASURED)
		return;
	begin_family(out, name, "gauge", UNIT_NONE, help);
	fprintf(out, "ompinst_%s %llu\n", name, (unsigned long long)value);
}

static void put_run(FILE *out, const struct summary *summary)
{
	begin_family(out, "run", "info", UNIT_NONE, "The program that was measured");
	fputs("ompinst_run_info", out);
	put_label(out, "{", "program", summary->program);
	fputs("} 1\n", out);
	put_gauge(out, "threads", summary->threads, "Most threads that ran at once in one team");
	put_gauge(out, "processors", summary->processors, "Processors that it could use");
}

static void put_times(FILE *out, const struct printing *printing)
{
	static const struct family family = {"thread_time",
	    "How the threads spent their time; the categories add up", UNIT_SECONDS, 0};

	begin_family(out, family.name, "counter", family.unit, family.help);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		uint64_t time = printing->figures.categories[i];

		if (time == SUMMARY_NOT_MEASURED)
			continue;
		begin_sample(out, &family);
		put_label(out, "{", "category", summary_category_names[i].key);
		fputc('}', out);
		put_value(out, family.unit, time);
	}
}

static void put_efficiencies(FILE *out, const struct summary_figures *figures)
{
	const struct {
		const char *of;
		double ratio;
	} rows[] = {
	    {"total", figures->total},
	    {"serial", figures->serial},
	    {"mpi", figures->mpi},
	    {"running", figures->running},
	    {"openmp", figures->openmp},
	    {"load_balance", figures->balance},
	    {"waits_and_overhead", figures->waiting},
	};

	begin_family(out, "efficiency", "gauge", UNIT_NONE,
	    "The part of the threads' time that is work, and what each kind of loss leaves of it");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].ratio < 0)
			continue;
		fputs("ompinst_efficiency", out);
		put_label(out, "{", "of", rows[i].of);
		fprintf(out, "} %.6f\n", rows[i].ratio);
	}
}

static bool is_same_text(const char *one, const char *other)
{
	return strcmp(one != NULL ? one : "", other != NULL ? other : "") == 0;
}

static bool is_same_region(const void *left, const void *right)
{
	const struct summary_region *one = left, *other = right;

	return one->begin_line == other->begin_line && one->end_line == other->end_line &&
	       is_same_text(one->name, other->name) &&
	       is_same_text(one->sub_name, other->sub_name) && is_same_text(one->file, other->file);
}

static void put_region_labels(FILE *out, const void *row)
{
	const struct summary_region *region = row;
	char line[16];

	put_label(out, "{", "construct", region->name);
	put_label(out, ",", "name", region->sub_name);
	put_label(out, ",", "file", region->file);
	snprintf(line, sizeof(line), "%d", region->begin_line);
	put_label(out, ",", "line", line);
	snprintf(line, sizeof(line), "%d", region->end_line);
	put_label(out, ",", "end_line", line);
	fputc('}', out);
}

static bool is_same_lock(const void *left, const void *right)
{
	const struct summary_lock *one = left, *other = right;

	return is_same_text(one->name, other->name);
}

static void put_lock_labels(FILE *out, const void *row)
{
	put_label(out, "{", "lock", ((const struct summary_lock *)row)->name);
	fputc('}', out);
}

static bool is_same_task(const void *left, const void *right)
{
	const struct summary_task *one = left, *other = right;

	return one->begin_line == other->begin_line && is_same_text(one->file, other->file);
}

static void put_task_labels(FILE *out, const void *row)
{
	const struct summary_task *task = row;
	char line[16];

	put_label(out, "{", "file", task->file);
	snprintf(line, sizeof(line), "%d", task->begin_line);
	put_label(out, ",", "line", line);
	fputc('}', out);
}

/* Rows of one kind: an array of `count` structures of `size` bytes. */
struct rows {
	const void *first;
	size_t count, size;
	bool (*is_same)(const void *one, const void *other);
	void (*put_labels)(FILE *out, const void *row);
};

static const void *row_at(const struct rows *rows, size_t i)
{
	return (const char *)rows->first + i * rows->size;
}

static bool is_first(const struct rows *rows, size_t row)
{
	for (size_t i = 0; i < row; i++) {
		if (rows->is_same(row_at(rows, i), row_at(rows, row)))
			return false;
	}
	return true;
}

/* The row's value and those of the later ones with the same labels. */
static uint64_t sum_from(const struct rows *rows, size_t row, const struct family *family)
{
	uint64_t sum = value_at(row_at(rows, row), family);

	for (size_t i = row + 1; i < rows->count; i++) {
		if (rows->is_same(row_at(rows, row), row_at(rows, i)))
			sum = summary_add(sum, value_at(row_at(rows, i), family));
	}
	return sum;
}

static void put_rows(
    FILE *out, const struct rows *rows, const struct family *families, size_t family_count)
{
	for (size_t i = 0; i < family_count && rows->count > 0; i++) {
		begin_family(out, families[i].name, "counter", families[i].unit, families[i].help);
		for (size_t row = 0; row < rows->count; row++) {
			uint64_t sum = is_first(rows, row) ? sum_from(rows, row, &families[i])
							   : SUMMARY_NOT_MEASURED;

			if (sum == SUMMARY_NOT_MEASURED)
				continue;
			begin_sample(out, &families[i]);
			rows->put_labels(out, row_at(rows, row));
			put_value(out, families[i].unit, sum);
		}
	}
}

#define PUT_ROWS(out, summary, array, number, kind, families)                                      \
	put_rows(out,                                                                              \
	    &(struct rows){(summary)->array, (summary)->number, sizeof((summary)->array[0]),       \
		is_same_##kind, put_##kind##_labels},                                              \
	    families, sizeof(families) / sizeof(families[0]))

void summary_print_metrics(FILE *out, const struct printing *printing)
{
	const struct summary *summary = printing->summary;

	put_run(out, summary);
	put_totals(out, printing);
	put_times(out, printing);
	put_efficiencies(out, &printing->figures);
	PUT_ROWS(out, summary, regions, region_count, region, of_regions);
	PUT_ROWS(out, summary, locks, lock_count, lock, of_locks);
	PUT_ROWS(out, summary, tasks, task_count, task, of_tasks);
	fputs("# EOF\n", out);
}
