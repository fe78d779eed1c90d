/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team's origin (origin.h) has the frames of Python in its path, and counts the teams that were
 * forked there. Of these frames two are named: the innermost one, and the innermost one of the
 * user's own code, which is in no installed library. Nested regions were called where the outermost
 * one was.
 */
#include "python-callers.h"

#include "common/caller-rows.h"
#include "experiment.h"
#include "process-state.h"
#include "region.h"
#include "thread-block.h"

#include "shared/array.h"
#include "shared/hash-map.h"
#include "shared/precondition.h"
#include "shared/trace-log.h"

#include <stdlib.h>
#include <string.h>

/* Origins are joined to earlier ones. */
enum { MOST_JOINED = 100 };

/* The teams of a region that two lines called, which may be the same. */
struct call {
	uint64_t region;      /* id */
	uint64_t line, inner; /* words of Python in paths */
	uint64_t calls, ticks;
};

/* Of all threads; between pomp_python_callers_collect() and pomp_python_callers_free(). */
static struct {
	struct call *call;
	size_t count, room;
	struct map by_key; /* hash of region and lines, to index */
	const struct pomp_path_tree **trees;
	size_t tree_count, tree_room;
	struct map by_number; /* of a tree, to index */
	double tick;
	bool has_calls, failed;
} all;

static void visit_origins(void (*visit)(const struct pomp_origins *origins))
{
	/* A block keeps the origins of threads that ended. */
	const struct pomp_thread *lists[] = {pomp_threads.alive, pomp_threads.spare};

	for (size_t i = 0; i < 2; i++)
		for (const struct pomp_thread *thread = lists[i]; thread; thread = thread->next)
			if (thread->origins != NULL)
				visit(thread->origins);
}

/* Programs without Python have none. */
static void look_for_calls(const struct pomp_origins *origins)
{
	const struct pomp_origin *origin = NULL;

	while (!all.has_calls && (origin = pomp_origin_after(origins, origin)) != NULL)
		all.has_calls = load_relaxed(&origin->teams) > 0;
}

static void note_tree(const struct pomp_origins *origins)
{
	if (!ARRAY_PUSH(all.trees, all.tree_count, all.tree_room, origins->tree) ||
	    !map_add(&all.by_number, origins->tree->number, all.tree_count - 1))
		all.failed = true;
}

/* Moves to the node in another tree; NULL: it is not known. */
static const struct pomp_path_tree *follow(uint64_t word, uint32_t *node)
{
	uint64_t at = map_find(&all.by_number, trace_log_joined_tree(word));

	*node = trace_log_joined_node(word);
	return at != MAP_NONE && *node < load_acquire(&all.trees[at]->count) ? all.trees[at] : NULL;
}

static bool is_python(uint64_t word)
{
	return word < POMP_PATH_REGION && word & POMP_PATH_PYTHON;
}

static const struct pomp_python_text *text_of(uint64_t word)
{
	return pomp_python_text(pomp_path_python_number(word));
}

/* Finds both lines in a path, outwards from that node. Both are 0 if no frame is of Python. */
static void find_lines(const struct pomp_path_tree *tree, uint32_t node, struct call *call)
{
	unsigned joined = 0;

	while (tree != NULL && node != 0 && call->line == 0) {
		uint64_t word = tree->node[node].word;
		if (word & POMP_PATH_JOINED && !(word & POMP_PATH_LEAF)) {
			tree = joined++ < MOST_JOINED ? follow(word, &node) : NULL;
			continue;
		}
		if (is_python(word) && call->inner == 0)
			call->inner = word;
		if (is_python(word) && !caller_is_library(text_of(word)->file))
			call->line = word;
		node = tree->node[node].parent;
	}
	if (call->line == 0)
		call->line = call->inner;
}

static struct call *find_call(const struct call *call)
{
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t key = ((call->line * factor ^ call->inner) * factor) ^ call->region;

	for (size_t at = map_first(&all.by_key, key); at != MAP_END;
	     at = map_next(&all.by_key, key, at)) {
		struct call *found = &all.call[map_value(&all.by_key, at)];
		if (found->region == call->region && found->line == call->line &&
		    found->inner == call->inner)
			return found;
	}
	if (!ARRAY_PUSH(all.call, all.count, all.room, *call) ||
	    !map_add(&all.by_key, key, all.count - 1))
		return NULL;
	return &all.call[all.count - 1];
}

static void add_calls(const struct pomp_origins *origins)
{
	const struct pomp_origin *origin = NULL;

	while (!all.failed && (origin = pomp_origin_after(origins, origin)) != NULL) {
		struct call call = {.region = origin->region};
		uint64_t teams = load_relaxed(&origin->teams);
		if (teams == 0)
			continue;
		find_lines(origins->tree, trace_log_joined_node(origin->path), &call);
		struct call *found = call.inner != 0 ? find_call(&call) : NULL;
		all.failed = call.inner != 0 && found == NULL;
		if (found == NULL)
			continue;
		found->calls += teams;
		found->ticks += load_relaxed(&origin->ticks);
	}
}

bool pomp_python_callers_collect(double tick)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	all.tick = tick;
	visit_origins(look_for_calls);
	if (!all.has_calls)
		return true;
	visit_origins(note_tree);
	visit_origins(add_calls);
	return !all.failed;
}

static uint64_t time_of(const struct call *call)
{
	return (uint64_t)((double)call->ticks * all.tick + 0.5);
}

bool pomp_python_callers_fill(struct summary *summary)
{
	struct caller_rows rows = {0};
	bool fits = true;

	for (size_t i = 0; i < all.count && fits; i++) {
		const struct call *call = &all.call[i];
		const struct pomp_region *region = pomp_region_find(call->region);
		const struct pomp_python_text *line = text_of(call->line),
					      *inner = text_of(call->inner);
		if (region == NULL)
			continue;
		const struct summary_caller row = {.construct = region->name,
		    .construct_file = region->file,
		    .construct_function = region->code != NULL ? region->code->function : NULL,
		    .construct_line = region->begin_first,
		    .is_code = region->code != NULL,
		    .function = line->function,
		    .file = line->file,
		    .line = (int)pomp_path_python_line(call->line),
		    .inner_function = inner->function,
		    .inner_file = inner->file,
		    .inner_line = (int)pomp_path_python_line(call->inner),
		    .calls = call->calls,
		    .time = time_of(call)};
		fits = caller_rows_add(summary, &rows, &row);
	}
	caller_rows_finish(summary);
	return fits;
}

void pomp_python_callers_define(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	if (load_relaxed(&pomp_experiment.path) == NULL)
		return;
	for (size_t i = 0; i < all.count; i++) {
		const struct call *call = &all.call[i];
		const struct pomp_python_text *line = text_of(call->line),
					      *inner = text_of(call->inner);
		const struct trace_log_caller head = {call->region, call->calls, time_of(call),
		    pomp_path_python_line(call->line), pomp_path_python_line(call->inner)};
		const char *texts[] = {line->function, line->file, inner->function, inner->file};
		pomp_experiment_append(TRACE_LOG_CALLER, &head, sizeof(head), texts, 4);
	}
}

void pomp_python_callers_free(struct summary *summary)
{
	caller_rows_free(summary);
	map_free(&all.by_key);
	map_free(&all.by_number);
	free(all.call);
	free(all.trees);
	memset(&all, 0, sizeof(all));
}
