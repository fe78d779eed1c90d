/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folded stacks: for every stack of regions that occurred a line "outer;inner nanoseconds" with the
 * time spent in its innermost region alone, over all threads of a process. flamegraph.pl,
 * speedscope and inferno draw them.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "export.h"
#include "folded-frame.h"
#include "memory.h"
#include "region-stacks.h"

struct folding {
	const struct archive *archive;
	const struct export_choice *choice;
	uint64_t from, to; /* ticks */
	struct region_stacks stacks;
	uint64_t *ticks; /* by node */
	size_t tick_room;
	/* By location. */
	uint64_t *since; /* the time from which on its time has not been added */
	bool *counts;    /* the thread is chosen */
};

static void start(void *context, uint64_t time)
{
	struct folding *folding = context;

	folding->from = time + export_ticks(folding->archive, folding->choice->from);
	folding->to = folding->choice->to == EXPORT_TO_END
			  ? UINT64_MAX
			  : time + export_ticks(folding->archive, folding->choice->to);
}

static void add_time(struct folding *folding, uint32_t location, uint64_t now)
{
	uint64_t since = folding->since[location];
	uint64_t begin = since > folding->from ? since : folding->from;
	uint64_t end = now < folding->to ? now : folding->to;
	uint32_t node = folding->stacks.places[location].node;

	if (node > folding->stacks.processes && folding->counts[location] && end > begin) {
		MEMORY_GROW(folding->ticks, folding->tick_room, folding->stacks.count);
		folding->ticks[node] += end - begin;
	}
	folding->since[location] = now;
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct folding *folding = context;

	add_time(folding, location, time);
	region_stacks_open(&folding->stacks, location, region);
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct folding *folding = context;

	(void)region, (void)begin, (void)depth;
	add_time(folding, location, end);
	region_stacks_close(&folding->stacks, location);
}

static void write_stack(FILE *out, const struct folding *folding, uint32_t node)
{
	const struct region_node *top = &folding->stacks.nodes[node];

	if (top->parent != 0) {
		write_stack(out, folding, top->parent);
		fputc(';', out);
	}
	if (node <= folding->stacks.processes)
		folded_process(out, folding->archive, top->region);
	else
		folded_frame(out, top->region == REGION_DEEPER
				      ? "(deeper)"
				      : slices_region_name(folding->archive, top->region));
}

void export_flamegraph(struct archive *archive, const struct export_choice *choice, FILE *out)
{
	struct folding folding = {.archive = archive, .choice = choice};
	struct slice_sink sink = {&folding, start, open, close, NULL};

	folding.since = memory_new(archive->location_count, sizeof(folding.since[0]));
	folding.counts = memory_new(archive->location_count, sizeof(folding.counts[0]));
	for (size_t i = 0; i < archive->location_count; i++)
		folding.counts[i] = choice->takes_thread(choice->context, archive, i);
	region_stacks_init(&folding.stacks, archive, true);
	slices_read(archive, &sink);
	MEMORY_GROW(folding.ticks, folding.tick_room, folding.stacks.count);
	for (uint32_t i = (uint32_t)folding.stacks.processes + 1; i < folding.stacks.count; i++) {
		uint64_t time = (uint64_t)((unsigned __int128)folding.ticks[i] * 1000000000 /
					   archive->ticks_per_second);

		if (time == 0)
			continue;
		write_stack(out, &folding, i);
		fprintf(out, " %" PRIu64 "\n", time);
	}
	region_stacks_free(&folding.stacks);
	free(folding.ticks);
	free(folding.since);
	free(folding.counts);
}
