/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings that are tried, and those of them that make sense for a program and a machine. */
#ifndef TUNED_SETTINGS_H
#define TUNED_SETTINGS_H

#include "gain-search.h"
#include "tune-options.h"
#include "word-list.h"

/* How many times faster it may be, by a trace: nine of ten are between low and high. */
struct predicted_gain {
	double gain;      /* 0: only the limits are known */
	double low, high; /* high 0: nothing is predicted */
};

struct tuned_setting {
	const char *name;       /* the group, or "try" */
	char *title;            /* heap: short, for a table */
	struct words variables; /* "NAME=VALUE" */
	size_t place;           /* of one loop or region: a number of its own, from 1; else 0 */
	struct predicted_gain predicted;
};

/* One number is left for the patched program. */
enum { TUNED_SETTINGS_MOST = GAIN_SETTINGS_MOST - 1 };

struct tuned_settings {
	struct tuned_setting items[GAIN_SETTINGS_MOST];
	gain_set excludes[GAIN_SETTINGS_MOST];
	unsigned count;
	struct words left_out; /* sentences: which group is not tried, and why */
	bool failed;           /* memory ran out */
};

/* What is known of a program's loops with schedule(runtime). */
enum runtime_loops { RUNTIME_LOOPS_UNKNOWN, RUNTIME_LOOPS_NONE, RUNTIME_LOOPS_SOME };

/* What decides which settings make sense. */
struct tuned_machine {
	unsigned processors; /* that this process may use */
	unsigned cores;      /* of these processors; at least 1 */
	bool has_glibc;      /* malloc reads its variables */
	bool has_advice;     /* the kernel gives huge pages to memory for which a program asks */
	bool has_huge_pages; /* huge pages are reserved */
	enum runtime_loops loops;
	struct words regions; /* parallel regions, "FILE:LINE", most time first */
	size_t short_places;  /* loops and regions that take too little time to be tried */
	bool is_ordered;      /* by a summary: regions, and listed */
	bool has_loops;       /* the program lists some, perhaps none that is tried */
	struct words tasks;   /* tasks whose grain may change: the same */
	struct words listed;  /* those whose schedule may change each: shared/loop-schedule.h */
};

/* Finds out everything but the loops. */
void tuned_machine_find(struct tuned_machine *machine);

/*
 * Fills in those settings of the table that the options allow and that differ from what the
 * environment says already.
 */
void tuned_settings_make(const struct tune_options *options, const struct tuned_machine *machine,
    struct tuned_settings *settings);

/* Removes those settings that are not kept; kept[] has an element for each. */
void tuned_settings_keep(struct tuned_settings *settings, const bool *kept);

/* The variables of all settings of the set. */
void tuned_settings_variables(
    const struct tuned_settings *settings, gain_set set, struct words *variables);

/* The titles of the set with " + " between them (heap); NULL if memory ran out. */
char *tuned_settings_title(const struct tuned_settings *settings, gain_set set);

/*
 * Adds a setting that is not searched: the patched program, with those variables of the set that
 * the patch does not replace. Returns its set.
 */
gain_set tuned_settings_add_patched(struct tuned_settings *settings, gain_set best);

void tuned_settings_finish(struct tuned_settings *settings);

#endif
