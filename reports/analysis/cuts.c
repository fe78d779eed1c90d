/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collects the sums of the steps while events are read. A cut compares the analysis with its state
 * at the previous cut and does not change it. For open frames, it computes what they would add to
 * their constructs if they ended now, in the same way as frames.c does when they are left.
 */
#include "cuts.h"

#include <stdlib.h>
#include <string.h>

#include "cut-fields.h"
#include "memory.h"
#include "pass.h"

struct cut_row {
	uint64_t now[CUT_VALUES], last[CUT_VALUES];
};

struct cuts *cuts_new(const struct analysis *analysis, uint64_t start, uint64_t length)
{
	const struct analysis_choice *choice = analysis->choice;
	struct cuts *cuts = memory_new(1, sizeof(*cuts));
	size_t threads = analysis->archive->thread_count;

	cuts->start = start;
	cuts->length = length;
	cuts->ticks = length / choice->cuts + 1;
	cuts->next = start + cuts->ticks;
	cuts->max = choice->cut_entries_max;
	cuts->samples.max = choice->cut_samples_max;
	cuts->samples.steps = 1;
	cuts->visited = memory_new(threads, sizeof(cuts->visited[0]));
	cuts->visited_room = memory_new(threads, sizeof(cuts->visited_room[0]));
	return cuts;
}

void cuts_free(struct cuts *cuts, size_t threads)
{
	if (!cuts)
		return;
	for (size_t i = 0; cuts->visited && i < threads; i++)
		free(cuts->visited[i]);
	for (int kind = 0; kind < CUT_KINDS; kind++)
		free(cuts->rows[kind]);
	free(cuts->samples.entries);
	free(cuts->samples.places);
	pair_map_free(&cuts->samples.place_of);
	pair_map_free(&cuts->samples.now);
	free(cuts->visited);
	free(cuts->visited_room);
	free(cuts->entries);
	free(cuts);
}

static bool is_same(const struct cut_entry *one, const struct cut_entry *other)
{
	return one->step == other->step && one->kind == other->kind && one->first == other->first &&
	       one->second == other->second;
}

static int compare_entries(const void *left, const void *right)
{
	const struct cut_entry *one = left, *other = right;

	if (one->step != other->step)
		return one->step < other->step ? -1 : 1;
	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	if (one->first != other->first)
		return one->first < other->first ? -1 : 1;
	return (one->second > other->second) - (one->second < other->second);
}

static int compare_samples(const void *left, const void *right)
{
	const struct cut_sample *one = left, *other = right;

	if (one->step != other->step)
		return one->step < other->step ? -1 : 1;
	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	return (one->place > other->place) - (one->place < other->place);
}

/* Each pair of the samples' steps becomes one. */
static void merge_steps(struct cut_samples *samples)
{
	size_t count = 0;

	for (size_t i = 0; i < samples->count; i++)
		samples->entries[i].step /= 2;
	if (samples->count > 1)
		qsort(
		    samples->entries, samples->count, sizeof(samples->entries[0]), compare_samples);
	for (size_t i = 0; i < samples->count; i++) {
		struct cut_sample *entry = &samples->entries[i];

		if (count > 0 && compare_samples(&samples->entries[count - 1], entry) == 0)
			samples->entries[count - 1].samples += entry->samples;
		else
			samples->entries[count++] = *entry;
	}
	samples->count = count;
	pair_map_free(&samples->now);
}

/* Each pair of the sums' steps became one. */
static void halve_samples(struct cuts *cuts)
{
	if (cuts->samples.steps > 1)
		cuts->samples.steps /= 2;
	else
		merge_steps(&cuts->samples);
}

/* Samples have longer steps until there are few enough; with fewer than CUTS_LEAST none are kept.
 */
static void limit_samples(struct cuts *cuts)
{
	struct cut_samples *samples = &cuts->samples;

	while (samples->count > samples->max) {
		samples->steps *= 2;
		merge_steps(samples);
		if (cuts->length / cuts->ticks / samples->steps < CUTS_LEAST) {
			samples->count = 0;
			samples->max = 0;
		}
	}
}

