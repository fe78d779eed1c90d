/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cause is named only if it was measured and is half of the growth or more: the kernel's time,
 * time without a processor, instructions, executions of the construct, cache lines that `ompinst
 * sharing run` has seen, the machine's clock. That a machine could limit a construct is no evidence
 * that it does: memory and arithmetic are causes only where counters have seen the construct near
 * to what the machine can do.
 */
#include "growth-causes.h"

#include <math.h>

#include "common/machine-figures.h"

enum { FEWEST_SURE = 2 }; /* runs of each number of threads for an interval */

#define LEAST_GROWTH 0.05 /* of the work with few threads */
#define LEAST_SHARE  0.01 /* of the threads' time */
#define MOST_WAITS   0.1 /* of a construct's time: what waits execute counts as instructions, too */
#define NEAR         0.7 /* of what the machine can do */

struct machine_limits growth_limits(uint64_t least, uint64_t most)
{
	struct machine_limits limits = {NAN, NAN, NAN, NAN, NAN};
	struct machine_figures figures;
	char path[PATH_MAX];

	if (!machine_figures_path(path) || machine_figures_read(path, &figures) != 0)
		return limits;
	const struct machine_row *few = machine_row_of(&figures, (unsigned)least);
	const struct machine_row *many = machine_row_of(&figures, (unsigned)most);
	if (!few || !many)
		return limits;
	double threads = (double)most / (double)least;
	limits.clock = fmax(many->chain_time / few->chain_time, 1);
	limits.bandwidth = fmax(threads * few->bandwidth / many->bandwidth, 1);
	limits.bytes = many->bandwidth;
	if (few->peak > 0 && many->peak > 0) {
		limits.arithmetic = fmax(threads * few->peak / many->peak, 1);
		limits.operations = many->peak;
	}
	return limits;
}

double growth_confidence(size_t few_runs, size_t many_runs)
{
	double ways = 1;

	if (few_runs < FEWEST_SURE || many_runs < FEWEST_SURE)
		return NAN;
	for (size_t i = 1; i <= few_runs; i++)
		ways *= (double)(many_runs + i) / (double)i;
	return 1 - 2 / ways;
}

static double difference(const struct grown_region *region, enum work_value value)
{
	return work_mean(&region->many, value) - work_mean(&region->few, value);
}

static double ratio(const struct grown_region *region, enum work_value value)
{
	double few = work_mean(&region->few, value);

	return few > 0 ? work_mean(&region->many, value) / few : NAN;
}

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

/* What threads do in waits is in these counts: they say nothing if waits are a large part. */
static bool counts_work(const struct work_sum *sum)
{
	return !(sum->sums[WORK_WAITS] > MOST_WAITS * sum->sums[WORK_TIME]);
}

/* What the most threads reach of the machine's rate, while they are in the construct. */
static double share_of_rate(const struct scaling_growth *growth, const struct work_sum *many,
    enum work_value value, double most)
{
	double seconds = 1e-9 * many->sums[WORK_TIME] / (double)growth->most;

	return seconds > 0 ? many->sums[value] / seconds / most : NAN;
}

static void set_interval(struct growth_parts *parts, const struct grown_region *region)
{
	const struct work_sum *few = &region->few, *many = &region->many;
	bool is_sure = few->runs >= FEWEST_SURE && many->runs >= FEWEST_SURE;

	parts->low = is_sure && few->most > 0 ? many->least / few->most : NAN;
	parts->high = is_sure && few->least > 0 ? many->most / few->least : NAN;
}

