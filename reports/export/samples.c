/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects samples while the slices around them are read. */
#include "samples.h"

#include <stdlib.h>

#include "memory.h"

struct collecting {
	struct samples samples;
	const struct export_choice *choice;
	uint64_t first, last, from, to; /* ticks */
};

static void start(void *context, uint64_t time)
{
	struct collecting *collecting = context;
	const struct export_choice *choice = collecting->choice;
	const struct archive *archive = collecting->samples.archive;

	collecting->first = collecting->last = time;
	export_span(archive, choice, time, &collecting->from, &collecting->to);
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct collecting *collecting = context;

	(void)time;
	sample_stacks_open(&collecting->samples.stacks, location, region);
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct collecting *collecting = context;

	(void)region, (void)begin, (void)depth;
	sample_stacks_close(&collecting->samples.stacks, location);
	if (end > collecting->last)
		collecting->last = end;
}

static bool takes(const struct collecting *collecting, const struct archive_event *event)
{
	const struct export_choice *choice = collecting->choice;
	const struct archive *archive = collecting->samples.archive;
	const struct region_stacks *regions = &collecting->samples.stacks.regions;
	const struct region_node *top = &regions->nodes[regions->places[event->location].node];
	/* Calls the filters first: they record whether they matched anything. */
	bool is_chosen = choice->takes_thread(choice->context, archive, event->location);

	if (choice->takes_region)
		is_chosen &=
		    top->depth > 0 && top->region != REGION_DEEPER &&
		    choice->takes_region(choice->context, slices_region_name(archive, top->region));
	return is_chosen && event->time >= collecting->from && event->time <= collecting->to;
}

static void other_event(void *context, const struct archive_event *event)
{
	struct collecting *collecting = context;
	struct samples *samples = &collecting->samples;
	struct thread_samples *thread = &samples->threads[event->location];
	struct sample_run run = {.count = 1};

	sample_stacks_event(&samples->stacks, event);
	if (event->time > collecting->last)
		collecting->last = event->time;
	if (!archive_is_sample(event) || !takes(collecting, event))
		return;
	run.node = sample_stacks_find(&samples->stacks, event->location, event->subject);
	run.waits = sample_stacks_wait(&samples->stacks, event->location);
	samples->count++;
	if (thread->count > 0 && thread->runs[thread->count - 1].node == run.node &&
	    thread->runs[thread->count - 1].waits == run.waits)
		thread->runs[thread->count - 1].count++;
	else
		*MEMORY_ADD(thread->runs, thread->room, thread->count) = run;
}

uint64_t export_samples(struct archive *archive, const struct export_choice *choice, FILE *out,
    const struct sample_format *format)
{
	struct collecting collecting = {.samples = {.archive = archive}, .choice = choice};
	struct slice_sink sink = {&collecting, start, open, close, other_event};
	struct samples *samples = &collecting.samples;
	uint64_t begin, end;

	samples->threads = memory_new(archive->location_count, sizeof(samples->threads[0]));
	sample_stacks_init(&samples->stacks, archive, format->without_lines);
	slices_read(archive, &sink);
	begin = collecting.from > collecting.first ? collecting.from : collecting.first;
	end = collecting.to < collecting.last ? collecting.to : collecting.last;
	samples->duration = end > begin ? (uint64_t)((unsigned __int128)(end - begin) * 1000000000 /
						     archive->ticks_per_second)
					: 0;
	format->write(samples, out);
	for (size_t i = 0; i < archive->location_count; i++)
		free(samples->threads[i].runs);
	free(samples->threads);
	sample_stacks_free(&samples->stacks);
	return samples->count;
}

void samples_add(struct thread_samples *sum, const struct thread_samples *more)
{
	for (size_t i = 0; i < more->count; i++)
		*MEMORY_ADD(sum->runs, sum->room, sum->count) = more->runs[i];
}

static int by_node(const void *left, const void *right)
{
	const struct sample_run *one = left, *other = right;

	if (one->node != other->node)
		return one->node < other->node ? -1 : 1;
	return one->waits - other->waits;
}

void samples_fold(struct thread_samples *samples)
{
	struct sample_run *runs = samples->runs;
	size_t kept = 0;

	if (samples->count == 0)
		return;
	qsort(runs, samples->count, sizeof(runs[0]), by_node);
	for (size_t i = 1; i < samples->count; i++) {
		if (by_node(&runs[kept], &runs[i]) == 0)
			runs[kept].count += runs[i].count;
		else
			runs[++kept] = runs[i];
	}
	samples->count = kept + 1;
}

size_t samples_frames(const struct samples *samples, uint32_t node, uint32_t *frames)
{
	const struct sample_node *nodes = samples->stacks.nodes;
	size_t depth = nodes[node].depth;

	for (size_t at = depth; at > 0; node = nodes[node].parent)
		frames[--at] = nodes[node].frame;
	return depth;
}