static uint32_t find_place(struct cut_samples *samples, const struct code_samples *sample)
{
	uint64_t place = *memory_pair_map_place(
	    &samples->place_of, analysis_place_key(sample), samples->place_count);

	if (place == samples->place_count) {
		struct code_samples *fresh =
		    MEMORY_ADD(samples->places, samples->place_room, samples->place_count);

		*fresh = *sample;
		memset(fresh->counted, 0, sizeof(fresh->counted));
	}
	return (uint32_t)place;
}

void cuts_add_sample(struct cuts *cuts, uint32_t thread, const struct code_samples *sample)
{
	struct cut_samples *samples = &cuts->samples;
	uint32_t step = cuts->step / samples->steps, place;
	uint64_t *index;

	if (samples->max == 0)
		return;
	if (samples->count > 0 && samples->entries[samples->count - 1].step != step)
		pair_map_free(&samples->now);
	place = find_place(samples, sample);
	index =
	    memory_pair_map_place(&samples->now, (struct map_key){thread, place}, samples->count);
	if (*index == samples->count)
		*MEMORY_ADD(samples->entries, samples->room, samples->count) =
		    (struct cut_sample){step, thread, place, 0};
	samples->entries[*index].samples += sample->count;
	limit_samples(cuts);
}

/*
 * Merges each pair of steps. What is open at the end of the second step is open at the end of the
 * merged one. The current step may be the second of a pair; its entries are then merged with those
 * of the first later.
 */
static void halve(struct cuts *cuts)
{
	size_t count = 0;

	for (size_t i = 0; i < cuts->count; i++) {
		struct cut_entry *entry = &cuts->entries[i];

		if (entry->kind == CUT_VISITED && entry->step % 2 == 0)
			entry->values[CUT_OPEN] = 0;
		entry->step /= 2;
	}
	qsort(cuts->entries, cuts->count, sizeof(cuts->entries[0]), compare_entries);
	for (size_t i = 0; i < cuts->count; i++) {
		if (count > 0 && is_same(&cuts->entries[count - 1], &cuts->entries[i])) {
			struct cut_entry *sum = &cuts->entries[count - 1];

			for (size_t value = 0; value < CUT_VALUES; value++)
				sum->values[value] += cuts->entries[i].values[value];
		} else {
			cuts->entries[count++] = cuts->entries[i];
		}
	}
	cuts->count = count;
	cuts->ticks *= 2;
	cuts->step /= 2;
	halve_samples(cuts);
}

/* Adds what the row gained since the previous cut; negative if a task moved to another thread. */
static void add_entry(
    struct cuts *cuts, enum cut_kind kind, uint32_t first, uint32_t second, struct cut_row *row)
{
	struct cut_entry entry = {cuts->step, kind, first, second, {0}};
	bool has_any = false;

	for (size_t i = 0; i < CUT_VALUES; i++) {
		bool is_open = kind == CUT_VISITED && i == CUT_OPEN;

		if (is_open)
			entry.values[i] = row->now[i];
		else
			entry.values[i] = row->now[i] - row->last[i];
		row->last[i] = row->now[i];
		has_any |= entry.values[i] != 0;
	}
	if (!has_any || cuts->full)
		return;
	*MEMORY_ADD(cuts->entries, cuts->room, cuts->count) = entry;
}

static void take(struct cut_row *row, struct cut_fields fields)
{
	memset(row->now, 0, sizeof(row->now));
	for (size_t i = 0; i < fields.count; i++)
		row->now[i] = *fields.at[i];
}

/* The row of what the thread keeps for the construct; NULL if it keeps nothing. */
static struct cut_row *find_row(struct analysis *analysis, uint32_t thread, uint32_t construct)
{
	uint64_t index = map_find(&analysis->threads[thread].visited_of, construct);

	return index == MAP_NONE ? NULL : &analysis->cuts->visited[thread][index];
}

/* What the thread has waited within the frame until now. */
static uint64_t waits_within(const struct thread *thread, const struct frame *frame, uint64_t now)
{
	uint64_t waits = analysis_waits(thread) + thread->mpi_in_team + analysis_away(thread);
	enum activity activity = thread->activity;

	if (activity == ACTIVITY_BARRIER || activity == ACTIVITY_LOCK ||
	    activity == ACTIVITY_TASK_WAIT || (activity == ACTIVITY_MPI && thread->stay_count > 0))
		waits += now - thread->last_time;
	return waits - frame->waited;
}

