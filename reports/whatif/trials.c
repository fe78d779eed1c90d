/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the changes that may be useful for a run: where work is uneven, where threads wait for a
 * lock, where tasks are small, and what faster code or other numbers of threads would gain. Each
 * kind of change is tried only for constructs of certain kinds that lose or take enough time.
 */
#include <stdlib.h>

#include "memory.h"
#include "prediction.h"

/* Least shares of the run's thread time for a change to be worth a try. */
#define LOSS_LEAST 0.005
#define WORK_LEAST 0.05

/* Wall times that differ by no more than this factor count as the same. */
#define AS_GOOD 1.01

/* Tasks shorter than this many times their creation are small. */
#define GRAIN_LEAST 20

struct trials {
	const struct whatif *whatif;
	struct trial *trials;
	size_t count;
	double thread_time;
};

/* A set with one element. */
static const bool *only(size_t count, uint32_t index)
{
	bool *set = memory_new(count > 0 ? count : 1, sizeof(set[0]));

	set[index] = true;
	return set;
}

static void add(struct trials *trials, struct change change, uint32_t subject)
{
	if (trials->count < WHATIF_TRIALS_MAX)
		trials->trials[trials->count++] =
		    (struct trial){.change = change, .subject = subject};
	else
		free((bool *)change.subjects);
}

static double share(const struct trials *trials, uint64_t time)
{
	return (double)time / trials->thread_time;
}

double trial_grain(const struct construct *construct)
{
	double work = (double)construct->time, create = (double)construct->create_time;
	double grain = 2;

	while (grain < 1e6 && work * grain < create * GRAIN_LEAST)
		grain *= 2;
	return grain;
}

static void add_of_construct(struct trials *trials, uint32_t index)
{
	const struct construct *construct = &trials->whatif->analysis->constructs[index];
	size_t count = trials->whatif->recording->construct_count;
	bool is_work = construct->kind == CONSTRUCT_KIND_WORK;
	uint64_t uneven;

	if (is_work && analysis_imbalance(construct, &uneven) &&
	    share(trials, uneven) >= LOSS_LEAST) {
		add(trials, (struct change){CHANGE_BALANCE, only(count, index), 0, 0}, index);
		if (change_suits(CHANGE_SCHEDULE, construct))
			add(trials,
			    (struct change){
				CHANGE_SCHEDULE, only(count, index), 0, LOOP_SCHEDULE_DYNAMIC},
			    index);
	}
	if (construct_is_shared_work(construct->kind) &&
	    share(trials, construct->barrier_wait) >= LOSS_LEAST)
		add(trials, (struct change){CHANGE_NO_WAIT, only(count, index), 0, 0}, index);
	if (change_suits(CHANGE_GRAIN, construct) && construct->created > construct->undeferred &&
	    construct->time < construct->create_time * GRAIN_LEAST)
		add(trials,
		    (struct change){CHANGE_GRAIN, only(count, index), trial_grain(construct), 0},
		    index);
	if (!analysis_is_construct(construct, CONSTRUCT_MPI) &&
	    share(trials, construct->self) >= WORK_LEAST)
		add(trials, (struct change){CHANGE_FASTER, only(count, index), 2, 0}, index);
}

static void add_threads(struct trials *trials)
{
	uint32_t largest = growth_threads(trials->whatif->recording);

	if (largest == 0)
		return;
	add(trials, (struct change){CHANGE_THREADS, NULL, 2.0 * largest, 0}, RECORDED_NONE);
	if (largest > 1)
		add(trials, (struct change){CHANGE_THREADS, NULL, largest / 2, 0}, RECORDED_NONE);
}

/* Schedules to choose from, those first that cost least and keep most neighbours together. */
static const struct {
	enum loop_schedule_kind schedule;
	double chunk;
} schedules[] = {{LOOP_SCHEDULE_DYNAMIC, 64}, {LOOP_SCHEDULE_DYNAMIC, 16},
    {LOOP_SCHEDULE_GUIDED, 0}, {LOOP_SCHEDULE_STATIC, 16}, {LOOP_SCHEDULE_DYNAMIC, 4},
    {LOOP_SCHEDULE_STATIC, 1}, {LOOP_SCHEDULE_DYNAMIC, 0}};

