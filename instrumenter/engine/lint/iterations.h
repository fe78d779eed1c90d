/* SPDX-License-Identifier: BSD-3-Clause */
/* Do two constructs of one team touch the same element of an array on different threads? */
#ifndef LINT_ITERATIONS_H
#define LINT_ITERATIONS_H

#include "lint-unit.h"

/* Which threads execute the construct around an access. */
enum lint_executor {
	LINT_SHARED_OUT, /* `for`: each iteration is executed by one thread */
	LINT_ONE_THREAD, /* single, a section: any thread */
	LINT_THREAD_0,   /* master, masked */
	LINT_ALL_THREADS,
};

struct lint_place_of_access {
	const struct model_event *event;
	const struct tree_construct *construct; /* the worksharing construct, or the region */
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

#endif
