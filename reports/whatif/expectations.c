/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns an advice's proposal into a change, and the prediction into what the advice shows. */
#include "expectations.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "prediction.h"

/* For larger runs, the user can run `ompreport whatif`. */
#define EVENTS_MAX 1000000

/* A recording needs all locations open at once, for which OTF2's reader takes long. */
#define LOCATIONS_MAX 256

/* Shorter runs (in ns) get no prediction: starting threads takes most of their time. */
#define WALL_LEAST 10000000

struct expectations {
	struct recorder *recorder; /* until the analysis is over */
	struct whatif whatif;
	bool is_offered;
};

struct expectations *expectations_new(const struct archive *archive, struct analysis_choice *choice)
{
	struct expectations *expectations;
	uint64_t events = 0;

	for (size_t i = 0; i < archive->location_count; i++)
		events += archive->locations[i].events_announced;
	if (events > EVENTS_MAX || archive->location_count > LOCATIONS_MAX)
		return NULL;
	expectations = memory_new(1, sizeof(*expectations));
	expectations->recorder = recorder_new(archive, 4 * EVENTS_MAX);
	recorder_choose(expectations->recorder, choice);
	return expectations;
}

/* The constructs or locks that the proposal names; false if there are none. */
static bool find_subjects(const struct analysis *analysis, const struct summary_proposal *proposal,
    bool *subjects, double *grain)
{
	bool has_any = false;

	for (size_t i = 0; i < analysis->construct_count; i++) {
		const struct construct *construct = &analysis->constructs[i];

		if (proposal->change == SUMMARY_LARGER_TASKS)
			subjects[i] = construct->kind == CONSTRUCT_KIND_TASK &&
				      construct->begin_line == proposal->task->begin_line &&
				      strcmp(construct->file, proposal->task->file) == 0;
		else /* the summary shares its construct's name */
			subjects[i] = construct->name == proposal->region->name;
		if (subjects[i])
			*grain = trial_grain(construct);
		has_any |= subjects[i];
	}
	return has_any;
}

static bool find_locks(
    const struct whatif *whatif, const struct summary_proposal *proposal, bool *locks)
{
	const struct analysis *analysis = whatif->analysis;
	bool has_any = false;

	for (size_t i = 0; i < analysis->lock_count; i++) {
		uint32_t construct = whatif->recording->locks[i].construct;

		locks[i] = proposal->change == SUMMARY_FREE_LOCK
			       ? strcmp(analysis->locks[i].name, proposal->lock->name) == 0
			       : construct < analysis->construct_count &&
				     analysis->constructs[construct].name == proposal->region->name;
		has_any |= locks[i];
	}
	return has_any;
}

static bool find_change(const struct whatif *whatif, const struct summary_proposal *proposal,
    bool *subjects, struct change *change)
{
	change->subjects = subjects;
	switch (proposal->change) {
	case SUMMARY_EVEN_WORK:
		change->kind = CHANGE_BALANCE;
		return find_subjects(whatif->analysis, proposal, subjects, &change->number);
	case SUMMARY_LARGER_TASKS:
		change->kind = CHANGE_GRAIN;
		return find_subjects(whatif->analysis, proposal, subjects, &change->number);
	case SUMMARY_FREE_ENTRY:
	case SUMMARY_FREE_LOCK:
		change->kind = CHANGE_UNLOCK;
		return find_locks(whatif, proposal, subjects);
	}
	return false;
}

static int expect(
    void *context, const struct summary_proposal *proposal, struct summary_expected *expected)
{
	const struct whatif *whatif = &((struct expectations *)context)->whatif;
	const struct analysis *analysis = whatif->analysis;
	size_t count = analysis->construct_count > analysis->lock_count ? analysis->construct_count
									: analysis->lock_count;
	bool *subjects = memory_new(count, sizeof(subjects[0]));
	struct change change = {0};
	int status = -1;

	if (find_change(whatif, proposal, subjects, &change)) {
		struct prediction prediction = whatif_predict(whatif, &change, 1);

		if (prediction.is_known) {
			status = 0;
			expected->is_limit = prediction.is_limit;
			expected->speedup = whatif_speedup(whatif, prediction.wall);
			expected->low = whatif_speedup(whatif, prediction.high);
			expected->high = whatif_speedup(whatif, prediction.low);
		}
		replay_free(&prediction.replay);
	}
	free(subjects);
	return status;
}

void expectations_offer(
    struct expectations *expectations, const struct analysis *analysis, struct summary *summary)
{
	struct recording *recording;

	if (!expectations)
		return;
	recording = recorder_finish(expectations->recorder, analysis);
	expectations->recorder = NULL;
	if (!recording)
		return;
	expectations->whatif = whatif_new(analysis, recording);
	expectations->is_offered = true;
	if (analysis_nanoseconds(analysis, recording->wall) < WALL_LEAST)
		return;
	summary->expect = expect;
	summary->expect_context = expectations;
}

void expectations_free(struct expectations *expectations)
{
	if (!expectations)
		return;
	if (expectations->is_offered)
		whatif_free(&expectations->whatif);
	free(expectations);
}
