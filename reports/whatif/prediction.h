/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effect of a change: the wall time of the replay with the change, corrected by the error of
 * the replay without it, and the likely error of the result. doc/performance.md describes the
 * programs that the errors were measured with (test/bench/whatif). All times are ticks.
 *
 * If a change divides work and no event shows the parts, there are two replays: one divides the
 * work evenly, and one does not divide it. If chunks of loops may cost a noticeable part of the
 * work, one replay more has cheap ones, and one dear ones. The interval contains all; if they are
 * far apart, the prediction is only that the wall time lies between them.
 */
#ifndef PREDICTION_H
#define PREDICTION_H

#include "change.h"
#include "growth.h"
#include "replay.h"

struct whatif {
	const struct analysis *analysis;
	struct recording *recording;
	struct replay base; /* without a change */
	/* How much shorter the run would have been if threads had not lacked a processor. */
	uint64_t busy;
	struct recording *quiet;     /* without such delays; NULL: there are none */
	const struct growth *growth; /* of work with the number of threads; NULL: unknown */
};

struct prediction {
	bool is_known; /* false: a replay got stuck or differs too much; nothing else is set */
	bool is_limit; /* wall is the least time of these replays, not a prediction */
	uint64_t wall, low, high; /* nine of ten runs are between low and high */
	struct replay replay;     /* the one that gave the wall time */
};

/* Maximum number of changes that whatif_try() tries. */
enum { WHATIF_TRIALS_MAX = 24 };

/* A change that may be useful, and its subject. */
struct trial {
	struct change change;
	uint32_t subject; /* construct, lock for CHANGE_UNLOCK, RECORDED_NONE for threads */
	size_t given;     /* of --each: which option of the command line it is */
	struct prediction prediction;
};

/* Takes ownership of the recording. */
struct whatif whatif_new(const struct analysis *analysis, struct recording *recording);
void whatif_free(struct whatif *whatif);

/*
 * Whether the replay without a change takes as long as the run, within a tenth. Otherwise the trace
 * does not show what lets threads continue, and nothing is predicted.
 */
bool whatif_repeats(const struct whatif *whatif);

/*
 * Whether threads lacked processors for so much of the run that it is worth saying. Another run may
 * lack none, so that predictions contain the difference.
 */
bool whatif_is_busy(const struct whatif *whatif);

/* Predicts all changes together. The caller frees the prediction's replay. */
struct prediction whatif_predict(
    const struct whatif *whatif, const struct change *changes, size_t count);

/* The speed-up for a wall time: how many times faster than the run. */
double whatif_speedup(const struct whatif *whatif, uint64_t wall);

/* How many of a construct's tasks should become one to be worth its creation: a power of two. */
double trial_grain(const struct construct *construct);

/*
 * Tries the changes that may be useful for the run and sorts them by wall time, shortest first.
 * Returns their number; whatif_free_trials() frees what they contain.
 */
size_t whatif_try(const struct whatif *whatif, struct trial trials[WHATIF_TRIALS_MAX]);
void whatif_sort_trials(struct trial *trials, size_t count);
void whatif_free_trials(struct trial *trials, size_t count);

#endif
