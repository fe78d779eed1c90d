/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a region's time depends on the number of threads, from runs with different ones: the elapsed
 * time on T threads as
 *
 *	serial + work / T + contention * (T - 1)
 *
 * none of them negative (Amdahl's law, and what grows with each thread more: waits for a lock,
 * barriers, lines of memory that all write). Fitted by least squares of relative errors.
 */
#ifndef SCALING_LAW_H
#define SCALING_LAW_H

#include <stdbool.h>
#include <stddef.h>

struct scaling_point {
	double threads; /* 1 or more */
	double time;    /* elapsed, any unit, more than 0 */
};

enum { SCALING_TERMS = 3 };

struct scaling_law {
	double serial, work, contention; /* units of the points' time */
	bool is_known; /* false: points of fewer than three numbers of threads; nothing else is set
			*/
	/*
	 * The points' deviations from the law tell how far off it is: their relative variance, and
	 * of how many (points beyond the three terms). 0: nothing is known of its error.
	 */
	double variance;
	size_t freedom;
	double inverse[SCALING_TERMS][SCALING_TERMS]; /* of the normal equations */
};

struct scaling_law scaling_law_fit(const struct scaling_point *points, size_t count);

/*
 * The time on `threads`, and between which values another run would be in 19 of 20 cases if the law
 * holds so far (*low is 0 or more). False, with the time alone: the error is not known, or more
 * than half of the time.
 */
bool scaling_law_predict(
    const struct scaling_law *law, double threads, double *time, double *low, double *high);

#endif
