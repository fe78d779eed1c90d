/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds up the samples of all threads by address, gives the addresses names, and adds up those of
 * one line. The same for the call paths.
 */
#include "hot-code.h"

#include "address-names.h"
#include "common/hot-rows.h"
#include "common/memory-rows.h"
#include "experiment.h"
#include "process-state.h"
#include "region.h"
#include "thread-block.h"
#include "thread-samples.h"

#include "shared/array.h"
#include "shared/hash-map.h"
#include "shared/precondition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The samples at one address in one region. */
struct spot {
	uint64_t address, region, samples, waits, faults;
	uint64_t counted[SAMPLE_COUNTER_COUNT];
};

/* The end of one path: a leaf of a thread's tree. */
struct path_end {
	const struct pomp_path_tree *tree;
	uint32_t node; /* the innermost address */
	bool is_serial;
	uint64_t samples, faults;
};

/* Of all threads; between pomp_hot_code_collect() and pomp_hot_code_fill(). */
static struct {
	struct spot *spot;
	size_t count, room;
	struct map by_key; /* of address and region, to index */
	struct path_end *end;
	size_t end_count, end_room;
	const struct pomp_path_tree **trees; /* by number */
	size_t tree_count, tree_room;
	char **construct; /* texts of constructs by their regions' ids, as far as paths have them */
	size_t construct_count;
	struct map defined; /* keys of addresses in the definitions log */
	uint64_t samples, lost, untraced;
	uint64_t slots, counters; /* sets: of the counts in trees, and what was measured */
	bool failed;
} all;

static struct spot *find_spot(uint64_t address, uint64_t region)
{
	uint64_t key = address * UINT64_C(0x9e3779b97f4a7c15) ^ region;
	size_t at = map_first(&all.by_key, key);

	for (; at != MAP_END; at = map_next(&all.by_key, key, at)) {
		struct spot *spot = &all.spot[map_value(&all.by_key, at)];
		if (spot->address == address && spot->region == region)
			return spot;
	}
	struct spot fresh = {.address = address, .region = region};
	if (!ARRAY_PUSH(all.spot, all.count, all.room, fresh) ||
	    !map_add(&all.by_key, key, all.count - 1)) {
		all.failed = true;
		return NULL;
	}
	return &all.spot[all.count - 1];
}

static void add_counts(struct spot *spot, const _Atomic uint64_t *counted)
{
	uint64_t rest = all.slots;

	for (unsigned i = 0; rest != 0; i++)
		spot->counted[sample_counter_take(&rest)] += load_relaxed(&counted[i]);
}

/* Whether there are samples, or counts of samples of events. */
static bool is_sampled(const struct pomp_path_tree *tree, uint32_t node)
{
	bool is = load_relaxed(&tree->node[node].samples) > 0;

	for (unsigned i = 0; !is && i < sample_counters_number(all.slots); i++)
		is = load_relaxed(&tree->counted[node][i]) > 0;
	return is;
}

static void add_tree(const struct pomp_path_tree *tree)
{
	uint32_t count = load_acquire(&tree->count);

	all.lost += load_relaxed(&tree->lost);
	all.untraced += load_relaxed(&tree->untraced);
	for (uint32_t i = 1; i < count && !all.failed; i++) {
		const struct pomp_path_node *leaf = &tree->node[i];
		uint64_t samples = load_relaxed(&leaf->samples);
		if (!(leaf->word & POMP_PATH_LEAF) || !is_sampled(tree, i))
			continue;
		struct spot *spot =
		    find_spot(tree->node[leaf->parent].word, pomp_path_region(leaf->word));
		if (spot == NULL)
			return;
		spot->samples += samples;
		add_counts(spot, tree->counted[i]);
		uint64_t faults = pomp_path_faults(leaf->word) ? samples : 0;
		spot->waits += pomp_path_waits(leaf->word) ? samples : 0;
		spot->faults += faults;
		all.samples += samples;
		if (samples == 0)
			continue;
		struct path_end end = {
		    tree, leaf->parent, pomp_path_is_serial(leaf->word), samples, faults};
		if (!ARRAY_PUSH(all.end, all.end_count, all.end_room, end))
			all.failed = true;
	}
}

/* Calls visit(word, is_return) for the word of each node, as what it is in the paths. */
static void visit_nodes(
    const struct pomp_path_tree *tree, void (*visit)(uint64_t word, bool is_return))
{
	uint32_t count = load_acquire(&tree->count);

	for (uint32_t i = 1; i < count; i++) {
		const struct pomp_path_node *node = &tree->node[i];
		bool is_leaf = (node->word & POMP_PATH_LEAF) != 0;
		visit(is_leaf ? tree->node[node->parent].word : node->word, !is_leaf);
	}
}

