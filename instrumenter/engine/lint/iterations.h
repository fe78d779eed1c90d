/* SPDX-License-Identifier: BSD-3-Clause */
/* Do two constructs of one team touch the same element of an array on different threads? */
#ifndef LINT_ITERATIONS_H
#define LINT_ITERATIONS_H

#include "array-access.h"

/* Which threads execute the construct around an access. */
enum lint_executor {
	LINT_SHARED_OUT, /* `for`: each iteration is executed by one thread */
	LINT_ONE_THREAD, /* single, a section: any thread */
	LINT_THREAD_0,   /* master, masked */
	LINT_ALL_THREADS,
};

struct lint_place_of_access {
	const struct model_event *event;
	const struct tree_construct *construct; /* worksharing, or the region; NULL: the function */
	enum lint_executor executor;
};

/*
 * True if it is certain that both accesses touch one element and that different threads may do so:
 * in iterations of different numbers, or in iterations of the same number if the two loops may
 * assign them to different threads. A loop of unknown length is assumed to have more than a few
 * iterations.
 */
bool lint_meets_on_other_thread(struct lint_unit *unit, const struct model_function *function,
    const struct lint_place_of_access *one, const struct lint_place_of_access *other);

/* Two iterations of the same loop, by their numbers from 0, in which one element is touched. */
struct lint_iterations {
	size_t loop; /* the associated loop whose iterations differ */
	long long numbers[2];
	bool last[2]; /* the last iteration instead */
};

/* Which pairs of iterations count: the first access's has to be another one, or an earlier one. */
enum lint_apart { LINT_OTHER_ITERATION, LINT_LATER_ITERATION };

/*
 * True if it is certain that two accesses in the body of one construct touch the same element in
 * different iterations of its loops. Both must be executed in each iteration. A loop of unknown
 * length is assumed to have a few iterations.
 */
bool lint_meets_in_other_iteration(struct lint_unit *unit, const struct model_function *function,
    const struct lint_access *one, const struct lint_access *other,
    const struct tree_construct *construct, enum lint_apart apart,
    struct lint_iterations *iterations);

/* The clause safelen: how far apart iterations in concurrent lanes may be; 0: unlimited. */
long long lint_safe_length(const struct tree_construct *construct);

/* May iterations of one chunk be executed concurrently under any schedule? */
bool lint_iterations_are_concurrent(const struct tree_construct *construct);

/* Do iterations have an order already, by a clause or because one thread executes them? */
bool lint_iterations_have_order(const struct tree_construct *construct);

#endif