/*
 * Chooses the schedule, where the loop's marks show what each brings: the first one that is about
 * as good as the best.
 */
static void choose_schedule(const struct whatif *whatif, struct trial *trial)
{
	enum { COUNT = sizeof(schedules) / sizeof(schedules[0]) };
	struct prediction predictions[COUNT];
	uint64_t least = UINT64_MAX;
	bool is_chosen = false;

	for (size_t i = 0; i < COUNT; i++) {
		struct change change = trial->change;

		change.schedule = schedules[i].schedule;
		change.number = schedules[i].chunk;
		predictions[i] = whatif_predict(whatif, &change, 1);
		if (predictions[i].is_known && !predictions[i].is_limit &&
		    predictions[i].wall < least)
			least = predictions[i].wall;
	}
	for (size_t i = 0; i < COUNT; i++) {
		const struct prediction *made = &predictions[i];

		if (is_chosen || !made->is_known || made->is_limit ||
		    (double)made->wall > (double)least * AS_GOOD) {
			replay_free(&predictions[i].replay);
			continue;
		}
		is_chosen = true;
		replay_free(&trial->prediction.replay);
		trial->prediction = *made;
		trial->change.schedule = schedules[i].schedule;
		trial->change.number = schedules[i].chunk;
	}
}

static int compare_trials(const void *one, const void *other)
{
	const struct trial *a = one, *b = other;

	if (a->prediction.is_known != b->prediction.is_known)
		return b->prediction.is_known - a->prediction.is_known;
	return (a->prediction.low > b->prediction.low) - (a->prediction.low < b->prediction.low);
}

void whatif_sort_trials(struct trial *trials, size_t count)
{
	if (count > 0)
		qsort(trials, count, sizeof(trials[0]), compare_trials);
}

/* Constructs ordered by time, so that the limited room goes to the most important ones. */
struct ranked {
	uint64_t time;
	uint32_t construct;
};

static int compare_ranked(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;

	return (b->time > a->time) - (b->time < a->time);
}

static void add_constructs(struct trials *trials)
{
	const struct analysis *analysis = trials->whatif->analysis;
	struct ranked *ranked = memory_new(analysis->construct_count, sizeof(ranked[0]));

	for (size_t i = 0; i < analysis->construct_count; i++)
		ranked[i] = (struct ranked){analysis->constructs[i].time, (uint32_t)i};
	qsort(ranked, analysis->construct_count, sizeof(ranked[0]), compare_ranked);
	for (size_t i = 0; i < analysis->construct_count; i++)
		add_of_construct(trials, ranked[i].construct);
	free(ranked);
}

size_t whatif_try(const struct whatif *whatif, struct trial list[WHATIF_TRIALS_MAX])
{
	const struct analysis *analysis = whatif->analysis;
	struct trials trials = {.whatif = whatif, .trials = list};
	uint64_t sum = 0;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		for (size_t j = 0; j < ACTIVITIES; j++)
			sum += j == ACTIVITY_NONE ? 0 : analysis->threads[i].activities[j];
	}
	trials.thread_time = sum > 0 ? (double)sum : 1;
	add_threads(&trials);
	for (size_t i = 0; i < analysis->lock_count; i++) {
		if (share(&trials, analysis->locks[i].wait) >= LOSS_LEAST)
			add(&trials,
			    (struct change){
				CHANGE_UNLOCK, only(analysis->lock_count, (uint32_t)i), 0, 0},
			    (uint32_t)i);
	}
	add_constructs(&trials);
	for (size_t i = 0; i < trials.count; i++) {
		list[i].prediction = whatif_predict(whatif, &list[i].change, 1);
		if (list[i].change.kind == CHANGE_SCHEDULE && list[i].prediction.is_known &&
		    whatif->recording->mark_count > 0)
			choose_schedule(whatif, &list[i]);
	}
	whatif_sort_trials(list, trials.count);
	return trials.count;
}

void whatif_free_trials(struct trial *trials, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free((bool *)trials[i].change.subjects);
		replay_free(&trials[i].prediction.replay);
	}
}
