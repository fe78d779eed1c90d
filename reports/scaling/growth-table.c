/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of grown work, and a sentence on each construct whose growth is worth one: how much,
 * what of it was measured, and that the rest was not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "growth-causes.h"
#include "memory.h"

enum { MOST_SENTENCES = 8 };

#define LONGEST_FAULT                                                                              \
	1e6 /* ns: of a page of 2 MB, which is cleared; then it was something else                 \
	     */

static const struct table_column columns[] = {
    {"region", "region", CELL_TEXT, 0},
    {"work_ns", "work", CELL_TIME, 8},
    {"grown_work_ns", "then", CELL_TIME, 9},
    {"growth", "growth", CELL_FACTOR, 12},
    {"growth_low", "from", CELL_FACTOR, 7},
    {"growth_high", "to", CELL_FACTOR, 7},
    {"more_ns", "more", CELL_DELTA, 11},
    {"cause", "mostly by", CELL_TEXT, 10},
    {"more_without_processor_ns", "delayed", CELL_DELTA, 4},
    {"more_in_kernel_ns", "kernel", CELL_DELTA, 6},
    {"more_by_instructions_ns", NULL, CELL_DELTA, 0},
    {"more_by_executions_ns", NULL, CELL_DELTA, 0},
    {"more_by_sharing_ns", "sharing", CELL_DELTA, 3},
    {"more_by_clock_ns", "clock", CELL_DELTA, 2},
    {"not_measured_ns", "not known", CELL_DELTA, 5},
    {"most_by_bandwidth_ns", "bandwidth", CELL_DELTA, 1},
    {"most_by_arithmetic_ns", "arithmetic", CELL_DELTA, 1},
    {"more_faults", NULL, CELL_DELTA, 0},
    {"instructions_growth", "instr", CELL_FACTOR, 3},
    {"executions_growth", NULL, CELL_FACTOR, 0},
    {"tasks_growth", "tasks", CELL_FACTOR, 2},
};

static const char *const cause_names[GROWTH_CAUSES] = {
    [CAUSE_NONE] = "",
    [CAUSE_DELAYED] = "no processor",
    [CAUSE_KERNEL] = "kernel",
    [CAUSE_INSTRUCTIONS] = "instructions",
    [CAUSE_EXECUTIONS] = "executions",
    [CAUSE_SHARING] = "sharing",
    [CAUSE_CLOCK] = "clock",
    [CAUSE_BANDWIDTH] = "bandwidth",
    [CAUSE_ARITHMETIC] = "arithmetic",
    [CAUSE_UNKNOWN] = "not known",
};

static void put_time(struct table *table, double time)
{
	table_put_delta(table, isnan(time) ? TABLE_NO_DELTA : (int64_t)llround(time));
}

static void put_factor(struct table *table, double factor)
{
	table_put_ratio(table, isnan(factor) ? -1 : factor);
}

static const char *cause_name(const struct growth_parts *parts)
{
	if (parts->cause == CAUSE_KERNEL &&
	    parts->parts[CAUSE_KERNEL] < LONGEST_FAULT * parts->faults)
		return "page faults";
	return cause_names[parts->cause];
}

static void put_region(
    struct table *table, const struct grown_region *region, const struct growth_parts *parts)
{
	table_put_text(table, region->name);
	table_put_number(table, (uint64_t)parts->work);
	table_put_number(table, (uint64_t)parts->then);
	put_factor(table, parts->work > 0 ? parts->then / parts->work : NAN);
	put_factor(table, parts->low);
	put_factor(table, parts->high);
	put_time(table, parts->more);
	table_put_text(table, cause_name(parts));
	put_time(table, parts->parts[CAUSE_DELAYED]);
	put_time(table, parts->parts[CAUSE_KERNEL]);
	put_time(table, parts->parts[CAUSE_INSTRUCTIONS]);
	put_time(table, parts->parts[CAUSE_EXECUTIONS]);
	put_time(table, parts->parts[CAUSE_SHARING]);
	put_time(table, parts->parts[CAUSE_CLOCK]);
	put_time(table, parts->parts[CAUSE_UNKNOWN]);
	put_time(table, parts->most_by_bandwidth);
	put_time(table, parts->most_by_arithmetic);
	put_time(table, parts->faults);
	put_factor(table, parts->instructions);
	put_factor(table, parts->executions);
	put_factor(table, region->is_task ? parts->executions : NAN);
}

