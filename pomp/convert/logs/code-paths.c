/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program names the addresses of its samples when it ends. If it was killed before, the nodes of
 * their paths are in the threads' logs. Its addresses, and those of a static program, which cannot
 * name them, get their names here, by the files that were loaded when the definitions log was made.
 * Code of other files keeps its address.
 */
#include "code-paths.h"

#include "common/hot-rows.h"
#include "shared/array.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the tree with that number; NULL: there can be none, or memory ran out. */
static struct convert_path_tree *find_tree(struct convert_input *input, uint32_t number)
{
	struct convert_paths *paths = &input->paths;
	const struct trace_log_path_node root = {0};

	/* Threads have trees, and nearly all of them have logs. */
	if (number == 0 || number > 2 * input->log_count + 64)
		return NULL;
	while (paths->tree_count < number) {
		struct convert_path_tree tree = {0};
		if (!ARRAY_PUSH(tree.read, tree.count, tree.room, root))
			return NULL;
		if (!ARRAY_PUSH(paths->trees, paths->tree_count, paths->tree_room, tree)) {
			free(tree.read);
			return NULL;
		}
	}
	return &paths->trees[number - 1];
}

/* Nodes of a tree at most: as many as libpomp keeps. */
#define MOST_NODES (UINT64_C(1) << 17)

/* What is not known of a tree: it has no name and no context. */
static const struct trace_log_path_node gap = {.word = TRACE_LOG_PATH_LEAF};

/*
 * Adds a node of a ring, which has those that its samples need, and some again and again. False
 * when memory ran out.
 */
static bool add_ring_node(
    struct convert_path_tree *tree, uint64_t number, struct trace_log_path_node node)
{
	if (number == 0 || number >= MOST_NODES || node.parent >= number)
		return true;
	while (tree->count <= number)
		if (!ARRAY_PUSH(tree->read, tree->count, tree->room, gap))
			return false;
	tree->read[number] = node;
	return true;
}

/*
 * Adds a node if it is its tree's next one, or of a ring; others are damage. False when memory ran
 * out.
 */
static bool add_node(struct convert_input *input, const struct convert_record *record, bool is_ring)
{
	uint32_t number = trace_log_path_tree(record->payload[1]);
	struct convert_path_tree *tree = find_tree(input, number);
	struct trace_log_path_node node = {
	    .word = record->payload[0] == TRACE_LOG_PATH_IS_LEAF ? TRACE_LOG_PATH_LEAF
								 : record->payload[0],
	    .parent = trace_log_path_parent(record->payload[1]),
	};

	if (tree == NULL)
		return number == 0 || number > 2 * input->log_count + 64;
	if (is_ring)
		return add_ring_node(tree, record->argument, node);
	if (record->argument != tree->count || node.parent >= tree->count)
		return true;
	return ARRAY_PUSH(tree->read, tree->count, tree->room, node);
}

static bool read_nodes(struct convert_input *input)
{
	struct convert_record record;
	bool has_room = true;

	for (size_t i = 0; i < input->log_count && has_room; i++) {
		struct convert_cursor cursor = convert_cursor_of(&input->logs[i]);
		while (has_room && convert_next(&cursor, &record))
			if (record.kind == TRACE_LOG_PATH)
				has_room =
				    add_node(input, &record, input->logs[i].unrolled != NULL);
	}
	for (size_t i = 0; i < input->paths.tree_count; i++)
		input->paths.trees[i].nodes = input->paths.trees[i].read;
	return has_room;
}

/* The input takes ownership of a text; NULL is "". */
static bool keep(struct convert_input *input, char *text, const char **place)
{
	*place = text != NULL ? text : "";
	if (text == NULL || ARRAY_PUSH(input->texts, input->text_count, input->text_capacity, text))
		return true;
	free(text);
	return false;
}

