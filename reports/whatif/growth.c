/* SPDX-License-Identifier: BSD-3-Clause */
/* See growth.h. Constructs of two runs are the same if they have the same name. */
#include "growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Work that doubles with twice the threads is 1; errors of short constructs go no further. */
#define EXPONENT_LEAST (-1.0)
#define EXPONENT_MOST  2.0

uint32_t growth_threads(const struct recording *recording)
{
	uint32_t most = 0;

	for (size_t i = 0; i < recording->team_count; i++)
		if (recording->teams[i].size > most)
			most = recording->teams[i].size;
	return most;
}

/* The work of each construct, in ns; heap. */
static double *work_of(const struct analysis *analysis, const struct recording *recording)
{
	double *work = memory_new(recording->construct_count + 1, sizeof(work[0]));
	double tick = 1e9 / (double)analysis->archive->ticks_per_second;

	for (size_t i = 0; i < recording->strand_count; i++)
		for (size_t j = 0; j < recording->strands[i].count; j++) {
			const struct action *action = &recording->strands[i].actions[j];

			if (action_is_work(action) && action->subject < recording->construct_count)
				work[action->subject] += (double)action->ticks * tick;
		}
	return work;
}

/* The construct of the analysis with that one's name, or RECORDED_NONE. */
static uint32_t find_same(const struct analysis *analysis, const struct construct *construct)
{
	for (uint32_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *other = &analysis->constructs[i];

		if (other->begin_line == construct->begin_line &&
		    strcmp(other->name, construct->name) == 0 &&
		    strcmp(other->file, construct->file) == 0 &&
		    strcmp(other->sub_name, construct->sub_name) == 0)
			return i;
	}
	return RECORDED_NONE;
}

void growth_add(struct growth *growth, const struct analysis *analysis,
    const struct recording *recording, const struct analysis *other_analysis,
    const struct recording *other)
{
	uint32_t threads = growth_threads(recording), others = growth_threads(other);
	double *work = work_of(analysis, recording), *other_work = work_of(other_analysis, other);
	double most = 0;

	if (!growth->exponents) {
		growth->count = recording->construct_count;
		growth->exponents = memory_new(growth->count + 1, sizeof(growth->exponents[0]));
		growth->most = RECORDED_NONE;
	}
	for (uint32_t i = 0; i < growth->count; i++) {
		uint32_t same = find_same(other_analysis, &analysis->constructs[i]);
		double times, exponent;

		if (same == RECORDED_NONE || work[i] <= 0 || other_work[same] <= 0)
			continue;
		times = other_work[same] / work[i];
		exponent = log(times) / log((double)others / threads);
		growth->exponents[i] = fmin(fmax(exponent, EXPONENT_LEAST), EXPONENT_MOST);
		if (fabs(other_work[same] - work[i]) > most) {
			most = fabs(other_work[same] - work[i]);
			growth->most = i;
			growth->from = threads < others ? threads : others;
			growth->to = threads < others ? others : threads;
			growth->times = threads < others ? times : 1 / times;
		}
	}
	free(work);
	free(other_work);
}

void growth_free(struct growth *growth)
{
	free(growth->exponents);
	*growth = (struct growth){NULL};
}

void growth_apply(
    const struct growth *growth, struct recording *recording, uint32_t from, uint32_t threads)
{
	double *factors = memory_new(growth->count + 1, sizeof(factors[0]));

	for (size_t i = 0; i < growth->count; i++)
		factors[i] = pow((double)threads / from, growth->exponents[i]);
	for (uint32_t i = 0; i < recording->strand_count; i++) {
		struct strand *strand = strand_edit(recording, i);

		for (size_t j = 0; j < strand->count; j++) {
			struct action *action = &strand->actions[j];

			if (action_is_work(action) && action->subject < growth->count)
				action->ticks =
				    (uint64_t)((double)action->ticks * factors[action->subject] +
					       0.5);
		}
	}
	free(factors);
}
