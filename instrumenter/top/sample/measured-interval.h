/* SPDX-License-Identifier: BSD-3-Clause */
/* What libpomp has measured in an interval, of a program that it measures. */
#ifndef MEASURED_INTERVAL_H
#define MEASURED_INTERVAL_H

#include "measured-process.h"

struct measured_interval {
	const struct profile_library *library;
	uint64_t table;    /* libpomp's, in the program; 0: it is not measured */
	char *begin;       /* the packed profile at the interval's begin (heap); NULL: unknown */
	size_t begin_size; /* bytes */
	uint64_t start;    /* of the measurement that `begin` is of */
	bool is_known;     /* `profile` is that of the last interval */
	struct live_profile profile;
	struct place_names names;
};

/* Begins the first interval, if libpomp is among the modules and `library` was loaded. */
void measured_interval_open(struct measured_interval *interval,
    const struct profile_library *library, struct code_lookup *names, struct target_memory *memory,
    const struct loaded_modules *modules);

/* Ends an interval; its end is the next one's begin. */
void measured_interval_end(struct measured_interval *interval, struct target_memory *memory);

void measured_interval_close(struct measured_interval *interval);

#endif
