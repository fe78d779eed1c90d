/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns trees of addresses into contexts. A parent has a lower index than its children. */
#include "logged-paths.h"

#include "shared/array.h"
#include "shared/code-names.h"
#include "shared/text-hash.h"

#include <stdlib.h>
#include <string.h>

/* Returns the NUL-ended text at *place and moves past it; "" if there is none. */
static const char *take_text(const char **place, const char *end)
{
	const char *text = *place, *nul = memchr(text, 0, (size_t)(end - text));

	if (nul == NULL) {
		*place = end;
		return "";
	}
	*place = nul + 1;
	return text;
}

bool convert_paths_add_address(struct convert_paths *paths, const char *data, const char *end)
{
	struct trace_log_address head;
	struct convert_address address;

	if ((size_t)(end - data) < sizeof(head))
		return true;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	address.line = head.line;
	address.is = head.is;
	address.function = take_text(&data, end);
	address.file = take_text(&data, end);
	return ARRAY_PUSH(paths->addresses, paths->address_count, paths->address_room, address) &&
	       ((address.is & TRACE_LOG_IS_AROUND) != 0 ||
		   map_add(&paths->address_of, head.key, paths->address_count - 1));
}

bool convert_paths_add_tree(struct convert_paths *paths, const char *data, const char *end)
{
	struct trace_log_paths head;
	struct convert_path_tree tree = {0};

	if ((size_t)(end - data) < sizeof(head))
		return true;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	tree.nodes = (const struct trace_log_path_node *)data;
	tree.count = head.count;
	/* Trees are numbered from 1 in the order of the log. */
	if (head.tree != paths->tree_count + 1 ||
	    (size_t)(end - data) / sizeof(*tree.nodes) < tree.count)
		return true;
	return ARRAY_PUSH(paths->trees, paths->tree_count, paths->tree_room, tree);
}

bool convert_paths_add_call(struct convert_paths *paths, const char *data, const char *end)
{
	struct convert_call call = {0};

	if ((size_t)(end - data) < sizeof(call.head))
		return true;
	memcpy(&call.head, data, sizeof(call.head));
	data += sizeof(call.head);
	/* They are numbered from 1 in the order of the log. */
	if (call.head.number != paths->call_count + 1 || call.head.depth > TRACE_LOG_CALL_DEPTH)
		return true;
	call.name = take_text(&data, end);
	for (uint32_t i = 0; i < call.head.depth; i++) {
		call.function[i] = take_text(&data, end);
		call.file[i] = take_text(&data, end);
	}
	return ARRAY_PUSH(paths->calls, paths->call_count, paths->call_room, call);
}

bool convert_paths_add_module(struct convert_paths *paths, const char *data, const char *end)
{
	struct convert_module module;

	if ((size_t)(end - data) < sizeof(module.head))
		return true;
	memcpy(&module.head, data, sizeof(module.head));
	data += sizeof(module.head);
	module.path = take_text(&data, end);
	module.build_id = take_text(&data, end);
	return ARRAY_PUSH(paths->modules, paths->module_count, paths->module_room, module);
}

static const struct convert_address unknown = {.function = "", .file = ""};

static const struct convert_address *find_address(
    const struct convert_paths *paths, uint64_t word, bool is_return)
{
	uint64_t at = map_find(&paths->address_of, trace_log_address_key(word, is_return));

	return at != MAP_NONE ? &paths->addresses[at] : &unknown;
}

/* Returns into how many functions the address's was inlined; they follow it. */
static size_t count_around(const struct convert_paths *paths, const struct convert_address *address)
{
	const struct convert_address *end = paths->addresses + paths->address_count;
	size_t count = 0;

	while (address != &unknown && address + count + 1 < end &&
	       (address[count + 1].is & TRACE_LOG_IS_AROUND) != 0)
		count++;
	return count;
}

/*
 * Finds the place of an address without a line, by which it may get one later; NULL: it has one, or
 * is in no file that was loaded. False when memory ran out.
 */
static bool find_code(const struct convert_paths *paths, const struct convert_address *address,
    uint64_t word, bool is_return, char **code)
{
	*code = NULL;
	if (address->line > 0 || (address->is & TRACE_LOG_IS_CONSTRUCT) != 0)
		return true;
	for (size_t i = 0; i < paths->module_count; i++) {
		const struct convert_module *module = &paths->modules[i];
		struct code_place place = {.module = module->path,
		    .build_id = module->build_id,
		    .offset = word - module->head.bias,
		    .at = is_return ? CODE_RETURN : CODE_ENTRY};
		if (word < module->head.first || word >= module->head.end)
			continue;
		*code = code_place_print(&place);
		return *code != NULL;
	}
	return true;
}

