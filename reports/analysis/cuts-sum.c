/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds an analysis from the sums of steps: it adds up the chosen steps and copies what holds for
 * the whole run rather than its parts (which threads there were, how large teams). The page's
 * engine uses this instead of a pass over the events.
 */
#include <stdlib.h>

#include "cut-fields.h"
#include "memory.h"
#include "pass.h"

static void pass_construct(struct bytes *bytes, struct construct *construct)
{
	BYTES_NUMBER(bytes, construct->has_barrier_wait);
	BYTES_NUMBER(bytes, construct->has_enter_wait);
	BYTES_NUMBER(bytes, construct->has_imbalance);
	BYTES_NUMBER(bytes, construct->has_body);
	BYTES_NUMBER(bytes, construct->events);
}

static void pass_locks(struct bytes *bytes, struct analysis *analysis)
{
	bytes_count(bytes, &analysis->lock_count);
	if (bytes->reads)
		analysis->locks = memory_new(analysis->lock_count, sizeof(analysis->locks[0]));
	for (size_t i = 0; i < analysis->lock_count; i++) {
		bytes_text(bytes, (const char **)&analysis->locks[i].name);
		if (bytes->broken) /* then it is not allocated; analysis_free() must not free it */
			analysis->locks[i].name = NULL;
		BYTES_NUMBER(bytes, analysis->locks[i].has_name);
	}
}

/* Most values are 0: a mask tells which are not, and only those follow. */
static void pass_entry(struct bytes *bytes, struct cut_entry *entry)
{
	uint64_t which = 0;

	for (size_t i = 0; i < CUT_VALUES; i++)
		which |= (uint64_t)(entry->values[i] != 0) << i;
	BYTES_NUMBER(bytes, entry->step);
	BYTES_NUMBER(bytes, entry->kind);
	BYTES_NUMBER(bytes, entry->first);
	BYTES_NUMBER(bytes, entry->second);
	bytes_number(bytes, &which);
	for (size_t i = 0; i < CUT_VALUES; i++) {
		if (which >> i & 1)
			bytes_signed(bytes, &entry->values[i]);
	}
}

/* Whether the things that the entry refers to exist. */
static bool is_valid(const struct analysis *analysis, const struct cut_entry *entry)
{
	const size_t limits[CUT_KINDS] = {
	    [CUT_VISITED] = analysis->archive->thread_count,
	    [CUT_THREAD] = analysis->archive->thread_count,
	    [CUT_CONSTRUCT] = analysis->construct_count,
	    [CUT_LOCK] = analysis->lock_count,
	    [CUT_PROCESS] = analysis->archive->group_count + 1,
	    [CUT_ALL] = 1,
	};

	return entry->kind < CUT_KINDS && entry->first < limits[entry->kind] &&
	       (entry->kind != CUT_VISITED || entry->second < analysis->construct_count);
}

static bool pass_steps(struct bytes *bytes, struct analysis *analysis)
{
	struct cuts *cuts = analysis->cuts;

	BYTES_NUMBER(bytes, cuts->start);
	BYTES_NUMBER(bytes, cuts->length);
	BYTES_NUMBER(bytes, cuts->ticks);
	BYTES_NUMBER(bytes, cuts->step);
	bytes_count(bytes, &cuts->count);
	if (bytes->reads)
		cuts->entries = memory_new(cuts->count, sizeof(cuts->entries[0]));
	for (size_t i = 0; i < cuts->count; i++) {
		pass_entry(bytes, &cuts->entries[i]);
		if (!is_valid(analysis, &cuts->entries[i]))
			return false;
	}
	return !bytes->broken;
}

static bool pass_places(struct bytes *bytes, struct analysis *analysis)
{
	struct cut_samples *samples = &analysis->cuts->samples;

	bytes_count(bytes, &samples->place_count);
	if (bytes->reads)
		samples->places = memory_new(samples->place_count, sizeof(samples->places[0]));
	for (size_t i = 0; i < samples->place_count; i++) {
		struct code_samples *place = &samples->places[i];
		/* ARCHIVE_NO_INDEX and NO_CONSTRUCT become 0 */
		uint32_t context = place->context + 1, construct = place->construct + 1;

		BYTES_NUMBER(bytes, context);
		BYTES_NUMBER(bytes, construct);
		BYTES_NUMBER(bytes, place->waits);
		BYTES_NUMBER(bytes, place->is_serial);
		BYTES_NUMBER(bytes, place->faults);
		BYTES_NUMBER(bytes, place->is_blocked);
		place->context = context - 1;
		place->construct = construct - 1;
		if (context > analysis->archive->context_count ||
		    (context == 0 && !place->is_blocked) || construct > analysis->construct_count)
			return false;
	}
	return true;
}

