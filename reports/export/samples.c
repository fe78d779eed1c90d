/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers samples while the slices around them are read, process by process. The stacks get their
 * nodes when all are known, in the order of time, so that the numbers do not depend on who read
 * what.
 */
#include "samples.h"

#include <stdlib.h>

#include "gathered.h"
#include "memory.h"

/* Regions around a sample and its call path. */
struct stack {
	uint32_t around; /* node of the regions */
	uint32_t context;
	struct first_place first;
};

struct stack_list {
	struct stack *items;
	size_t count, room;
	struct pair_map place_of; /* by regions and path */
};

/* What a filter has taken, so that it can be asked again; ARCHIVE_NO_INDEX - 1: nothing. */
#define NOTHING_TAKEN (ARCHIVE_NO_INDEX - 1)

struct taken {
	uint32_t thread, region;
};

/* What one thread reads, process by process. Nodes of runs are places in the list. */
struct part {
	struct sample_stacks stacks; /* only of regions */
	const struct archive *archive;
	const struct gathering_choice *choice;
	struct slice_sink sink;
	struct slices *slices;
	struct stack_list list;
	struct thread_samples *threads; /* by location */
	struct taken taken;
	uint64_t first, last, from, to; /* ticks */
	uint64_t samples;               /* of the process, so far */
};

/* Returns the stack's place in the list. */
static uint32_t find_stack(struct stack_list *list, const struct stack *stack)
{
	uint64_t *place = memory_pair_map_place(
	    &list->place_of, (struct map_key){stack->around, stack->context}, list->count);

	if (*place == list->count)
		*MEMORY_ADD(list->items, list->room, list->count) = *stack;
	return (uint32_t)*place;
}

static void forget_stacks(struct stack_list *list)
{
	list->count = 0;
	pair_map_free(&list->place_of);
}

static void add_run(struct thread_samples *thread, struct sample_run run)
{
	struct sample_run *last = thread->count > 0 ? &thread->runs[thread->count - 1] : NULL;

	if (last && last->node == run.node && last->waits == run.waits)
		last->count += run.count;
	else
		*MEMORY_ADD(thread->runs, thread->room, thread->count) = run;
}

static void start(void *context, uint64_t time)
{
	struct part *part = context;

	part->first = part->last = time;
	gathering_span(part->choice, time, &part->from, &part->to);
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct part *part = context;

	sample_stacks_open(&part->stacks, location, region, time);
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct part *part = context;

	(void)region, (void)begin, (void)depth;
	sample_stacks_close(&part->stacks, location);
	if (end > part->last)
		part->last = end;
}

static bool takes(struct part *part, const struct archive_event *event)
{
	const struct region_stacks *regions = &part->stacks.regions;
	const struct region_node *top = &regions->nodes[regions->places[event->location].node];
	bool is_chosen = part->choice->threads[event->location];

	if (is_chosen)
		part->taken.thread = event->location;
	if (part->choice->regions) {
		bool is_known = top->region < part->archive->region_count;
		bool is_taken =
		    top->depth > 0 && top->region != REGION_DEEPER &&
		    part->choice->regions[is_known ? top->region : part->archive->region_count];

		if (is_taken)
			part->taken.region = top->region;
		is_chosen &= is_taken;
	}
	return is_chosen && event->time >= part->from && event->time <= part->to;
}

static void other_event(void *context, const struct archive_event *event)
{
	struct part *part = context;
	uint32_t location = event->location;
	struct sample_run run = {.count = 1};

	sample_stacks_event(&part->stacks, event);
	if (event->time > part->last)
		part->last = event->time;
	if (!archive_is_sample(event) || !takes(part, event))
		return;
	run.node =
	    find_stack(&part->list, &(struct stack){part->stacks.regions.places[location].node,
					event->subject, {event->time, location, part->samples}});
	run.waits = sample_stacks_wait(&part->stacks, location);
	part->samples++;
	add_run(&part->threads[location], run);
}

