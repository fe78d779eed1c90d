/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folded stacks: for every stack that occurred a line "outer;inner nanoseconds" with the time spent
 * in its innermost region alone, over all threads of a process. flamegraph.pl, speedscope and
 * inferno draw them. If there are several processes, each is an outermost frame. Memory is bounded
 * by the distinct stacks: a tree of (parent, region). Stacks of more than FRAMES_MAX frames end in
 * a frame "(deeper)": no picture could show them, and their lines would grow with the square of
 * their depth.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "common/terminal-text.h"
#include "export.h"
#include "memory.h"

enum { FRAMES_MAX = 500 };

/* Stands for all regions that are nested deeper. */
#define DEEPER (ARCHIVE_NO_INDEX - 1)

struct node {
	uint32_t parent, region;
	uint32_t depth; /* number of frames from the outermost to this one */
	uint64_t ticks;
};

/* A thread's place in the tree, and since when its time there has not been added. */
struct place {
	uint32_t node;
	uint64_t since;
	uint64_t deeper; /* regions entered beyond FRAMES_MAX */
	bool counts;     /* the thread is chosen */
};

struct folding {
	const struct archive *archive;
	const struct export_choice *choice;
	uint64_t from, to;  /* ticks */
	struct node *nodes; /* 0: the root; then the groups' frames, outside of all regions */
	size_t frames;      /* of groups; 0 if there is only one process */
	size_t node_count, node_room;
	struct pair_map node_of; /* (parent, region) to index */
	struct place *places;
};

static uint64_t ticks_of(const struct archive *archive, uint64_t nanoseconds)
{
	return (uint64_t)((unsigned __int128)nanoseconds * archive->ticks_per_second / 1000000000);
}

static void start(void *context, uint64_t time)
{
	struct folding *folding = context;

	folding->from = time + ticks_of(folding->archive, folding->choice->from);
	folding->to = folding->choice->to == EXPORT_TO_END
			  ? UINT64_MAX
			  : time + ticks_of(folding->archive, folding->choice->to);
}

static void add_time(struct folding *folding, struct place *place, uint64_t now)
{
	uint64_t begin = place->since > folding->from ? place->since : folding->from;
	uint64_t end = now < folding->to ? now : folding->to;

	if (place->node > folding->frames && place->counts && end > begin)
		folding->nodes[place->node].ticks += end - begin;
	place->since = now;
}

static void open(void *context, uint32_t location, uint32_t region, uint64_t time)
{
	struct folding *folding = context;
	struct place *place = &folding->places[location];
	bool is_last = folding->nodes[place->node].depth == FRAMES_MAX - 1;
	struct map_key key = {place->node, is_last ? DEEPER : region};
	uint64_t index;

	add_time(folding, place, time);
	if (folding->nodes[place->node].depth == FRAMES_MAX) {
		place->deeper++;
		return;
	}
	index = pair_map_find(&folding->node_of, key);
	if (index == MAP_NONE) {
		index = folding->node_count++;
		MEMORY_GROW(folding->nodes, folding->node_room, folding->node_count);
		folding->nodes[index] = (struct node){
		    place->node, (uint32_t)key.second, folding->nodes[place->node].depth + 1, 0};
		memory_pair_map_set(&folding->node_of, key, index);
	}
	place->node = (uint32_t)index;
}

static void close(
    void *context, uint32_t location, uint32_t region, uint64_t begin, uint64_t end, size_t depth)
{
	struct folding *folding = context;
	struct place *place = &folding->places[location];

	(void)region, (void)begin, (void)depth;
	add_time(folding, place, end);
	if (place->deeper > 0)
		place->deeper--;
	else
		place->node = folding->nodes[place->node].parent;
}

/*
 * Writes a name between semicolons. Characters that would end the name or the line, or control a
 * terminal, are replaced.
 */
static void write_frame(FILE *out, const char *name)
{
	const char *shown;
	int bytes;

	while (text_next_column(&name, &shown, &bytes) >= 0)
		fprintf(out, "%.*s", bytes, *shown == ';' ? ":" : shown);
}

static void write_stack(FILE *out, const struct folding *folding, uint32_t node)
{
	const struct node *top = &folding->nodes[node];

	if (top->parent != 0) {
		write_stack(out, folding, top->parent);
		fputc(';', out);
	}
	if (node <= folding->frames) {
		char *name = archive_process_name(folding->archive, node - 1);

		write_frame(out, name);
		free(name);
	} else {
		write_frame(out, top->region == DEEPER
				     ? "(deeper)"
				     : slices_region_name(folding->archive, top->region));
	}
}

static void add_frames(struct folding *folding)
{
	const struct archive *archive = folding->archive;

	if (archive->process_count > 1)
		folding->frames = archive->group_count;
	folding->node_count = folding->frames + 1;
	folding->nodes =
	    memory_grow(NULL, &folding->node_room, folding->node_count, sizeof(folding->nodes[0]));
	for (size_t i = 0; i < archive->location_count; i++) {
		uint32_t group = archive->locations[i].group;

		folding->places[i].counts =
		    folding->choice->takes_thread(folding->choice->context, archive, i);
		if (folding->frames > 0 && group != ARCHIVE_NO_INDEX)
			folding->places[i].node = group + 1;
	}
}

void export_flamegraph(struct archive *archive, const struct export_choice *choice, FILE *out)
{
	struct folding folding = {.archive = archive, .choice = choice};
	struct slice_sink sink = {&folding, start, open, close, NULL};

	folding.places = memory_new(archive->location_count, sizeof(folding.places[0]));
	add_frames(&folding);
	slices_read(archive, &sink);
	for (uint32_t i = (uint32_t)folding.frames + 1; i < folding.node_count; i++) {
		uint64_t time = (uint64_t)((unsigned __int128)folding.nodes[i].ticks * 1000000000 /
					   archive->ticks_per_second);

		if (time == 0)
			continue;
		write_stack(out, &folding, i);
		fprintf(out, " %" PRIu64 "\n", time);
	}
	pair_map_free(&folding.node_of);
	free(folding.nodes);
	free(folding.places);
}
