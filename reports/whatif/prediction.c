/* SPDX-License-Identifier: BSD-3-Clause */
/* From a replay with a change to a prediction with its error. */
#include "prediction.h"

#include <stdlib.h>

#include "memory.h"

/*
 * How far off predictions are: shares of the wall time that the change moves, to be less or more,
 * and of the wall time whatever it moves. From the table in doc/performance.md, so that nine of ten
 * cases lie within.
 */
static const struct error {
	double less, more, always;
} errors[CHANGE_KINDS] = {
    [CHANGE_BALANCE] = {0.15, 0.10, 0.04},
    [CHANGE_SCHEDULE] = {0.15, 0.15, 0.04},
    [CHANGE_THREADS] = {0.20, 0.20, 0.04},
    [CHANGE_FASTER] = {0.15, 0.10, 0.04},
    [CHANGE_NO_WAIT] = {0.20, 0.20, 0.04},
    [CHANGE_GRAIN] = {0.50, 0.30, 0.05},
    [CHANGE_UNLOCK] = {0.20, 0.30, 0.04},
};

/* One thread's trace does not show how uneven iterations are: more may bring next to nothing. */
static const struct error from_one_thread = {0.20, 0.90, 0.04};

struct whatif whatif_new(const struct analysis *analysis, struct recording *recording)
{
	return (struct whatif){analysis, recording, replay_run(recording)};
}

void whatif_free(struct whatif *whatif)
{
	replay_free(&whatif->base);
	recording_free(whatif->recording);
}

double whatif_speedup(const struct whatif *whatif, uint64_t wall)
{
	return wall > 0 ? (double)whatif->recording->wall / (double)wall : 1;
}

/* Whether all teams of the run have one thread. */
static bool is_of_one_thread(const struct recording *recording)
{
	for (size_t i = 0; i < recording->team_count; i++) {
		if (recording->teams[i].size > 1)
			return false;
	}
	return true;
}

/* Of several changes the errors add up. */
static void find_error(const struct whatif *whatif, const struct change *changes, size_t count,
    struct prediction *prediction)
{
	double recorded = (double)whatif->recording->wall, replayed = (double)whatif->base.wall;
	double wall = (double)prediction->wall;
	double moved = wall > recorded ? wall - recorded : recorded - wall;
	double off = replayed > recorded ? replayed - recorded : recorded - replayed;
	double less = off, more = off;

	for (size_t i = 0; i < count; i++) {
		const struct error *error = &errors[changes[i].kind];

		if (changes[i].kind == CHANGE_THREADS && is_of_one_thread(whatif->recording))
			error = &from_one_thread;
		less += error->less * moved + error->always * wall;
		more += error->more * moved + error->always * wall;
	}
	prediction->low = less < wall ? (uint64_t)(wall - less) : 0;
	prediction->high = (uint64_t)(wall + more);
}

struct prediction whatif_predict(
    const struct whatif *whatif, const struct change *changes, size_t count)
{
	struct recording *changed = recording_copy(whatif->recording);
	struct prediction prediction = {0};

	for (size_t i = 0; i < count; i++)
		change_apply(changed, whatif->analysis, &changes[i]);
	prediction.replay = replay_run(changed);
	recording_free(changed);
	prediction.is_known = !prediction.replay.is_stuck && !whatif->base.is_stuck &&
			      whatif->base.wall > 0 && prediction.replay.wall > 0;
	if (prediction.is_known) {
		prediction.wall =
		    (uint64_t)((double)prediction.replay.wall * (double)whatif->recording->wall /
			       (double)whatif->base.wall);
		find_error(whatif, changes, count, &prediction);
	}
	return prediction;
}