/* Finds the function and line of an address, else its file and offset. */
static bool find_name(const struct convert_paths *paths, uint64_t word, bool is_return,
    const struct trace_conversion *conversion, struct code_name *name)
{
	size_t i = 0;

	if (word & TRACE_LOG_PATH_PYTHON) /* its name is lost */
		return asprintf(&name->function, "Python, line %u", (unsigned)word) >= 0;
	while (i < paths->module_count &&
	       !(word >= paths->modules[i].head.first && word < paths->modules[i].head.end))
		i++;
	if (i == paths->module_count)
		return asprintf(&name->function, "%#llx", (unsigned long long)word) >= 0;
	const struct convert_module *module = &paths->modules[i];
	const struct code_place place = {.module = module->path,
	    .build_id = module->build_id,
	    .offset = word - module->head.bias,
	    .at = is_return ? CODE_RETURN : CODE_ENTRY};
	if (conversion->namer != NULL &&
	    !conversion->names->find_line(conversion->namer, &place, name))
		return false;
	if (name->function == NULL)
		name->function = code_place_short(&place);
	return name->function != NULL;
}

/* Adds an address, whose texts the input takes. */
static bool add_address(
    struct convert_input *input, uint32_t is, int line, char **function, char **file)
{
	struct convert_paths *paths = &input->paths;
	struct convert_address address = {
	    .is = is, .line = *file != NULL && line > 0 ? (uint32_t)line : 0};
	bool has_room = keep(input, *function, &address.function);

	has_room = keep(input, *file, &address.file) && has_room;
	*function = *file = NULL;
	return has_room &&
	       ARRAY_PUSH(paths->addresses, paths->address_count, paths->address_room, address);
}

static bool name_address(struct convert_input *input, uint64_t word, bool is_return,
    const struct trace_conversion *conversion)
{
	struct convert_paths *paths = &input->paths;
	uint64_t key = trace_log_address_key(word, is_return);
	struct code_name name = {0};
	uint32_t is;

	if (word == 0 || word & TRACE_LOG_PATH_JOINED ||
	    map_find(&paths->address_of, key) != MAP_NONE)
		return true;
	bool has_room = find_name(paths, word, is_return, conversion, &name);
	is = name.is_wrapper ? TRACE_LOG_IS_WRAPPER : 0;
	if (has_room && hot_path_is_runtime(name.function))
		is |= TRACE_LOG_IS_RUNTIME;
	if (has_room && hot_path_is_start(name.function))
		is |= TRACE_LOG_IS_START;
	has_room = has_room && map_add(&paths->address_of, key, paths->address_count) &&
		   add_address(input, is, name.begin, &name.function, &name.file);
	for (size_t i = 0; i < name.caller_count && has_room; i++)
		has_room = add_address(input,
		    TRACE_LOG_IS_AROUND | (name.callers[i].is_wrapper ? TRACE_LOG_IS_WRAPPER : 0),
		    name.callers[i].line, &name.callers[i].function, &name.callers[i].file);
	code_name_free(&name);
	return has_room;
}

static bool name_tree(struct convert_input *input, const struct convert_path_tree *tree,
    const struct trace_conversion *conversion)
{
	for (size_t i = 1; i < tree->count; i++) {
		const struct trace_log_path_node *node = &tree->nodes[i];
		bool is_leaf = (node->word & TRACE_LOG_PATH_LEAF) != 0;
		uint64_t word = is_leaf ? tree->nodes[node->parent].word : node->word;
		if (!name_address(input, word, !is_leaf, conversion))
			return false;
	}
	return true;
}

bool convert_name_paths(struct convert_input *input, const struct trace_conversion *conversion)
{
	struct convert_paths *paths = &input->paths;

	if (paths->tree_count == 0 && !read_nodes(input))
		return false;
	for (size_t i = 0; i < paths->tree_count; i++)
		if (!name_tree(input, &paths->trees[i], conversion))
			return false;
	return convert_paths_finish(paths);
}
