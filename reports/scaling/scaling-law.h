/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a region's time depends on the number of threads, from runs with different numbers: the
 * elapsed time on T threads is
 *
 *	serial + work / T + contention * (T - 1)
 *
 * with no term negative (Amdahl's law, plus what grows with each further thread: waits for a lock,
 * barriers, cache lines that all threads write). Fitted by least squares of the relative errors.
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
	bool is_known; /* false: fewer than three numbers of threads; nothing else is set */
	/*
	 * The error follows from the points' deviations from the law: their relative variance, and
	 * the number of points beyond the three terms. 0: the error is unknown.
	 */
	double variance;
	size_t freedom;
	double inverse[SCALING_TERMS][SCALING_TERMS]; /* of the normal equations */
};

struct scaling_law scaling_law_fit(const struct scaling_point *points, size_t count);

/*
 * The time on `threads`, and an interval that contains another run's time in 95 % of cases if the
 * law holds there (*low is at least 0). Returns false and sets only the time if the error is
 * unknown or exceeds half of the time.
 */
bool scaling_law_predict(
    const struct scaling_law *law, double threads, double *time, double *low, double *high);

#endif
