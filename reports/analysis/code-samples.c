/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of what threads executed: how many at each place, in each construct. A sample's calling
 * context is the innermost place and its callers.
 */
#include <stdlib.h>
#include <string.h>

#include "common/hot-rows.h"
#include "common/memory-rows.h"
#include "cuts.h"
#include "memory.h"
#include "pass.h"

static bool is_wait(enum activity activity)
{
	return activity == ACTIVITY_BARRIER || activity == ACTIVITY_LOCK ||
	       activity == ACTIVITY_TASK_WAIT;
}

static void count_in(struct pair_map *places, struct code_samples **rows, size_t *room,
    size_t *count, const struct code_samples *more)
{
	uint64_t *place = memory_pair_map_place(places, analysis_place_key(more), *count);

	if (*place < *count) {
		(*rows)[*place].count += more->count;
		for (int i = 0; i < SAMPLE_COUNTERS_MOST; i++)
			(*rows)[*place].counted[i] += more->counted[i];
	} else {
		*MEMORY_ADD(*rows, *room, *count) = *more;
	}
}

void analysis_count_samples(struct analysis *analysis, const struct code_samples *more)
{
	if (more->is_blocked)
		count_in(&analysis->blocked_of, &analysis->blocked, &analysis->blocked_room,
		    &analysis->blocked_count, more);
	else
		count_in(&analysis->samples_of, &analysis->samples, &analysis->sample_room,
		    &analysis->sample_count, more);
}

void analysis_count_samples_now(
    struct analysis *analysis, uint32_t thread, const struct code_samples *more)
{
	if (!analysis_counts_now(analysis, thread))
		return;
	analysis_count_samples(analysis, more);
	if (analysis->cuts && more->count > 0)
		cuts_add_sample(analysis->cuts, thread, more);
}

void analysis_take_counts(struct analysis *analysis, const struct archive_event *event)
{
	struct thread *thread = &analysis->threads[event->location];

	for (unsigned i = 0; i < sample_counters_number(analysis->archive->counters); i++) {
		uint64_t now = event->values[i], before = thread->counted[i];

		thread->growth[i] = now > before ? now - before : 0;
		thread->counted[i] = now;
	}
}

void analysis_add_counts(
    const struct archive *archive, const uint64_t *counted, uint64_t sums[SAMPLE_COUNTER_COUNT])
{
	uint64_t rest = archive->counters;

	for (unsigned i = 0; rest != 0; i++)
		sums[sample_counter_take(&rest)] += counted[i];
}

void analysis_sample(struct analysis *analysis, const struct archive_event *event)
{
	struct thread *thread = &analysis->threads[event->location];
	struct code_samples sample = {
	    .context = event->subject,
	    .construct = analysis_construct_of(thread),
	    .waits = is_wait(thread->activity),
	    .is_serial = thread->stay_count == 0 && thread->fork_count == 0,
	    .faults = event->kind == EVENT_FAULT,
	    .count = event->kind != EVENT_COUNTED,
	};

	memcpy(sample.counted, thread->growth, sizeof(sample.counted));
	memset(thread->growth, 0, sizeof(thread->growth));
	if (event->subject != ARCHIVE_NO_INDEX)
		analysis_count_samples_now(analysis, event->location, &sample);
}

void analysis_add_samples(struct analysis *sum, const struct analysis *more)
{
	for (size_t i = 0; i < more->sample_count; i++)
		analysis_count_samples(sum, &more->samples[i]);
	for (size_t i = 0; i < more->blocked_count; i++)
		analysis_count_samples(sum, &more->blocked[i]);
}

static int most_first(const void *left, const void *right)
{
	const struct code_samples *one = left, *other = right;

	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	return (one->context > other->context) - (one->context < other->context);
}

static const char *function_of(const struct archive *archive, const struct archive_context *context)
{
	const char *name =
	    context->region == ARCHIVE_NO_INDEX ? "" : archive->regions[context->region].name;

	return name[0] ? name : context->file[0] ? context->file : "?";
}

static void add_call(const struct archive *archive, struct hot_path *path, uint32_t index)
{
	const struct archive_context *context = &archive->contexts[index];

	if (context->region != ARCHIVE_NO_INDEX &&
	    archive->regions[context->region].role == OTF2_REGION_ROLE_CODE)
		hot_path_add_construct(path, function_of(archive, context));
	else
		hot_path_add(path, function_of(archive, context));
}

void analysis_add_path(const struct archive *archive, uint32_t index, struct hot_path *path)
{
	uint32_t calls[ANALYSIS_CALLS_MOST] = {index}, caller = archive->contexts[index].parent;
	size_t count = 1;

	for (; caller != ARCHIVE_NO_INDEX && count < ANALYSIS_CALLS_MOST;
	     caller = archive->contexts[caller].parent)
		calls[count++] = caller;
	if (caller != ARCHIVE_NO_INDEX)
		hot_path_add(path, "...");
	while (count > 0)
		add_call(archive, path, calls[--count]);
}

