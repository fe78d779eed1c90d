/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree of regions as JSON for Hatchet and Thicket (GraphFrame.from_literal()): a list of nodes,
 * each with a frame, metrics in seconds, and its children.
 */
#include <stdlib.h>

#include "memory.h"
#include "region-times.h"

/* The stacks as a tree: nodes come after their parents. */
struct tree {
	const struct archive *archive;
	const struct region_times *times;
	uint64_t *whole;                /* ns in a node and all below it */
	uint32_t *first_child, *sister; /* 0: none */
};

static void put_children(const struct tree *tree, FILE *out, uint32_t node);

static void grow_tree(struct tree *tree)
{
	const struct region_stacks *stacks = &tree->times->stacks;

	for (size_t i = stacks->count; i-- > 1;) {
		uint32_t parent = stacks->nodes[i].parent;

		tree->whole[i] += region_times_own(tree->times, (uint32_t)i);
		tree->whole[parent] += tree->whole[i];
		tree->sister[i] = tree->first_child[parent];
		tree->first_child[parent] = (uint32_t)i;
	}
}

static void put_frame(const struct tree *tree, struct json_writer *json, uint32_t node)
{
	const struct archive *archive = tree->archive;
	uint32_t region = tree->times->stacks.nodes[node].region;
	bool is_process = node <= tree->times->stacks.processes;

	json_open_object(json, "frame");
	if (is_process) {
		char *name = archive_process_name(archive, region);

		json_put_text(json, "name", name);
		free(name);
	} else {
		json_put_text(json, "name",
		    region == REGION_DEEPER ? "(deeper)" : slices_region_name(archive, region));
	}
	json_put_text(json, "type", is_process ? "process" : "region");
	if (!is_process && region < archive->region_count && archive->regions[region].file[0]) {
		json_put_text(json, "file", archive->regions[region].file);
		json_put_number(json, "line", archive->regions[region].begin_line);
	}
	json_close_object(json);
}

/*
 * Each node has a writer of its own: a tree may be
 * deeper than what a writer can nest.
 */
static void put_node(const struct tree *tree, FILE *out, uint32_t node)
{
	struct json_writer json;

	json_start(&json, out, 0);
	json_open_object(&json, NULL);
	put_frame(tree, &json, node);
	json_open_object(&json, "metrics");
	json_put_scaled(&json, "time", region_times_own(tree->times, node), 9);
	json_put_scaled(&json, "time (inc)", tree->whole[node], 9);
	json_close_object(&json);
	if (tree->first_child[node] != 0) {
		fputs(", \"children\": ", out);
		put_children(tree, out, node);
	}
	json_close_object(&json);
}

static void put_children(const struct tree *tree, FILE *out, uint32_t node)
{
	const char *before = "[\n";

	for (uint32_t child = tree->first_child[node]; child != 0; child = tree->sister[child]) {
		fputs(before, out);
		put_node(tree, out, child);
		before = ",\n";
	}
	fputs(tree->first_child[node] != 0 ? "\n]" : "[]", out);
}

void export_hatchet(struct archive *archive, const struct export_choice *choice, FILE *out)
{
	struct region_times times;
	struct tree tree = {.archive = archive, .times = &times};

	region_times_read(&times, archive, choice);
	tree.whole = memory_new(times.stacks.count, sizeof(tree.whole[0]));
	tree.first_child = memory_new(times.stacks.count, sizeof(tree.first_child[0]));
	tree.sister = memory_new(times.stacks.count, sizeof(tree.sister[0]));
	grow_tree(&tree);
	put_children(&tree, out, 0);
	fputc('\n', out);
	region_times_free(&times);
	free(tree.whole);
	free(tree.first_child);
	free(tree.sister);
}
