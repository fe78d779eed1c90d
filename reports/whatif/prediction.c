/* SPDX-License-Identifier: BSD-3-Clause */
/* From a replay with a change to a prediction with its error. */
#include "prediction.h"

#include <stdlib.h>

#include "memory.h"

/*
 * How far off predictions are, as shares of the wall time that the change moves, and of the wall
 * time whatever it moves: from the table in doc/performance.md, so that nine of ten cases lie
 * within.
 */
static const struct {
	double moved, always;
} errors[CHANGE_KINDS] = {
    [CHANGE_BALANCE] = {0.10, 0.02},
    [CHANGE_SCHEDULE] = {0.15, 0.02},
    [CHANGE_THREADS] = {0.20, 0.03},
    [CHANGE_FASTER] = {0.10, 0.02},
    [CHANGE_NO_WAIT] = {0.20, 0.02},
    [CHANGE_GRAIN] = {0.30, 0.03},
    [CHANGE_UNLOCK] = {0.30, 0.03},
};

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

/* Of several changes the errors add up. */
static void find_error(const struct whatif *whatif, const struct change *changes, size_t count,
    struct prediction *prediction)
{
	double recorded = (double)whatif->recording->wall, replayed = (double)whatif->base.wall;
	double wall = (double)prediction->wall,
	       moved = wall > recorded ? wall - recorded : recorded - wall;
	double error = replayed > recorded ? replayed - recorded : recorded - replayed;

	for (size_t i = 0; i < count; i++)
		error +=
		    errors[changes[i].kind].moved * moved + errors[changes[i].kind].always * wall;
	prediction->low = error < wall ? (uint64_t)(wall - error) : 0;
	prediction->high = (uint64_t)(wall + error);
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