/* Prepares the part for its first or next process. */
static void begin_process(struct part *part)
{
	forget_stacks(&part->list);
	region_stacks_clear(&part->stacks.regions);
	part->taken = (struct taken){NOTHING_TAKEN, NOTHING_TAKEN};
	part->first = UINT64_MAX;
	part->last = part->samples = 0;
}

static void *part_new(const struct archive *archive, const struct gathering_choice *choice)
{
	struct part *part = memory_new(1, sizeof(*part));

	part->archive = archive;
	part->choice = choice;
	part->sink = (struct slice_sink){part, start, open, close, other_event, NULL};
	part->slices = slices_new(archive, &part->sink);
	part->threads = memory_new(archive->location_count, sizeof(part->threads[0]));
	sample_stacks_init(&part->stacks, archive, false);
	begin_process(part);
	return part;
}

static void part_free(void *context)
{
	struct part *part = context;

	for (size_t i = 0; i < part->archive->location_count; i++)
		free(part->threads[i].runs);
	free(part->threads);
	slices_free(part->slices);
	sample_stacks_free(&part->stacks);
	free(part->list.items);
	free(part);
}

static void consume(void *context, const struct archive_event *event)
{
	slices_event(((struct part *)context)->slices, event);
}

static void finish(void *context, const struct archive_process *process, struct message *found)
{
	struct part *part = context;
	size_t count;

	slices_end(part->slices, process->locations, process->count);
	MESSAGE_FIELD(found, part->first);
	MESSAGE_FIELD(found, part->last);
	MESSAGE_FIELD(found, part->samples);
	MESSAGE_FIELD(found, part->taken);
	region_stacks_exchange(&part->stacks.regions, found, &count);
	message_array(found, part->list.items, &part->list.count, sizeof(part->list.items[0]));
	for (size_t i = 0; i < process->count; i++) {
		struct thread_samples *thread = &part->threads[process->locations[i]];

		message_array(found, thread->runs, &thread->count, sizeof(thread->runs[0]));
		free(thread->runs);
		*thread = (struct thread_samples){0};
	}
	begin_process(part);
}

/* What the parts are added to; nodes of runs are again places in the list. */
struct whole {
	struct samples samples;
	struct stack_list list;
	struct taken taken;
	uint64_t first, last; /* ticks */
};

/* Returns by place in the part's list that in this one. */
static uint32_t *add_stacks(struct whole *whole, struct message *found)
{
	size_t nodes, count = 0;
	uint32_t *node_here = region_stacks_exchange(&whole->samples.stacks.regions, found, &nodes);
	struct stack *stacks = message_array(found, NULL, &count, sizeof(stacks[0]));
	uint32_t *here = memory_new(count, sizeof(here[0]));

	for (size_t i = 0; i < count; i++) {
		struct first_place *first;

		stacks[i].around = node_here[stacks[i].around];
		here[i] = find_stack(&whole->list, &stacks[i]);
		first = &whole->list.items[here[i]].first;
		if (first_place_is_before(&stacks[i].first, first))
			*first = stacks[i].first;
	}
	free(stacks);
	free(node_here);
	return here;
}

static void add(void *context, const struct archive_process *process, struct message *found)
{
	struct whole *whole = context;
	uint64_t first = 0, last = 0, samples = 0;
	struct taken taken;
	uint32_t *here;

	MESSAGE_FIELD(found, first);
	MESSAGE_FIELD(found, last);
	MESSAGE_FIELD(found, samples);
	MESSAGE_FIELD(found, taken);
	if (first < whole->first)
		whole->first = first;
	if (last > whole->last)
		whole->last = last;
	whole->samples.count += samples;
	if (taken.thread != NOTHING_TAKEN)
		whole->taken.thread = taken.thread;
	if (taken.region != NOTHING_TAKEN)
		whole->taken.region = taken.region;
	here = add_stacks(whole, found);
	for (size_t i = 0; i < process->count; i++) {
		struct thread_samples *thread = &whole->samples.threads[process->locations[i]];

		thread->runs = message_array(found, NULL, &thread->count, sizeof(thread->runs[0]));
		thread->room = thread->count;
		for (size_t j = 0; j < thread->count; j++)
			thread->runs[j].node = here[thread->runs[j].node];
	}
	free(here);
}