/* Like count_whole() of frames.c, for an open frame. */
static void add_whole(struct analysis *analysis, const struct frame *frame, uint64_t run,
    uint64_t waits, uint64_t now)
{
	enum construct_kind kind = analysis->constructs[frame->part.construct].kind;
	struct cut_row *row = find_row(analysis, frame->entered_by, frame->part.construct);
	uint64_t own_wait = 0, duration = now - frame->entered_at;

	if (!row)
		return;
	row->now[CUT_OPEN]++;
	row->now[CUT_BARRIER_WAIT] += frame->barrier_wait;
	if (construct_is_wait(kind)) {
		own_wait = run - frame->nested;
		row->now[CUT_BARRIER_WAIT] += own_wait;
	} else if (construct_has_entry(kind)) {
		own_wait =
		    frame->enter_wait == ENTER_WAIT_OPEN ? run - frame->nested : frame->enter_wait;
		row->now[CUT_ENTER_WAIT] += own_wait;
	}
	row->now[CUT_SELF] += run - frame->nested - own_wait;
	if (kind == CONSTRUCT_KIND_TASK) {
		row->now[CUT_TIME] += run;
		row->now[CUT_BODY] += run;
		row->now[CUT_WORK] += run;
	} else if (!construct_is_wait(kind)) {
		row->now[CUT_BODY] +=
		    construct_has_block(kind) ? frame->body : duration - frame->barriers;
		row->now[CUT_WORK] +=
		    construct_has_block(kind)
			? frame->body_work
			: duration - frame->barrier_work - (frame->part.is_mpi ? 0 : waits);
	}
}

/* Like count_part() of frames.c: what a part adds to the frame around it. */
static void add_part(
    const struct frame *frame, struct frame *outer, uint64_t run, uint64_t waits, uint64_t now)
{
	uint64_t duration = now - frame->entered_at;

	if (frame->part.part == PART_BODY) {
		outer->body += duration;
		outer->body_work += duration - waits;
		outer->barrier_wait += frame->barrier_wait;
	} else if ((frame->part.part == PART_BARRIER || frame->part.part == PART_WAIT) &&
		   frame->part.construct != NO_CONSTRUCT) {
		outer->barrier_wait += run - frame->nested;
		outer->barriers += duration;
		outer->barrier_work += duration - waits;
	}
}

/* The time from fork to join is the team's, as in nest_fork(). */
static void nest_forks(const struct thread *thread, const struct task *task, struct frame *frame,
    size_t depth, uint64_t now)
{
	for (size_t i = 0; thread && i < thread->fork_count; i++) {
		const struct fork *fork = &thread->forks[i];

		if (fork->task == task && fork->frame_depth == depth &&
		    frame->entered_at <= fork->at)
			frame->nested =
			    fork->nested + (analysis_task_clock(task, now) - fork->clock);
	}
}

/*
 * Acts as if the task's frames were left now, from the innermost. thread: the one that executes it,
 * or NULL.
 */
static void add_frames(
    struct analysis *analysis, const struct task *task, const struct thread *thread, uint64_t now)
{
	struct frame outer = {0}, frame;

	for (size_t depth = task->depth; depth > 0; depth--) {
		uint64_t run, waits = 0;

		frame = task->frames[depth - 1];
		frame.nested += outer.nested;
		frame.body += outer.body;
		frame.body_work += outer.body_work;
		frame.barrier_wait += outer.barrier_wait;
		frame.barriers += outer.barriers;
		frame.barrier_work += outer.barrier_work;
		nest_forks(thread, task, &frame, depth, now);
		run = analysis_task_clock(task, now) - frame.entered;
		if (now > frame.entered_at)
			waits = waits_within(&analysis->threads[frame.entered_by], &frame, now);
		outer = (struct frame){0};
		if (frame.part.part == PART_WHOLE)
			add_whole(analysis, &frame, run, waits, now);
		else
			add_part(&frame, &outer, run, waits, now);
		outer.nested = frame.part.part == PART_BODY ? frame.nested : run;
	}
}