/* Entries are in the order of their steps. */
static bool pass_entries(struct bytes *bytes, struct analysis *analysis)
{
	struct cut_samples *samples = &analysis->cuts->samples;
	uint32_t step = 0;

	bytes_count(bytes, &samples->count);
	if (bytes->reads)
		samples->entries = memory_new(samples->count, sizeof(samples->entries[0]));
	for (size_t i = 0; i < samples->count; i++) {
		struct cut_sample *entry = &samples->entries[i];
		uint32_t distance = entry->step - step;

		BYTES_NUMBER(bytes, distance);
		BYTES_NUMBER(bytes, entry->thread);
		BYTES_NUMBER(bytes, entry->place);
		bytes_number(bytes, &entry->samples);
		step += distance;
		entry->step = step;
		if (entry->thread >= analysis->archive->thread_count ||
		    entry->place >= samples->place_count)
			return false;
	}
	return true;
}

static bool pass_samples(struct bytes *bytes, struct analysis *analysis)
{
	BYTES_NUMBER(bytes, analysis->cuts->samples.steps);
	return pass_places(bytes, analysis) && pass_entries(bytes, analysis) && !bytes->broken;
}

bool cuts_pass(struct bytes *bytes, struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;

	if (bytes->reads) {
		analysis->cuts = memory_new(1, sizeof(*analysis->cuts));
		analysis->threads = memory_new(archive->thread_count, sizeof(struct thread));
		analysis->largest_teams = memory_new(archive->group_count + 1, sizeof(uint64_t));
		analysis_find_constructs(analysis);
	}
	BYTES_NUMBER(bytes, analysis->first_time);
	BYTES_NUMBER(bytes, analysis->last_time);
	BYTES_NUMBER(bytes, analysis->has_teams);
	BYTES_NUMBER(bytes, analysis->has_forks);
	for (size_t i = 0; i <= archive->group_count; i++)
		bytes_number(bytes, &analysis->largest_teams[i]);
	for (size_t i = 0; i < archive->thread_count; i++) {
		BYTES_NUMBER(bytes, analysis->threads[i].seen);
		BYTES_NUMBER(bytes, analysis->threads[i].initial);
	}
	for (size_t i = 0; i < analysis->construct_count; i++)
		pass_construct(bytes, &analysis->constructs[i]);
	pass_locks(bytes, analysis);
	return pass_steps(bytes, analysis) && pass_samples(bytes, analysis);
}

static struct cut_fields fields_of(struct analysis *analysis, const struct cut_entry *entry)
{
	switch (entry->kind) {
	case CUT_VISITED:
		return cut_fields_visited(
		    analysis_visit(&analysis->threads[entry->first], entry->second));
	case CUT_THREAD:
		return cut_fields_thread(&analysis->threads[entry->first]);
	case CUT_CONSTRUCT:
		return cut_fields_construct(&analysis->constructs[entry->first]);
	case CUT_LOCK:
		return cut_fields_lock(&analysis->locks[entry->first]);
	case CUT_PROCESS:
		return cut_fields_process(analysis, entry->first);
	default:
		return cut_fields_all(analysis);
	}
}

static void add_entry(struct analysis *analysis, const struct cut_entry *entry, bool is_last)
{
	struct cut_fields fields = fields_of(analysis, entry);

	for (size_t i = 0; i < fields.count; i++)
		*fields.at[i] += entry->values[i];
	/* What is open at the very end was visited, too. */
	if (entry->kind == CUT_VISITED && is_last)
		*fields.at[CUT_VISITS] += entry->values[CUT_OPEN];
}

/* The thread with the most of the construct's value. */
static uint64_t *find_most(struct analysis *analysis, uint32_t construct, size_t value)
{
	uint64_t *most = NULL;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		struct visited *visited = analysis_find_visited(&analysis->threads[i], construct);
		uint64_t *own = visited ? cut_fields_visited(visited).at[value] : NULL;

		if (own && (!most || (int64_t)*own > (int64_t)*most))
			most = own;
	}
	return most;
}

/*
 * If a thread's sum for a construct is negative, another thread continued its task; the amount is
 * taken from the thread with the most.
 */
static void settle(struct analysis *analysis, struct visited *visited)
{
	struct cut_fields fields = cut_fields_visited(visited);

	for (size_t i = 0; i < fields.count; i++) {
		uint64_t *most;

		if ((int64_t)*fields.at[i] >= 0)
			continue;
		most = find_most(analysis, visited->construct, i);
		if ((int64_t)(*most + *fields.at[i]) >= 0)
			*most += *fields.at[i];
		*fields.at[i] = 0;
	}
}

static void settle_threads(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		struct thread *thread = &analysis->threads[i];
		struct cut_fields fields = cut_fields_thread(thread);

		for (size_t j = 0; j < fields.count; j++) {
			if ((int64_t)*fields.at[j] < 0)
				*fields.at[j] = 0;
		}
		for (size_t j = 0; j < thread->visited_count; j++)
			settle(analysis, &thread->visited[j]);
	}
}