static void visit_trees(void (*visit)(const struct pomp_path_tree *tree))
{
	/* A block keeps the paths of threads that ended. */
	const struct pomp_thread *lists[] = {pomp_threads.alive, pomp_threads.spare};

	for (size_t i = 0; i < 2; i++)
		for (const struct pomp_thread *thread = lists[i]; thread; thread = thread->next) {
			if (thread->paths != NULL && thread->paths->number != 0)
				visit(thread->paths);
			if (thread->origins != NULL)
				visit(thread->origins->tree);
		}
}

static int by_number(const void *left, const void *right)
{
	const struct pomp_path_tree *const *one = left, *const *other = right;

	return ((*one)->number > (*other)->number) - ((*one)->number < (*other)->number);
}

static void list_tree(const struct pomp_path_tree *tree)
{
	if (!ARRAY_PUSH(all.trees, all.tree_count, all.tree_room, tree))
		all.failed = true;
}

static void list_trees(void)
{
	visit_trees(list_tree);
	if (all.tree_count > 0)
		qsort(all.trees, all.tree_count, sizeof(*all.trees), by_number);
}

/* Returns the tree in which a path continues, and the node there; NULL: it is not known. */
static const struct pomp_path_tree *tree_of(uint64_t word, uint32_t *node)
{
	uint32_t number = trace_log_joined_tree(word);
	const struct pomp_path_tree *tree =
	    number > 0 && number <= all.tree_count ? all.trees[number - 1] : NULL;

	*node = trace_log_joined_node(word);
	return tree != NULL && tree->number == number ? tree : NULL;
}

static int most_first(const void *left, const void *right)
{
	const struct spot *one = left, *other = right;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	return (one->address > other->address) - (one->address < other->address);
}

static int most_samples_first(const void *left, const void *right)
{
	const struct path_end *one = left, *other = right;

	return (one->samples < other->samples) - (one->samples > other->samples);
}

static bool is_address(uint64_t word)
{
	return (word & (POMP_PATH_LEAF | POMP_PATH_TOO_DEEP | POMP_PATH_JOINED | POMP_PATH_REGION |
			   POMP_PATH_PYTHON)) == 0;
}

static bool is_python(uint64_t word)
{
	return word < POMP_PATH_REGION && word & POMP_PATH_PYTHON;
}

/* Returns the name of an address, which was announced, or of a function of Python. */
static struct address_name name_of(uint64_t word, bool is_return)
{
	const struct pomp_python_text *text;

	if (!is_python(word))
		return pomp_address_name(word, is_return);
	text = pomp_python_text(pomp_path_python_number(word));
	return (struct address_name){.function = text->function,
	    .file = text->file[0] != '\0' ? text->file : NULL,
	    .line = (int)pomp_path_python_line(word)};
}

static void announce(uint64_t word, bool is_return)
{
	if (is_address(word))
		pomp_address_announce(word, is_return, 0);
}

/* The innermost address was interrupted, the others are return addresses. */
static void announce_path(const struct path_end *end)
{
	const struct pomp_path_node *nodes = end->tree->node;

	for (uint32_t at = end->node; at != 0; at = nodes[at].parent)
		announce(nodes[at].word, at != end->node);
}

static void announce_tree(const struct pomp_path_tree *tree)
{
	visit_nodes(tree, announce);
}

void pomp_hot_code_collect(void)
{
	pomp_lock_process();
	all.slots = pomp_exact_clock_slots();
	all.counters = pomp_exact_clock_counters();
	visit_trees(add_tree);
	list_trees();
	pomp_unlock_process();
	if (all.count > 0)
		qsort(all.spot, all.count, sizeof(*all.spot), most_first);
	if (all.end_count > 0)
		qsort(all.end, all.end_count, sizeof(*all.end), most_samples_first);
	for (size_t i = 0; i < all.count; i++)
		if (is_address(all.spot[i].address))
			pomp_address_announce(all.spot[i].address, false, all.spot[i].samples);
	/* No thread takes samples any more, and blocks are never freed. */
	for (size_t i = 0; i < all.end_count; i++)
		announce_path(&all.end[i]);
	for (size_t i = 0; i < all.tree_count && all.samples > 0; i++)
		announce_tree(all.trees[i]);
}