/* The parts that were measured; what is left of the growth after each is the most of the next. */
static void set_parts(struct growth_parts *parts, const struct grown_region *region,
    const struct machine_limits *limits, double shared)
{
	double program = fmax(parts->work - or_zero(work_mean(&region->few, WORK_SYSTEM)), 0);
	bool counts = counts_work(&region->few) && counts_work(&region->many);
	double rest;

	parts->parts[CAUSE_DELAYED] = difference(region, WORK_DELAYED);
	parts->parts[CAUSE_KERNEL] = difference(region, WORK_SYSTEM);
	rest = fmax(parts->more - or_zero(parts->parts[CAUSE_KERNEL]), 0);
	parts->parts[CAUSE_INSTRUCTIONS] =
	    counts ? fmin(fmax(program * (parts->instructions - 1), 0), rest) : NAN;
	if (!counts || isnan(parts->instructions))
		parts->parts[CAUSE_INSTRUCTIONS] = NAN;
	rest -= or_zero(parts->parts[CAUSE_INSTRUCTIONS]);
	parts->parts[CAUSE_EXECUTIONS] =
	    isnan(parts->parts[CAUSE_INSTRUCTIONS]) && !isnan(parts->executions)
		? fmin(fmax(program * (parts->executions - 1), 0), rest)
		: NAN;
	rest -= or_zero(parts->parts[CAUSE_EXECUTIONS]);
	parts->parts[CAUSE_SHARING] = fmin(shared, rest);
	if (isnan(shared))
		parts->parts[CAUSE_SHARING] = NAN;
	rest -= or_zero(parts->parts[CAUSE_SHARING]);
	parts->parts[CAUSE_CLOCK] =
	    isnan(limits->clock) ? NAN : fmin(program * (limits->clock - 1), rest);
	rest -= or_zero(parts->parts[CAUSE_CLOCK]);
	parts->most_by_bandwidth = program * (limits->bandwidth - 1);
	parts->most_by_arithmetic = program * (limits->arithmetic - 1);
	parts->parts[CAUSE_BANDWIDTH] =
	    parts->memory_share >= NEAR ? fmin(or_zero(parts->most_by_bandwidth), rest) : NAN;
	rest -= or_zero(parts->parts[CAUSE_BANDWIDTH]);
	parts->parts[CAUSE_ARITHMETIC] =
	    parts->peak_share >= NEAR ? fmin(or_zero(parts->most_by_arithmetic), rest) : NAN;
	rest -= or_zero(parts->parts[CAUSE_ARITHMETIC]);
	parts->parts[CAUSE_UNKNOWN] = rest;
}

/* Whether the loss is worth a sentence. */
static bool is_large(
    const struct scaling_growth *growth, const struct growth_parts *parts, double loss)
{
	return loss >= LEAST_GROWTH * parts->work && loss > 0 &&
	       loss >= LEAST_SHARE * growth->capacity / (double)growth->runs;
}

/*
 * Growth that is surely more than chance, where that can be told, comes first: who else uses the
 * processors may have changed from run to run.
 */
static enum growth_cause main_cause(
    const struct scaling_growth *growth, const struct growth_parts *parts)
{
	if (is_large(growth, parts, parts->more) && (isnan(parts->low) || parts->low > 1)) {
		for (int i = CAUSE_DELAYED + 1; i < CAUSE_UNKNOWN; i++)
			if (parts->parts[i] >= parts->more / 2)
				return (enum growth_cause)i;
		return CAUSE_UNKNOWN;
	}
	return is_large(growth, parts, or_zero(parts->parts[CAUSE_DELAYED])) ? CAUSE_DELAYED
									     : CAUSE_NONE;
}

struct growth_parts growth_parts_of(const struct scaling_growth *growth,
    const struct grown_region *region, const struct machine_limits *limits,
    const struct sharing_file *sharing, bool shares_place)
{
	struct growth_parts parts = {.work = work_mean(&region->few, WORK),
	    .then = work_mean(&region->many, WORK),
	    .more = difference(region, WORK),
	    .faults = difference(region, WORK_FAULTS),
	    .instructions = ratio(region, WORK_INSTRUCTIONS),
	    .executions = ratio(region, WORK_EXECUTIONS),
	    .memory_share = share_of_rate(growth, &region->many, WORK_BYTES, limits->bytes),
	    .peak_share =
		share_of_rate(growth, &region->many, WORK_OPERATIONS, limits->operations)};
	double shared = sharing_file_cost(sharing, region->name, &parts.shared);

	if (shares_place)
		parts.shared = NULL;
	if (!parts.shared)
		shared = sharing->is_given ? 0 : NAN;
	set_interval(&parts, region);
	set_parts(&parts, region, limits, shared);
	parts.cause = main_cause(growth, &parts);
	return parts;
}