size_t analysis_frames(
    const struct archive *archive, uint32_t index, struct blocked_frame *frames, size_t most)
{
	size_t count = 0;

	for (; index != ARCHIVE_NO_INDEX && count < most; index = archive->contexts[index].parent) {
		const struct archive_context *context = &archive->contexts[index];
		const struct archive_region *region =
		    context->region == ARCHIVE_NO_INDEX ? NULL : &archive->regions[context->region];
		const char *function = region ? region->name : "";
		frames[count++] = (struct blocked_frame){.function = function[0] ? function : NULL,
		    .file = context->file[0] ? context->file : NULL,
		    .line = (int)context->line,
		    .is_wrapper = region && region->role == OTF2_REGION_ROLE_WRAPPER};
	}
	return count;
}

static void summarize_memory(const struct archive *archive, const struct code_samples *samples,
    struct memory_rows *rows, struct summary *summary)
{
	struct blocked_frame frames[BLOCKED_FRAMES];
	size_t count = analysis_frames(archive, samples->context, frames, BLOCKED_FRAMES);

	memory_rows_add_path(
	    summary, rows, frames, count, samples->count, samples->faults ? samples->count : 0);
}

static void summarize_place(const struct analysis *analysis, const struct code_samples *samples,
    struct hot_rows *rows, struct summary *summary)
{
	const struct archive *archive = analysis->archive;
	const struct archive_context *context = &archive->contexts[samples->context];
	const struct construct *construct =
	    samples->construct == NO_CONSTRUCT ? NULL : &analysis->constructs[samples->construct];
	const char *function =
	    context->region == ARCHIVE_NO_INDEX ? "" : archive->regions[context->region].name;
	struct summary_hot row = {
	    .function = function[0] ? function : NULL,
	    .file = context->file[0] ? context->file : NULL,
	    .line = (int)context->line,
	    .samples = samples->count,
	    .waits = samples->waits ? samples->count : 0,
	    .faults = samples->faults ? samples->count : 0,
	    .construct = construct ? construct->name : NULL,
	    .construct_file = construct ? construct->file : NULL,
	    .construct_line = construct ? construct->begin_line : 0,
	};
	struct hot_path path = {0};

	analysis_add_counts(archive, samples->counted, row.counted);
	hot_rows_add(summary, rows, &row);
	if (samples->count == 0)
		return;
	analysis_add_path(archive, samples->context, &path);
	hot_rows_add_path(summary, rows, &path, samples->is_serial, samples->count, row.faults);
}

/* The constructs, and two more. */
uint32_t analysis_place_of(const struct analysis *analysis, const struct code_samples *samples)
{
	if (samples->construct != NO_CONSTRUCT)
		return samples->construct;
	return (uint32_t)analysis->construct_count + !samples->is_serial;
}

char *analysis_place_name(const struct analysis *analysis, uint32_t place)
{
	if (place < analysis->construct_count)
		return analysis_construct_name(&analysis->constructs[place]);
	return memory_copy_text(place == analysis->construct_count ? "serial part" : "?");
}

bool *analysis_taken_places(
    const struct analysis *analysis, analysis_filter *takes, const void *context)
{
	size_t count = analysis->construct_count + 2;
	bool *taken = memory_new(count, sizeof(taken[0]));

	for (size_t i = 0; i < count; i++) {
		char *name = takes ? analysis_place_name(analysis, (uint32_t)i) : NULL;

		taken[i] = !takes || takes(context, name);
		free(name);
	}
	return taken;
}

void analysis_summarize_samples(
    const struct analysis *analysis, const bool *taken, struct summary *summary)
{
	struct hot_rows rows = {0};
	struct memory_rows memory = {0};

	if (analysis->sample_count > 0)
		qsort(analysis->samples, analysis->sample_count, sizeof(analysis->samples[0]),
		    most_first);
	summary->samples = 0;
	summary->sample_counters = analysis->archive->counters;
	for (size_t i = 0; i < analysis->sample_count; i++) {
		const struct code_samples *samples = &analysis->samples[i];

		summary->samples += samples->count;
		if (taken[analysis_place_of(analysis, samples)])
			summarize_place(analysis, samples, &rows, summary);
	}
	for (size_t i = 0; i < analysis->sample_count; i++)
		if (analysis->samples[i].count > 0 &&
		    taken[analysis_place_of(analysis, &analysis->samples[i])])
			summarize_memory(
			    analysis->archive, &analysis->samples[i], &memory, summary);
	hot_rows_finish(summary);
	memory_rows_finish(summary);
}