/* Copies what holds for the whole run. */
static void copy_facts(const struct analysis *whole, struct analysis *analysis)
{
	analysis->has_teams = whole->has_teams;
	analysis->has_forks = whole->has_forks;
	for (size_t i = 0; i <= whole->archive->group_count; i++)
		analysis->largest_teams[i] = whole->largest_teams[i];
	for (size_t i = 0; i < whole->archive->thread_count; i++) {
		analysis->threads[i].current = &analysis->threads[i].base;
		analysis->threads[i].seen = whole->threads[i].seen;
		analysis->threads[i].initial = whole->threads[i].initial;
	}
	for (size_t i = 0; i < whole->construct_count; i++) {
		const struct construct *construct = &whole->constructs[i];

		analysis->constructs[i].has_barrier_wait = construct->has_barrier_wait;
		analysis->constructs[i].has_enter_wait = construct->has_enter_wait;
		analysis->constructs[i].has_imbalance = construct->has_imbalance;
		analysis->constructs[i].has_body = construct->has_body;
		analysis->constructs[i].events = construct->events;
	}
	analysis->lock_count = whole->lock_count;
	analysis->locks = memory_new(whole->lock_count, sizeof(analysis->locks[0]));
	for (size_t i = 0; i < whole->lock_count; i++) {
		analysis->locks[i].name = memory_copy_text(whole->locks[i].name);
		analysis->locks[i].has_name = whole->locks[i].has_name;
	}
}

/* Imbalance, the creation of tasks and locks are not kept by thread. */
static bool is_of_choice(const struct cut_entry *entry, const struct analysis_choice *choice)
{
	return !choice->threads || (entry->kind != CUT_CONSTRUCT && entry->kind != CUT_LOCK);
}

/* The last step of samples may be longer than the run. */
static uint32_t middle_of(const struct cuts *cuts, const struct cut_sample *entry)
{
	uint64_t middle = (uint64_t)entry->step * cuts->samples.steps + cuts->samples.steps / 2;

	return middle < cuts->step ? (uint32_t)middle : cuts->step - 1;
}

/*
 * Adds the samples of the steps from `first` to before `last`. A step of samples belongs to the
 * step in its middle.
 */
static void add_samples(
    const struct cuts *cuts, uint32_t first, uint32_t last, struct analysis *analysis)
{
	for (size_t i = 0; i < cuts->samples.count; i++) {
		const struct cut_sample *entry = &cuts->samples.entries[i];
		struct code_samples samples = cuts->samples.places[entry->place];
		uint32_t step = middle_of(cuts, entry);

		samples.count = entry->samples;
		if (!samples.is_blocked)
			analysis->kinds[EVENT_SAMPLE] += entry->samples;
		if (step >= first && step < last && analysis_counts_thread(analysis, entry->thread))
			analysis_count_samples(analysis, &samples);
	}
}

static uint64_t within(uint64_t time, uint64_t least, uint64_t most)
{
	return time < least ? least : time > most ? most : time;
}

struct analysis *cuts_sum(const struct analysis *whole, uint32_t first, uint32_t last,
    const struct analysis_choice *choice)
{
	struct archive *archive = whole->archive;
	const struct cuts *cuts = whole->cuts;
	struct analysis *analysis = memory_new(1, sizeof(*analysis));
	bool is_part = first > 0 || last < cuts->step;

	analysis->archive = archive;
	analysis->choice = choice;
	analysis->lacks_threads = choice->threads != NULL;
	analysis->threads = memory_new(archive->thread_count, sizeof(analysis->threads[0]));
	analysis->largest_teams = memory_new(archive->group_count + 1, sizeof(uint64_t));
	analysis->imbalances = memory_new(archive->group_count + 1, sizeof(uint64_t));
	analysis_find_constructs(analysis);
	analysis_find_metrics(analysis);
	copy_facts(whole, analysis);
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut_entry *entry = &cuts->entries[i];

		if (entry->step >= first && entry->step < last && is_of_choice(entry, choice))
			add_entry(analysis, entry, entry->step + 1 == last);
	}
	add_samples(cuts, first, last, analysis);
	settle_threads(analysis);
	analysis_fold(analysis);
	analysis->first_time =
	    within(cuts->start + first * cuts->ticks, whole->first_time, whole->last_time);
	analysis->last_time =
	    within(cuts->start + last * cuts->ticks, whole->first_time, whole->last_time);
	analysis->clip_from = is_part ? analysis->first_time : 0;
	analysis->clip_to = is_part ? analysis->last_time : UINT64_MAX;
	analysis->timeline = timeline_new(archive->thread_count, &choice->timeline,
	    analysis->first_time, analysis->last_time - analysis->first_time);
	analysis->choice = NULL;
	return analysis;
}