static void free_threads(struct samples *samples)
{
	for (size_t i = 0; i < samples->archive->location_count; i++) {
		free(samples->threads[i].runs);
		samples->threads[i] = (struct thread_samples){0};
	}
}

static void clear(void *context)
{
	struct whole *whole = context;

	free_threads(&whole->samples);
	whole->samples.count = 0;
	region_stacks_clear(&whole->samples.stacks.regions);
	forget_stacks(&whole->list);
	whole->taken = (struct taken){NOTHING_TAKEN, NOTHING_TAKEN};
	whole->first = UINT64_MAX;
	whole->last = 0;
}

const struct gathering gathered_samples = {
    READER_SAMPLES, part_new, part_free, consume, finish, add, clear};

static int by_first_place(const void *left, const void *right)
{
	const struct stack *const *one = left, *const *other = right;

	return first_place_is_before(&(*one)->first, &(*other)->first) ? -1 : *one != *other;
}

/* Makes the nodes, in the order in which their stacks were first executed. */
static void make_nodes(struct whole *whole)
{
	struct samples *samples = &whole->samples;
	size_t count = whole->list.count;
	const struct stack **order = memory_new(count, sizeof(const void *));
	uint32_t *nodes = memory_new(count, sizeof(nodes[0]));

	for (size_t i = 0; i < count; i++)
		order[i] = &whole->list.items[i];
	qsort(order, count, sizeof(const void *), by_first_place);
	for (size_t i = 0; i < count; i++)
		nodes[order[i] - whole->list.items] =
		    sample_stacks_node(&samples->stacks, order[i]->around, order[i]->context);
	for (size_t i = 0; i < samples->archive->location_count; i++) {
		struct thread_samples *thread = &samples->threads[i];
		size_t runs = thread->count;

		thread->count = 0;
		for (size_t j = 0; j < runs; j++) {
			struct sample_run run = thread->runs[j];

			run.node = nodes[run.node];
			add_run(thread, run);
		}
	}
	free((void *)order);
	free(nodes);
}

/* Asks the filters about what they have taken. */
static void repeat_choice(const struct whole *whole, const struct export_choice *choice)
{
	const struct archive *archive = whole->samples.archive;

	if (whole->taken.thread != NOTHING_TAKEN)
		choice->takes_thread(choice->context, archive, whole->taken.thread);
	if (whole->taken.region != NOTHING_TAKEN)
		choice->takes_region(
		    choice->context, slices_region_name(archive, whole->taken.region));
}

/* Reads the samples, and the time in which they were taken. */
static void read_samples(
    struct whole *whole, const struct export_choice *choice, struct archive *archive)
{
	struct gathering_choice chosen = gathered_choice(archive, choice);
	uint64_t from, to, begin, end;

	chosen.first = gathering_read(&gathered_samples, archive, &chosen, whole);
	make_nodes(whole);
	repeat_choice(whole, choice);
	if (chosen.first != UINT64_MAX) {
		gathering_span(&chosen, chosen.first, &from, &to);
		begin = from > whole->first ? from : whole->first;
		end = to < whole->last ? to : whole->last;
		whole->samples.duration = end > begin
					      ? (uint64_t)((unsigned __int128)(end - begin) *
							   1000000000 / archive->ticks_per_second)
					      : 0;
	}
	gathering_choice_free(&chosen);
}

uint64_t export_samples(struct archive *archive, const struct export_choice *choice, FILE *out,
    const struct sample_format *format)
{
	struct whole whole = {.samples = {.archive = archive}};
	struct samples *samples = &whole.samples;

	samples->threads = memory_new(archive->location_count, sizeof(samples->threads[0]));
	sample_stacks_init(&samples->stacks, archive, format->without_lines);
	clear(&whole);
	read_samples(&whole, choice, archive);
	format->write(samples, out);
	free_threads(samples);
	free(samples->threads);
	sample_stacks_free(&samples->stacks);
	forget_stacks(&whole.list);
	free(whole.list.items);
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
