/* SPDX-License-Identifier: BSD-3-Clause */
/* Of what a construct's growth consists, as far as it was measured. */
#ifndef GROWTH_CAUSES_H
#define GROWTH_CAUSES_H

#include "scaling-growth.h"

enum growth_cause {
	CAUSE_NONE, /* it has not grown, or not surely */
	CAUSE_DELAYED,
	CAUSE_KERNEL,
	CAUSE_SHARING,
	CAUSE_INSTRUCTIONS,
	CAUSE_EXECUTIONS,
	CAUSE_CLOCK,
	CAUSE_BANDWIDTH,
	CAUSE_ARITHMETIC,
	CAUSE_UNKNOWN, /* no measured part is half of it */
	GROWTH_CAUSES
};

/* What the machine explains, as factors of the work with few threads; NAN: not known. */
struct machine_limits {
	double clock;
	double bandwidth, arithmetic; /* of work that is limited by that alone */
	double bytes, operations;     /* per second, with most threads */
};

/* Times in ns, NAN: not known. */
struct growth_parts {
	double work, then, more;
	double low, high;            /* of then / work; NAN with fewer than two runs of each */
	double parts[GROWTH_CAUSES]; /* of `more`, but CAUSE_DELAYED beside it; CAUSE_UNKNOWN: the
					rest */
	double instructions, executions;              /* factors */
	double faults;                                /* how many more */
	double most_by_bandwidth, most_by_arithmetic; /* limits, not parts */
	double memory_share, peak_share;              /* of the machine's, with most threads */
	const struct shared_place *shared;            /* or NULL */
	enum growth_cause cause;
};

struct machine_limits growth_limits(uint64_t least, uint64_t most);

/* `shares_place`: another region has got what `sharing` says of its place. */
struct growth_parts growth_parts_of(const struct scaling_growth *growth,
    const struct grown_region *region, const struct machine_limits *limits,
    const struct sharing_file *sharing, bool shares_place);

/*
 * How likely the true ratio is between the smallest and the largest of any two runs, if runs
 * differ by chance alone (an exact result for ratios of ordered samples).
 */
double growth_confidence(size_t few_runs, size_t many_runs);

#endif