/* Returns "parallel for at solver.c:12"; it stays valid. */
static const char *construct_text(uint64_t word)
{
	uint64_t id = word & ~POMP_PATH_REGION;
	const struct pomp_region *region = pomp_region_find(id);

	if (region == NULL)
		return "?";
	if (all.construct == NULL) {
		all.construct = calloc(pomp_regions.count + 1, sizeof(*all.construct));
		all.construct_count = all.construct != NULL ? pomp_regions.count + 1 : 0;
	}
	if (id >= all.construct_count)
		return region->name;
	const char *file = code_file_name(region->file);
	if (all.construct[id] == NULL &&
	    (region->begin_first > 0
		    ? asprintf(&all.construct[id], "%s at %s:%d", region->name, file,
			  region->begin_first)
		    : asprintf(&all.construct[id], "%s at %s", region->name, file)) < 0)
		all.construct[id] = NULL;
	return all.construct[id] != NULL ? all.construct[id] : region->name;
}

static void append_address(
    const struct trace_log_address *head, const char *function, const char *file)
{
	const char *texts[] = {function != NULL ? function : "", file != NULL ? file : ""};

	pomp_experiment_append_later(TRACE_LOG_ADDRESS, head, sizeof(*head), texts, 2);
}

static void append_callers(uint64_t key, const struct address_name *name)
{
	for (size_t i = 0; i < name->caller_count; i++) {
		const struct code_caller *caller = &name->callers[i];
		struct trace_log_address head = {.key = key,
		    .line = (uint32_t)caller->line,
		    .is = TRACE_LOG_IS_AROUND | (caller->is_wrapper ? TRACE_LOG_IS_WRAPPER : 0)};
		append_address(&head, caller->function, caller->file);
	}
}

static void define_address(uint64_t word, bool is_return)
{
	struct address_name name = pomp_address_kind(word, is_return);
	if (!is_return || !name.is_runtime) /* among callers, runtimes' functions are left out */
		name = name_of(word, is_return);
	struct trace_log_address head = {.key = trace_log_address_key(word, is_return),
	    .line = (uint32_t)name.line,
	    .is = (name.is_wrapper ? TRACE_LOG_IS_WRAPPER : 0) |
		  (name.is_runtime ? TRACE_LOG_IS_RUNTIME : 0) |
		  (name.is_start ? TRACE_LOG_IS_START : 0)};
	const struct pomp_region *region =
	    word & POMP_PATH_REGION ? pomp_region_find(word & ~POMP_PATH_REGION) : NULL;

	/* In a static program: `ompreport recover` finds the name. */
	bool is_named_later = is_address(word) && name.is_in_no_module;

	if (word & POMP_PATH_JOINED || is_named_later)
		return;
	if (word == POMP_PATH_TOO_DEEP)
		name.function = "...";
	if (region != NULL) {
		name.function = construct_text(word);
		name.file = region->path != NULL ? region->path : region->file;
		head.line = (uint32_t)region->begin_first;
		head.is = TRACE_LOG_IS_CONSTRUCT;
	}
	if (map_find(&all.defined, head.key) != MAP_NONE || !map_add(&all.defined, head.key, 0))
		return;
	append_address(&head, name.function, name.file);
	append_callers(head.key, &name);
}

static void define_names(const struct pomp_path_tree *tree)
{
	visit_nodes(tree, define_address);
}

static void define_nodes(const struct pomp_path_tree *tree)
{
	uint32_t count = load_acquire(&tree->count);
	size_t bytes = sizeof(struct trace_log_paths) + count * sizeof(struct trace_log_path_node);
	struct trace_log_paths *head = calloc(1, bytes);

	if (head == NULL)
		return;
	struct trace_log_path_node *nodes = (struct trace_log_path_node *)(head + 1);
	*head = (struct trace_log_paths){tree->number, count};
	for (uint32_t i = 0; i < count; i++)
		nodes[i] = (struct trace_log_path_node){
		    tree->node[i].word, tree->node[i].parent, load_relaxed(&tree->node[i].samples)};
	pomp_experiment_append(TRACE_LOG_PATHS, head, bytes, NULL, 0);
	free(head);
}

void pomp_hot_code_define(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	if (load_relaxed(&pomp_experiment.path) == NULL)
		return;
	visit_trees(define_names);
	for (size_t i = 0; i < all.tree_count; i++)
		define_nodes(all.trees[i]);
}

static bool add_row(struct summary *summary, struct hot_rows *rows, const struct spot *spot)
{
	struct address_name name = name_of(spot->address, false);
	const struct pomp_region *region = pomp_region_find(spot->region);
	struct summary_hot row = {
	    .function = name.function,
	    .file = name.file,
	    .line = name.line,
	    .samples = spot->samples,
	    .waits = spot->waits,
	    .faults = spot->faults,
	    .construct = region != NULL ? region->name : NULL,
	    .construct_file = region != NULL ? region->file : NULL,
	    .construct_line = region != NULL ? region->begin_first : 0,
	};

	memcpy(row.counted, spot->counted, sizeof(row.counted));
	return hot_rows_add(summary, rows, &row);
}