static uint64_t whole(double value)
{
	return value > 0 ? (uint64_t)llround(value) : 0;
}

/* What is known of one part. */
static void describe_part(FILE *out, const struct growth_parts *parts, enum growth_cause cause)
{
	char time[SUMMARY_FIGURE_SIZE], count[SUMMARY_FIGURE_SIZE];

	summary_format_time(time, whole(parts->parts[cause]));
	switch (cause) {
	case CAUSE_DELAYED:
		fprintf(out, "threads were ready and had no processor for %s more", time);
		break;
	case CAUSE_KERNEL:
		fprintf(out, "%s of it in the kernel", time);
		if (parts->faults > 0)
			fprintf(out, ", with %s more page faults",
			    summary_format_exact(count, whole(parts->faults)));
		break;
	case CAUSE_INSTRUCTIONS:
		fprintf(out, "%s by %.2f times as many instructions", time, parts->instructions);
		break;
	case CAUSE_EXECUTIONS:
		fprintf(out, "up to %s because it is executed %.2f times as often", time,
		    parts->executions);
		break;
	case CAUSE_SHARING:
		fprintf(out, "about %s by cache lines that threads share, mostly those of %s", time,
		    parts->shared->variable);
		break;
	case CAUSE_CLOCK:
		fprintf(out, "%s by the clock, which this machine has slower with so many threads",
		    time);
		break;
	case CAUSE_BANDWIDTH:
		fprintf(out, "%s by memory, of whose bandwidth it takes %.0f %%", time,
		    100 * parts->memory_share);
		break;
	case CAUSE_ARITHMETIC:
		fprintf(out, "%s by arithmetic, of whose peak it reaches %.0f %%", time,
		    100 * parts->peak_share);
		break;
	default:
		fprintf(out, "%s by memory or something else that was not measured", time);
	}
}

/* Parts below a twentieth of the growth have no words. */
static void add_sentence(
    struct table *table, const struct grown_region *region, const struct growth_parts *parts)
{
	bool has_grown = parts->cause != CAUSE_DELAYED;
	char more[SUMMARY_FIGURE_SIZE], *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return;
	if (has_grown)
		fprintf(out, "%s more work", summary_format_time(more, whole(parts->more)));
	if (has_grown && parts->work > 0)
		fprintf(out, ", %.2f times as much", parts->then / parts->work);
	for (int i = CAUSE_DELAYED + 1; has_grown && i < GROWTH_CAUSES; i++) {
		if (!(parts->parts[i] >= parts->more / 20))
			continue;
		fputs("; ", out);
		describe_part(out, parts, (enum growth_cause)i);
	}
	if (!has_grown || parts->parts[CAUSE_DELAYED] >= parts->more / 20) {
		fputs(has_grown ? "; besides, " : "no more work, but ", out);
		describe_part(out, parts, CAUSE_DELAYED);
	}
	if (fclose(out) == 0)
		table_add_note(table, "%s: %s.", region->name, text);
	free(text);
}

static double grown(const struct grown_region *region)
{
	return work_mean(&region->many, WORK) - work_mean(&region->few, WORK);
}

static int compare_regions(const void *left, const void *right)
{
	const struct grown_region *one = left, *other = right;
	double mine = grown(one), its = grown(other);

	if (mine != its)
		return mine > its ? -1 : 1;
	return strcmp(one->name, other->name);
}

/* Keeps the regions that had work in runs of both numbers of threads. */
static size_t keep_compared(struct scaling_growth *growth)
{
	size_t kept = 0;

	for (size_t i = 0; i < growth->count; i++) {
		struct grown_region region = growth->regions[i];
		if (region.few.runs > 0 && region.many.runs > 0 &&
		    region.few.sums[WORK] + region.many.sums[WORK] > 0)
			growth->regions[kept++] = region;
		else
			free(region.name);
	}
	growth->count = kept;
	return kept;
}

