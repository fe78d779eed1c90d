/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a change would bring: the wall time of the replay with it, corrected by what the replay
 * without a change is off by, and how far off that may be. doc/performance.md has the programs that
 * the errors come from (test/bench/whatif). All times are ticks.
 *
 * Where a change divides work whose parts no event shows, there are two replays: one in which the
 * work is divided evenly, and one in which it is not divided. Then no wall time is predicted but
 * that the program takes between the two.
 */
#ifndef PREDICTION_H
#define PREDICTION_H

#include "change.h"
#include "replay.h"

struct whatif {
	const struct analysis *analysis;
	struct recording *recording;
	struct replay base; /* without a change */
};

struct prediction {
	bool is_known; /* false: a replay ended in a wait or is off; nothing else is set */
	bool is_limit; /* wall is what an even division takes, and no prediction */
	uint64_t wall, low, high; /* nine of ten runs are between low and high */
	struct replay replay;     /* of the wall time */
};

/* Most of changes that are tried by themselves. */
enum { WHATIF_TRIALS_MAX = 24 };

/* A change that may make sense, and what it is about. */
struct trial {
	struct change change;
	uint32_t subject; /* construct, or lock of CHANGE_UNLOCK; of threads RECORDED_NONE */
	struct prediction prediction;
};

/* Takes the recording. */
struct whatif whatif_new(const struct analysis *analysis, struct recording *recording);
void whatif_free(struct whatif *whatif);

/*
 * Whether the replay without a change takes as long as the run, but for a tenth: otherwise the
 * trace does not show what decides when threads go on, and nothing is predicted.
 */
bool whatif_repeats(const struct whatif *whatif);

/* All of the changes together. The caller frees the prediction's replay. */
struct prediction whatif_predict(
    const struct whatif *whatif, const struct change *changes, size_t count);

/* Speed-up by a wall time: how many times faster than the run. */
double whatif_speedup(const struct whatif *whatif, uint64_t wall);

/* How many of a construct's tasks make one that is worth its creation: a power of two. */
double trial_grain(const struct construct *construct);

/*
 * Tries what makes sense for the run, and orders it by the least wall time of each. Returns how
 * many; whatif_free_trials() frees what they hold.
 */
size_t whatif_try(const struct whatif *whatif, struct trial trials[WHATIF_TRIALS_MAX]);
void whatif_free_trials(struct trial *trials, size_t count);

#endif
