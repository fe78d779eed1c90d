/* SPDX-License-Identifier: BSD-3-Clause */
/* From a replay with a change to a prediction with its error bounds. */
#include "prediction.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

/*
 * Errors of predictions: shares of the time that the change gains or costs, downwards and upwards,
 * and shares of the whole wall time. Taken from the results of test/bench/whatif and loops.py so
 * that nine of ten cases lie within. Iterations that another thread executes may have to fetch what
 * this one had in its caches, which a trace does not show.
 */
static const struct error {
	double less, more, always_less, always_more;
} errors[CHANGE_KINDS] = {
    [CHANGE_BALANCE] = {0.15, 0.10, 0.04, 0.04},
    [CHANGE_SCHEDULE] = {0.25, 0.15, 0.04, 0.12},
    [CHANGE_THREADS] = {0.30, 0.20, 0.04, 0.04},
    [CHANGE_FASTER] = {0.15, 0.10, 0.04, 0.04},
    [CHANGE_NO_WAIT] = {0.20, 0.20, 0.04, 0.04},
    [CHANGE_GRAIN] = {0.50, 0.30, 0.05, 0.05},
    [CHANGE_UNLOCK] = {0.20, 0.30, 0.04, 0.04},
};

/*
 * A trace of one thread does not show how threads affect each other: more threads may gain next to
 * nothing.
 */
static const struct error from_one_thread = {0.20, 0.90, 0.04, 0.04};

/* Nothing is predicted if the replay without a change is off by more than this share of the run. */
#define OFF_MOST 0.1

/*
 * If the wall times with undivided work, or with cheap and with dear chunks, differ by more than
 * this factor, only limits are known; else the interval contains both.
 */
#define LIMITS_LEAST 1.1

/* A run is busy if it would have been shorter by more than this share. */
#define BUSY_LEAST 0.02

/* Takes out of all strands what threads did not run for lack of a processor. */
static void take_out_delays(struct recording *recording)
{
	uint64_t costs = 0;

	for (size_t i = 0; i < recording->strand_count; i++)
		for (size_t j = 0; j < recording->strands[i].count; j++)
			if (recording->strands[i].actions[j].kind == ACTION_BARRIER)
				costs += recording->strands[i].actions[j].ticks;
	/* What a barrier took after the last arrival; which of them were delayed is not kept. */
	double left = costs > recording->wait_delayed
			  ? 1 - (double)recording->wait_delayed / (double)costs
			  : 0;
	for (size_t i = 0; i < recording->strand_count; i++) {
		struct strand *strand = strand_edit(recording, (uint32_t)i);

		for (size_t j = 0; j < strand->count; j++) {
			struct action *action = &strand->actions[j];

			if (action->kind == ACTION_DELAYED)
				action->ticks = 0;
			else if (action->kind == ACTION_BARRIER)
				action->ticks = (uint64_t)((double)action->ticks * left);
		}
	}
}

/* Adds the recording without delays, if there are any. */
static void find_busy(struct whatif *whatif)
{
	const struct recording *recording = whatif->recording;
	struct replay replay;

	if (recording->delayed + recording->wait_delayed == 0 || whatif->base.is_stuck)
		return;
	whatif->quiet = recording_copy(recording);
	take_out_delays(whatif->quiet);
	replay = replay_run(whatif->quiet);
	if (!replay.is_stuck && replay.wall <= whatif->base.wall)
		whatif->busy = whatif->base.wall - replay.wall;
	replay_free(&replay);
}

struct whatif whatif_new(const struct analysis *analysis, struct recording *recording)
{
	struct whatif whatif = {
	    .analysis = analysis, .recording = recording, .base = replay_run(recording)};

	find_busy(&whatif);
	return whatif;
}

bool whatif_is_busy(const struct whatif *whatif)
{
	return (double)whatif->busy > BUSY_LEAST * (double)whatif->recording->wall;
}

void whatif_free(struct whatif *whatif)
{
	replay_free(&whatif->base);
	if (whatif->quiet)
		recording_free(whatif->quiet);
	recording_free(whatif->recording);
}

/* The error of the replay without a change. */
static double base_off(const struct whatif *whatif)
{
	double recorded = (double)whatif->recording->wall, replayed = (double)whatif->base.wall;

	return replayed > recorded ? replayed - recorded : recorded - replayed;
}

bool whatif_repeats(const struct whatif *whatif)
{
	return !whatif->base.is_stuck &&
	       base_off(whatif) <= OFF_MOST * (double)whatif->recording->wall;
}

double whatif_speedup(const struct whatif *whatif, uint64_t wall)
{
	return wall > 0 ? (double)whatif->recording->wall / (double)wall : 1;
}

/* Bounds of a wall time; the errors of several changes add up. */
struct interval {
	double low, high;
};

/* If `less` exceeds half of the wall time, the result still stays above 0. */
static double subtract(double wall, double less)
{
	return less <= wall / 2 ? wall - less : wall * wall / (4 * less);
}

static struct interval find_interval(
    const struct whatif *whatif, const struct change *changes, size_t count, double wall)
{
	double recorded = (double)whatif->recording->wall;
	double moved = wall > recorded ? wall - recorded : recorded - wall;
	double less = base_off(whatif) + (double)whatif->busy, more = less;

	for (size_t i = 0; i < count; i++) {
		const struct error *error = &errors[changes[i].kind];

		if (changes[i].kind == CHANGE_THREADS && !whatif->growth &&
		    growth_threads(whatif->recording) <= 1)
			error = &from_one_thread;
		less += error->less * moved + error->always_less * wall;
		more += error->more * moved + error->always_more * wall;
	}
	return (struct interval){subtract(wall, less), wall + more};
}