/* Whether a region before it is at the same place, "solver.c:12 ". */
static bool shares_place(const struct scaling_growth *growth, size_t index)
{
	const char *name = growth->regions[index].name;
	size_t length = strcspn(name, " ") + 1;

	for (size_t i = 0; i < index; i++)
		if (strncmp(growth->regions[i].name, name, length) == 0)
			return true;
	return false;
}

/* How sure the growth is, by the number of runs. */
static void add_runs_note(struct table *table, const struct scaling_growth *growth)
{
	unsigned long long least = growth->least, most = growth->most;
	size_t few = growth->count ? growth->regions[0].few.runs : 0;
	size_t many = growth->count ? growth->regions[0].many.runs : 0;
	double confidence = growth_confidence(few, many);

	table_add_note(table, "Work of runs with %llu thread%s, then with %llu.", least,
	    least == 1 ? "" : "s", most);
	if (isnan(confidence))
		table_add_note(table,
		    "With one run of a number of threads nothing tells growth from chance: four of "
		    "each give an interval that holds in 97 %% of cases.");
	else
		table_add_note(table,
		    "from and to: the smallest and the largest ratio of any of %zu and %zu runs, which "
		    "have the true one between them in %.0f %% of cases.",
		    few, many, floor(100 * confidence));
}

/* What the machine explains, or how that becomes known. */
static void add_machine_note(
    struct table *table, const struct scaling_growth *growth, const struct machine_limits *limits)
{
	if (isnan(limits->clock)) {
		table_add_note(table,
		    "What clock and bandwidth explain is not known: 'ompinst machine' measures it, for "
		    "runs of this machine.");
		return;
	}
	table_add_note(table,
	    "On this machine %llu threads make work that is limited by bandwidth alone grow "
	    "%.2f times, and the clock all of it %.2f times (measured by 'ompinst machine').",
	    (unsigned long long)growth->most, limits->bandwidth, limits->clock);
	if (!isnan(limits->arithmetic))
		table_add_note(table,
		    "Work that is limited by arithmetic alone grows %.2f times: more means that "
		    "processors share their units.",
		    limits->arithmetic);
}

/* How the causes become known that were not looked for. */
static void add_ways(struct table *table, const struct growth_parts *parts,
    const struct scaling_growth *growth, const struct sharing_file *sharing)
{
	if (!sharing->is_given)
		table_add_note(table,
		    "Whether threads share cache lines was not looked for: 'ompinst sharing run "
		    "--format=json --output=FILE', and --sharing=FILE here.");
	else if (sharing->threads != growth->most)
		table_add_note(table,
		    "The cost of shared cache lines is of a run with %llu threads, not %llu.",
		    (unsigned long long)sharing->threads, (unsigned long long)growth->most);
	if (isnan(parts->instructions))
		table_add_note(table,
		    "How many instructions it executed was not counted: POMP_METRICS=PAPI_TOT_INS does "
		    "where the processor lets programs count.");
}

void scaling_growth_fill(
    struct table *table, struct scaling_growth *growth, const struct sharing_file *sharing)
{
	struct machine_limits limits = growth_limits(growth->least, growth->most);
	struct growth_parts unknown = {.cause = CAUSE_NONE};
	size_t sentences = 0;

	table_init(table, "scaling_growth",
	    "GROWN WORK: what threads work more when there are more of them", columns,
	    sizeof(columns) / sizeof(columns[0]));
	if (growth->least == growth->most) {
		table_add_note(table, "All runs have %llu threads: nothing can have grown.",
		    (unsigned long long)growth->most);
		return;
	}
	if (keep_compared(growth) > 1)
		qsort(growth->regions, growth->count, sizeof(growth->regions[0]), compare_regions);
	for (size_t i = 0; i < growth->count; i++) {
		const struct grown_region *region = &growth->regions[i];
		struct growth_parts parts =
		    growth_parts_of(growth, region, &limits, sharing, shares_place(growth, i));

		put_region(table, region, &parts);
		if (parts.cause != CAUSE_NONE && sentences++ < MOST_SENTENCES)
			add_sentence(table, region, &parts);
		if (parts.cause == CAUSE_UNKNOWN && unknown.cause == CAUSE_NONE)
			unknown = parts;
	}
	add_runs_note(table, growth);
	add_machine_note(table, growth, &limits);
	if (unknown.cause != CAUSE_NONE)
		add_ways(table, &unknown, growth, sharing);
}
