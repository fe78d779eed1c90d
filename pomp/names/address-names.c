/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each file's addresses get either lines, which takes debug information, or only functions, for
 * which symbols suffice. Debug information of the C library alone would take 30 ms where a
 * distribution's is installed, which is compressed: too much for one sample in a run of a second.
 */
#include "address-names.h"

#include "code-module.h"
#include "common/hot-rows.h"
#include "guard.h"
#include "names-search.h"

#include "shared/array.h"
#include "shared/hash-map.h"

#include <stdlib.h>
#include <string.h>

/* Addresses that get names, and the seconds for all of them at most. */
#define MOST_NAMES   4000
#define SECONDS_MOST 3

/* A module of the program's own with so great a part of the samples always gets lines. */
#define OWN_PART(samples) ((samples) / 10)

/* ns for a byte of debug information: 2 where it is only uncompressed, 3 where much is asked. */
#define BYTE_COST 3

/* A module that has announced addresses. */
struct file {
	const struct pomp_module *module;
	uint64_t samples;
	enum { LINES_UNDECIDED, LINES_READ, LINES_LEFT } lines;
};

struct named {
	const struct pomp_module *module; /* NULL: the address is in no file */
	size_t file;                      /* index, if there is a module */
	struct code_name name;
	bool is_known; /* it was looked up */
	bool is_runtime, is_start;
};

static struct {
	struct named *named;
	size_t count, room;
	struct map of; /* address * 2 + is_return to index */
	struct file *file;
	size_t file_count, file_room;
	uint64_t samples, allowed;
	struct pomp_names_search *names; /* NULL: not open */
	/* Of the lookup that is running. */
	struct code_place place;
	struct code_name found;
	uint64_t bytes;
} search;

static uint64_t key_of(uint64_t address, bool is_return)
{
	return address * 2 + is_return;
}