/* The interval of an end: a wall time with the most extreme costs, which itself is an error. */
static struct interval find_end(const struct change *changes, size_t count, double wall)
{
	double less = 0, more = 0;

	for (size_t i = 0; i < count; i++) {
		less += errors[changes[i].kind].always_less;
		more += errors[changes[i].kind].always_more;
	}
	return (struct interval){subtract(wall, less * wall), wall + more * wall};
}

/* Makes the change in the recording. Adds to *unknown what the result depends on. */
static void apply(const struct whatif *whatif, struct recording *changed,
    const struct change *change, enum division division, unsigned *unknown)
{
	bool grows = change->kind == CHANGE_THREADS && whatif->growth;
	uint32_t before = grows ? growth_threads(changed) : 0;

	*unknown |= change_apply(changed, whatif->analysis, change, division);
	if (before > 0)
		growth_apply(whatif->growth, changed, before, (uint32_t)change->number);
}

/* Replays the run with the changes. *unknown: what the result depends on (enum unknown). */
static struct replay replay_changed(const struct whatif *whatif, const struct recording *recording,
    const struct change *changes, size_t count, enum division division, unsigned *unknown)
{
	struct recording *changed = recording_copy(recording);
	struct replay replay;

	*unknown = 0;
	for (size_t i = 0; i < count; i++)
		apply(whatif, changed, &changes[i], division, unknown);
	replay = replay_run(changed);
	recording_free(changed);
	return replay;
}

/* The replay's corrected wall time; 0 if it is not known. */
static double corrected_wall(const struct whatif *whatif, const struct replay *replay)
{
	return replay->is_stuck || whatif->base.wall == 0
		   ? 0
		   : (double)replay->wall * (double)whatif->recording->wall /
			 (double)whatif->base.wall;
}

/* The results of several divisions. */
struct limits {
	struct interval interval; /* contains those of all */
	double least, most;       /* wall times */
	struct replay shortest;   /* of the least */
};

/* Adds the result of that division. Returns whether its wall time is known. */
static bool widen(const struct whatif *whatif, const struct change *changes, size_t count,
    enum division division, struct limits *limits)
{
	unsigned unknown;
	struct replay replay =
	    replay_changed(whatif, whatif->recording, changes, count, division, &unknown);
	double wall = corrected_wall(whatif, &replay);
	struct interval other = division == DIVIDED_NOWHERE
				    ? find_interval(whatif, changes, count, wall)
				    : find_end(changes, count, wall);

	if (other.low < limits->interval.low)
		limits->interval.low = other.low;
	if (other.high > limits->interval.high)
		limits->interval.high = other.high;
	if (wall > limits->most)
		limits->most = wall;
	if (wall < limits->least && wall > 0) {
		limits->least = wall;
		replay_free(&limits->shortest);
		limits->shortest = replay;
	} else {
		replay_free(&replay);
	}
	return wall > 0;
}

/*
 * Widens the interval by what the change brings if no thread lacks a processor: with chunks, others
 * did the work of those that did. Returns whether what chunks cost leaves only limits of that.
 */
static bool widen_quiet(
    const struct whatif *whatif, const struct change *changes, size_t count, struct limits *limits)
{
	double least = 0, most = 0;
	unsigned unknown = UNKNOWN_CHUNKS;

	for (enum division division = DIVIDED_EVENLY;
	     division <= DIVIDED_DEARLY && (unknown & UNKNOWN_CHUNKS); division++) {
		struct replay replay =
		    replay_changed(whatif, whatif->quiet, changes, count, division, &unknown);
		double wall = corrected_wall(whatif, &replay);

		replay_free(&replay);
		if (wall <= 0)
			continue;
		least = least > 0 ? fmin(least, wall) : wall;
		most = fmax(most, wall);
	}
	if (least > 0)
		limits->interval.low =
		    fmin(limits->interval.low, find_end(changes, count, least).low);
	return most > least * LIMITS_LEAST;
}

struct prediction whatif_predict(
    const struct whatif *whatif, const struct change *changes, size_t count)
{
	struct prediction prediction = {0};
	struct limits limits = {0};
	double wall;
	unsigned unknown;

	if (!whatif_repeats(whatif))
		return prediction;
	prediction.replay =
	    replay_changed(whatif, whatif->recording, changes, count, DIVIDED_EVENLY, &unknown);
	wall = limits.least = limits.most = corrected_wall(whatif, &prediction.replay);
	if (wall <= 0)
		return prediction;
	limits.interval = find_interval(whatif, changes, count, wall);
	prediction.is_known = true;
	if (unknown & UNKNOWN_PARTS)
		prediction.is_known = widen(whatif, changes, count, DIVIDED_NOWHERE, &limits);
	if (unknown & UNKNOWN_CHUNKS)
		prediction.is_known &= widen(whatif, changes, count, DIVIDED_CHEAPLY, &limits) &&
				       widen(whatif, changes, count, DIVIDED_DEARLY, &limits);
	prediction.is_limit = limits.most > limits.least * LIMITS_LEAST;
	if (whatif->quiet)
		prediction.is_limit |= widen_quiet(whatif, changes, count, &limits);
	if (prediction.is_limit && limits.least < wall) {
		replay_free(&prediction.replay);
		prediction.replay = limits.shortest;
		wall = limits.least;
	} else {
		replay_free(&limits.shortest);
	}
	prediction.wall = (uint64_t)wall;
	prediction.low = (uint64_t)limits.interval.low;
	prediction.high = (uint64_t)limits.interval.high;
	return prediction;
}