static bool same_code(const char *one, const char *other)
{
	return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static bool is_same(const struct convert_context *one, const struct convert_context *other)
{
	return same_code(one->code, other->code) && one->is_construct == other->is_construct &&
	       one->is_wrapper == other->is_wrapper && one->parent == other->parent &&
	       one->line == other->line && strcmp(one->function, other->function) == 0 &&
	       strcmp(one->file, other->file) == 0;
}

/* Takes the code. Returns the index of the address's context + 1; 0 when memory ran out. */
static uint32_t make_context(
    struct convert_paths *paths, const struct convert_address *address, uint32_t parent, char *code)
{
	const struct convert_context made = {.function = address->function,
	    .file = address->file,
	    .is_construct = (address->is & TRACE_LOG_IS_CONSTRUCT) != 0,
	    .is_wrapper = (address->is & TRACE_LOG_IS_WRAPPER) != 0,
	    .line = address->line,
	    .parent = parent,
	    .code = code};
	const struct convert_context *context = &made;
	uint64_t key =
	    text_hash(text_hash(TEXT_HASH_START ^ context->parent ^ (uint64_t)context->line << 32,
			  context->function),
		context->file);
	size_t at = map_first(&paths->context_of, key);

	for (; at != MAP_END; at = map_next(&paths->context_of, key, at))
		if (is_same(context, &paths->contexts[map_value(&paths->context_of, at)])) {
			free(code);
			return (uint32_t)map_value(&paths->context_of, at) + 1;
		}
	if (!ARRAY_PUSH(paths->contexts, paths->context_count, paths->context_room, *context)) {
		free(code);
		return 0;
	}
	if (!map_add(&paths->context_of, key, paths->context_count - 1))
		return 0;
	return (uint32_t)paths->context_count;
}

static bool make_nodes(
    struct convert_paths *paths, struct convert_path_tree *tree, size_t end, unsigned depth);

/* Origins are joined to earlier ones; in a damaged log, trees may refer to each other in circles.
 */
#define MOST_JOINED 100

/* Sets *outer to that of the node in another tree where the path continues; 0: it is not known. */
static bool continue_path(
    struct convert_paths *paths, uint64_t word, unsigned depth, uint32_t *outer)
{
	uint32_t number = trace_log_joined_tree(word), node = trace_log_joined_node(word);

	*outer = 0;
	if (number == 0 || number > paths->tree_count)
		return true;
	struct convert_path_tree *tree = &paths->trees[number - 1];
	if (!tree->is_being_made && node < tree->count && depth < MOST_JOINED &&
	    !make_nodes(paths, tree, node + 1, depth + 1))
		return false;
	*outer = node < tree->made ? tree->outer[node] : 0;
	return true;
}

/*
 * The same, with the code of the address, below the functions into which it was inlined. `outer`:
 * the caller's context + 1.
 */
static uint32_t make_place(struct convert_paths *paths, const struct convert_address *address,
    uint32_t outer, uint64_t word, bool is_return)
{
	char *code;

	for (size_t i = count_around(paths, address); i > 0; i--) {
		outer = make_context(paths, &address[i], outer - 1, NULL);
		if (outer == 0)
			return 0;
	}
	return find_code(paths, address, word, is_return, &code)
		   ? make_context(paths, address, outer - 1, code)
		   : 0;
}

/* Runtimes' functions, and what starts a thread or the program, are left out of the callers. */
static bool make_caller(struct convert_paths *paths, struct convert_path_tree *tree, size_t at)
{
	const struct trace_log_path_node *node = &tree->nodes[at];
	const struct convert_address *address = find_address(paths, node->word, true);
	bool is_start = (address->is & TRACE_LOG_IS_START) != 0 && tree->starts[node->parent];
	uint32_t outer = tree->outer[node->parent];

	tree->starts[at] = tree->starts[node->parent];
	tree->outer[at] = outer;
	if (address->is & TRACE_LOG_IS_RUNTIME || is_start)
		return true;
	tree->starts[at] =
	    (address->is & TRACE_LOG_IS_CONSTRUCT) != 0 || strcmp(address->function, "...") == 0;
	tree->outer[at] = make_place(paths, address, outer, node->word, true);
	return tree->outer[at] != 0;
}

static bool make_node(
    struct convert_paths *paths, struct convert_path_tree *tree, size_t at, unsigned depth)
{
	const struct trace_log_path_node *node = &tree->nodes[at];
	uint32_t parent = node->parent;

	if (at == 0 || parent >= at) { /* the latter in a damaged log */
		tree->starts[at] = true;
		return true;
	}
	if (node->word & TRACE_LOG_PATH_LEAF) {
		const struct trace_log_path_node *place = &tree->nodes[parent];
		const struct convert_address *address = find_address(paths, place->word, false);
		if (parent > 0 && place->parent < parent)
			tree->inner[parent] = make_place(
			    paths, address, tree->outer[place->parent], place->word, false);
		return parent == 0 || place->parent >= parent || tree->inner[parent] != 0;
	}
	if (node->word & TRACE_LOG_PATH_JOINED) {
		tree->starts[at] = true;
		return continue_path(paths, node->word, depth, &tree->outer[at]);
	}
	return make_caller(paths, tree, at);
}

/*
 * Makes the contexts of a tree's nodes before `end`. Nodes come after their parents, so the
 * callers' contexts exist already.
 */
static bool make_nodes(
    struct convert_paths *paths, struct convert_path_tree *tree, size_t end, unsigned depth)
{
	bool fits = true;

	tree->is_being_made = true;
	for (; tree->made < end && fits; tree->made++)
		fits = make_node(paths, tree, tree->made, depth);
	tree->is_being_made = false;
	return fits;
}

static bool make_call(struct convert_paths *paths, struct convert_call *call)
{
	struct convert_address address = {.function = call->name, .file = ""};
	uint32_t place = call->head.place, parent = CONVERT_NO_CONTEXT;

	for (uint32_t i = call->head.depth; i-- > 0;) {
		const struct convert_address caller = {.function = call->function[i],
		    .file = call->file[i],
		    .line = call->head.line[i],
		    .is = call->head.wrappers >> i & 1 ? TRACE_LOG_IS_WRAPPER : 0};
		uint32_t made = make_context(paths, &caller, parent, NULL);
		if (made == 0)
			return false;
		parent = made - 1;
	}
	if (place < call->head.depth) {
		address.file = call->file[place];
		address.line = call->head.line[place];
	}
	call->context = make_context(paths, &address, parent, NULL);
	return call->context != 0;
}

bool convert_paths_finish(struct convert_paths *paths)
{
	for (size_t i = 0; i < paths->tree_count; i++) {
		struct convert_path_tree *tree = &paths->trees[i];
		tree->inner = calloc(tree->count + 1, sizeof(*tree->inner));
		tree->outer = calloc(tree->count + 1, sizeof(*tree->outer));
		tree->starts = calloc(tree->count + 1, sizeof(*tree->starts));
		if (tree->inner == NULL || tree->outer == NULL || tree->starts == NULL)
			return false;
	}
	for (size_t i = 0; i < paths->call_count; i++)
		if (!make_call(paths, &paths->calls[i]))
			return false;
	for (size_t i = 0; i < paths->tree_count; i++)
		if (!make_nodes(paths, &paths->trees[i], paths->trees[i].count, 0))
			return false;
	return true;
}

void convert_paths_free(struct convert_paths *paths)
{
	for (size_t i = 0; i < paths->tree_count; i++) {
		free(paths->trees[i].inner);
		free(paths->trees[i].outer);
		free(paths->trees[i].starts);
		free(paths->trees[i].read);
	}
	free(paths->modules);
	free(paths->trees);
	free(paths->calls);
	free(paths->addresses);
	for (size_t i = 0; i < paths->context_count; i++)
		free(paths->contexts[i].code);
	free(paths->contexts);
	map_free(&paths->address_of);
	map_free(&paths->context_of);
	*paths = (struct convert_paths){0};
}

uint32_t convert_paths_context(const struct convert_paths *paths, uint32_t tree, uint32_t node)
{
	if (tree == 0 || tree > paths->tree_count || node >= paths->trees[tree - 1].count)
		return CONVERT_NO_CONTEXT;
	return paths->trees[tree - 1].inner[node] - 1;
}

uint32_t convert_paths_call(const struct convert_paths *paths, uint64_t number)
{
	if (number == 0 || number > paths->call_count)
		return CONVERT_NO_CONTEXT;
	return paths->calls[number - 1].context - 1;
}