static bool begins_with_any(const char *text, const char *const *beginnings, size_t count)
{
	for (size_t i = 0; text != NULL && i < count; i++)
		if (strncmp(text, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

#define BEGINS_WITH_ANY(text, list) begins_with_any(text, list, sizeof(list) / sizeof((list)[0]))

static void classify_by_file(struct named *named)
{
	static const char *const runtimes[] = {
	    "libgomp.so", "libomp.so", "libiomp5.so", "libpomp.so", "libpomp_tool.so"};
	/* They only pass a call on, for example from Python to a library. */
	static const char *const glue[] = {"libffi.so", "_ctypes."};
	static const char *const starts[] = {"libc.so", "libc-", "libpthread", "ld-linux"};
	const char *file = named->module != NULL ? code_file_name(named->module->path) : NULL;

	named->is_runtime = BEGINS_WITH_ANY(file, runtimes) || BEGINS_WITH_ANY(file, glue);
	named->is_start = BEGINS_WITH_ANY(file, starts);
}

/*
 * A runtime, or the C library, that is linked statically is known by its functions' names.
 * Functions with lines and without a name of the user's are what compilers put between a runtime
 * and a task.
 */
static void classify_by_function(struct named *named)
{
	const char *function = named->name.function;

	named->is_runtime |=
	    function != NULL ? hot_path_is_runtime(function) : named->name.begin > 0;
	named->is_start |= function != NULL && hot_path_is_start(function);
}

/* Returns the index of the module's file; SIZE_MAX when memory ran out. */
static size_t file_of(const struct pomp_module *module)
{
	for (size_t i = search.file_count; i > 0; i--)
		if (search.file[i - 1].module == module)
			return i - 1;
	const struct file file = {.module = module};
	if (!ARRAY_PUSH(search.file, search.file_count, search.file_room, file))
		return SIZE_MAX;
	return search.file_count - 1;
}

/* Returns the index of an address, which is new if need be; MAP_NONE: it has no room. */
static uint64_t announced(uint64_t address, bool is_return)
{
	uint64_t key = key_of(address, is_return), at = map_find(&search.of, key);
	struct named named = {0};

	if (at != MAP_NONE || search.count == MOST_NAMES)
		return at;
	named.module = pomp_module_find((const void *)(uintptr_t)address);
	if (named.module != NULL && (named.file = file_of(named.module)) == SIZE_MAX)
		named.module = NULL;
	classify_by_file(&named);
	if (!ARRAY_PUSH(search.named, search.count, search.room, named))
		return MAP_NONE;
	if (map_add(&search.of, key, search.count - 1))
		return search.count - 1;
	search.count--;
	return MAP_NONE;
}

void pomp_address_announce(uint64_t address, bool is_return, uint64_t samples)
{
	uint64_t at = announced(address, is_return);

	search.samples += samples;
	if (at != MAP_NONE && search.named[at].module != NULL)
		search.file[search.named[at].file].samples += samples;
}

void pomp_address_allow(uint64_t nanoseconds)
{
	search.allowed = nanoseconds;
}

static void count_bytes(void *context)
{
	struct pomp_names_search *names = context;

	search.bytes = names->table->debug_bytes(names->namer, &search.place);
}

static void find_line(void *context)
{
	struct pomp_names_search *names = context;

	names->table->find_line(names->namer, &search.place, &search.found);
}

static void find_function(void *context)
{
	struct pomp_names_search *names = context;

	names->table->find_function(names->namer, &search.place, &search.found);
}

static void open_search(void)
{
	search.names = pomp_names_search(SECONDS_MOST);
}

/* Asks the search, which is in an unknown state if that fails, so it is not even freed. */
static void ask(void (*step)(void *context))
{
	if (search.names->namer != NULL && !pomp_guarded(step, search.names)) {
		search.names->namer = NULL;
		search.found = (struct code_name){0};
	}
}

/* Decides whether the addresses of the file of search.place get lines. */
static bool wants_lines(struct file *file, const struct named *named)
{
	bool is_own =
	    !named->is_runtime && !named->is_start && file->samples >= OWN_PART(search.samples);

	if (file->lines == LINES_UNDECIDED) {
		search.bytes = 0;
		if (!is_own && search.allowed != UINT64_MAX)
			ask(count_bytes);
		uint64_t cost = search.bytes * BYTE_COST;
		file->lines = cost <= search.allowed ? LINES_READ : LINES_LEFT;
		if (file->lines == LINES_READ && search.allowed != UINT64_MAX)
			search.allowed -= cost;
	}
	return file->lines == LINES_READ;
}

static void look_up(struct named *named, uint64_t address, bool is_return)
{
	const struct pomp_module *module = named->module;

	named->is_known = true;
	if (module == NULL || module->path[0] == '\0')
		return;
	search.place = (struct code_place){.module = module->path,
	    .build_id = module->build_id,
	    .offset = address - module->bias,
	    .at = is_return ? CODE_RETURN : CODE_ENTRY};
	search.found = (struct code_name){0};
	ask(wants_lines(&search.file[named->file], named) ? find_line : find_function);
	named->name = search.found;
	classify_by_function(named);
	if (named->name.file != NULL)
		return;
	named->name.file = named->name.function != NULL ? strdup(code_file_name(module->path))
							: code_place_short(&search.place);
	named->name.begin = 0;
}

struct address_name pomp_address_kind(uint64_t address, bool is_return)
{
	uint64_t at = map_find(&search.of, key_of(address, is_return));

	return (struct address_name){.is_runtime = at != MAP_NONE && search.named[at].is_runtime,
	    .is_start = at != MAP_NONE && search.named[at].is_start,
	    .is_in_no_module = at != MAP_NONE && search.named[at].module == NULL};
}

struct address_name pomp_address_name(uint64_t address, bool is_return)
{
	uint64_t at = map_find(&search.of, key_of(address, is_return));

	if (at == MAP_NONE)
		return (struct address_name){0};
	struct named *named = &search.named[at];
	if (search.names == NULL)
		open_search();
	if (!named->is_known)
		look_up(named, address, is_return);
	return (struct address_name){named->name.function, named->name.file, named->name.begin,
	    named->name.callers, named->name.caller_count, named->name.is_wrapper,
	    named->is_runtime, named->is_start, named->module == NULL};
}

size_t pomp_address_frames(
    const struct address_name *name, struct blocked_frame *frames, size_t room)
{
	size_t count = 0;

	if (room > 0)
		frames[count++] = (struct blocked_frame){
		    name->function, name->file, name->line, name->is_wrapper};
	for (size_t i = 0; i < name->caller_count && count < room; i++) {
		const struct code_caller *caller = &name->callers[i];
		frames[count++] = (struct blocked_frame){
		    caller->function, caller->file, caller->line, caller->is_wrapper};
	}
	return count;
}

void pomp_address_names_free(void)
{
	for (size_t i = 0; i < search.count; i++)
		code_name_free(&search.named[i].name);
	free(search.named);
	free(search.file);
	map_free(&search.of);
	memset(&search, 0, sizeof(search));
}