/* Makes rows for everything that the threads keep, without open frames. */
static void take_visited(struct analysis *analysis, uint64_t now)
{
	struct cuts *cuts = analysis->cuts;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		struct thread *thread = &analysis->threads[i];

		MEMORY_GROW(cuts->visited[i], cuts->visited_room[i], thread->visited_count);
		for (size_t j = 0; j < thread->visited_count; j++) {
			struct visited *visited = &thread->visited[j];
			bool is_task =
			    analysis->constructs[visited->construct].kind == CONSTRUCT_KIND_TASK;

			take(&cuts->visited[i][j], cut_fields_visited(visited));
			if (visited->depth > 0 && !is_task)
				cuts->visited[i][j].now[CUT_TIME] += now - visited->open_since;
		}
	}
}

static void add_open(struct analysis *analysis, uint64_t now)
{
	const struct pair_map *tasks = &analysis->tasks;

	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct thread *thread = &analysis->threads[i];

		if (thread->seen)
			add_frames(analysis, &thread->base, thread, now);
	}
	for (size_t at = pair_map_used(tasks, 0); at != MAP_END; at = pair_map_used(tasks, at + 1))
		add_frames(
		    analysis, (const struct task *)(uintptr_t)pair_map_value(tasks, at), NULL, now);
}

static void put_visited(struct analysis *analysis)
{
	struct cuts *cuts = analysis->cuts;

	for (uint32_t i = 0; i < analysis->archive->thread_count; i++) {
		for (size_t j = 0; j < analysis->threads[i].visited_count; j++)
			add_entry(cuts, CUT_VISITED, i, analysis->threads[i].visited[j].construct,
			    &cuts->visited[i][j]);
	}
}

static struct cut_row *row_of(struct cuts *cuts, enum cut_kind kind, size_t index)
{
	MEMORY_GROW(cuts->rows[kind], cuts->row_room[kind], index + 1);
	return &cuts->rows[kind][index];
}

static void put_row(struct cuts *cuts, enum cut_kind kind, size_t index, struct cut_fields fields)
{
	struct cut_row *row = row_of(cuts, kind, index);

	take(row, fields);
	add_entry(cuts, kind, (uint32_t)index, 0, row);
}

/* Includes what the thread has been doing since its last event. */
static void put_thread(struct analysis *analysis, size_t index, uint64_t now)
{
	struct cuts *cuts = analysis->cuts;
	struct thread state = analysis->threads[index];

	if (!state.seen)
		return;
	if (now > state.last_time)
		state.activities[state.activity] += now - state.last_time;
	if (state.fork_count > 0 && state.forks[0].depth == 0 && now > state.forks[0].at)
		state.parallel += now - state.forks[0].at;
	put_row(cuts, CUT_THREAD, index, cut_fields_thread(&state));
}

static void cut(struct analysis *analysis, uint64_t now)
{
	struct cuts *cuts = analysis->cuts;

	take_visited(analysis, now);
	add_open(analysis, now);
	put_visited(analysis);
	for (size_t i = 0; i < analysis->archive->thread_count; i++)
		put_thread(analysis, i, now);
	for (size_t i = 0; i < analysis->construct_count; i++)
		put_row(cuts, CUT_CONSTRUCT, i, cut_fields_construct(&analysis->constructs[i]));
	for (size_t i = 0; i < analysis->lock_count; i++)
		put_row(cuts, CUT_LOCK, i, cut_fields_lock(&analysis->locks[i]));
	for (size_t i = 0; i <= analysis->archive->group_count; i++)
		put_row(cuts, CUT_PROCESS, i, cut_fields_process(analysis, i));
	put_row(cuts, CUT_ALL, 0, cut_fields_all(analysis));
	cuts->step++;
	while (cuts->count > cuts->max && !cuts->full) {
		if (cuts->length / cuts->ticks < (uint64_t)2 * CUTS_LEAST) {
			cuts->full = true;
			cuts->count = 0;
			break;
		}
		halve(cuts);
	}
}

void cuts_until(struct analysis *analysis, uint64_t time)
{
	struct cuts *cuts = analysis->cuts;

	while (!cuts->full && time >= cuts->next && cuts->next < cuts->start + cuts->length) {
		cut(analysis, cuts->next);
		cuts->next = cuts->start + (cuts->step + 1) * cuts->ticks;
	}
}

void cuts_finish(struct analysis *analysis)
{
	struct cuts *cuts = analysis->cuts;

	if (!cuts->full)
		cut(analysis, analysis->last_time);
}