static const char *function_of(const struct address_name *name)
{
	return name->function != NULL ? name->function : name->file != NULL ? name->file : "?";
}

/* Adds the function at an address, after those into which it was inlined. */
static void add_functions(struct hot_path *path, const struct address_name *name)
{
	for (size_t i = name->caller_count; i > 0; i--)
		if (name->callers[i - 1].function != NULL)
			hot_path_add(path, name->callers[i - 1].function);
	hot_path_add(path, function_of(name));
}

/*
 * Adds the callers from the outermost one to that node. Returns whether, after them, still comes
 * what starts a thread or the program, which is left out like runtimes' functions.
 */
static bool add_callers(struct hot_path *path, const struct pomp_path_tree *tree, uint32_t at)
{
	uint64_t word = tree->node[at].word;

	if (at == 0)
		return true;
	if (word & POMP_PATH_JOINED) {
		uint32_t node = 0;
		tree = tree_of(word, &node);
		if (tree != NULL)
			add_callers(path, tree, node);
		return true;
	}
	bool starts = add_callers(path, tree, tree->node[at].parent);
	if (word == POMP_PATH_TOO_DEEP || word & POMP_PATH_REGION) {
		if (word == POMP_PATH_TOO_DEEP)
			hot_path_add(path, "...");
		else
			hot_path_add_construct(path, construct_text(word));
		return true;
	}
	struct address_name name = pomp_address_kind(word, true);
	if (!name.is_runtime && !(starts && name.is_start))
		name = name_of(word, true);
	if (name.is_runtime || (starts && name.is_start))
		return starts;
	add_functions(path, &name);
	return false;
}

static bool add_path(struct summary *summary, struct hot_rows *rows, const struct path_end *end)
{
	const struct pomp_path_node *node = &end->tree->node[end->node];
	struct address_name name = name_of(node->word, false);
	struct hot_path path = {0};

	add_callers(&path, end->tree, node->parent);
	add_functions(&path, &name);
	return hot_rows_add_path(summary, rows, &path, end->is_serial, end->samples, end->faults);
}

uint64_t pomp_hot_code_samples(void)
{
	return all.samples + all.lost;
}

/*
 * Adds what the path says about memory: of its innermost frames, without runtimes' functions. Only
 * paths that end in a page fault or in the C library say something.
 */
static bool add_memory(
    struct summary *summary, struct memory_rows *rows, const struct path_end *end)
{
	struct blocked_frame frames[BLOCKED_FRAMES];
	const struct pomp_path_node *nodes = end->tree->node;
	size_t count = 0;

	if (end->faults == 0 && !pomp_address_kind(nodes[end->node].word, false).is_start)
		return true;
	for (uint32_t at = end->node; at != 0 && count < BLOCKED_FRAMES; at = nodes[at].parent) {
		uint64_t word = nodes[at].word;
		bool is_return = at != end->node;
		if (!is_address(word) && !is_python(word))
			break;
		if (is_address(word) && pomp_address_kind(word, is_return).is_runtime)
			continue;
		struct address_name name = name_of(word, is_return);
		count += pomp_address_frames(&name, frames + count, BLOCKED_FRAMES - count);
	}
	return memory_rows_add_path(summary, rows, frames, count, end->samples, end->faults);
}

bool pomp_hot_code_fill(struct summary *summary, bool with_rows)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct hot_rows rows = {0};
	struct memory_rows memory = {0};

	for (size_t i = 0; with_rows && i < all.count && !all.failed; i++)
		all.failed = !add_row(summary, &rows, &all.spot[i]);
	for (size_t i = 0; with_rows && i < all.end_count && !all.failed; i++)
		all.failed = !add_path(summary, &rows, &all.end[i]) ||
			     !add_memory(summary, &memory, &all.end[i]);
	summary->samples = pomp_hot_code_samples();
	summary->lost_samples = all.lost;
	summary->sample_counters = all.counters;
	summary->sample_note = pomp_samples_note(summary->samples, all.lost, all.untraced);
	hot_rows_finish(summary);
	memory_rows_finish(summary);
	return !all.failed;
}

void pomp_hot_code_free(struct summary *summary)
{
	hot_rows_free(summary);
	memory_rows_free(summary);
	pomp_address_names_free();
	map_free(&all.by_key);
	map_free(&all.defined);
	free(all.spot);
	free(all.end);
	for (size_t i = 0; i < all.construct_count; i++)
		free(all.construct[i]);
	free(all.construct);
	free(all.trees);
	memset(&all, 0, sizeof(all));
}
