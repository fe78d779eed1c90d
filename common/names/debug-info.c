/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads only the compilation units that questions are about. If .debug_aranges does not lead to
 * them (clang writes none), the ranges of all units are listed once. Within a unit, the functions
 * are listed once.
 *
 * The functions that contain an address are found by their ranges and not by dwarf_getscopes(),
 * which does not report what an inlined function was inlined into.
 */
#include "debug-info.h"

#include "debug-lines.h"
#include "debug-tree.h"
#include "function-name.h"
#include "shared/array.h"
#include "shared/search.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t start, end;
	size_t index; /* of the unit or the function */
};

struct ranges {
	struct range *range;
	size_t count, room;
};

/* A stretch of code of a function that was inlined into another, at whichever depth. */
struct inlined_code {
	uint64_t start, end;
	Dwarf_Die die;
	int depth;     /* of nested ones, the inner one's is larger */
	size_t around; /* the inlined function around it: index of its code, or SIZE_MAX */
};

struct function {
	Dwarf_Die die;
	size_t parent; /* the enclosing function: index, or SIZE_MAX */
	/* For lines: */
	bool is_prepared;
	struct inlined_code *inlined;
	size_t inlined_count, inlined_room;
	char *user_name; /* heap; NULL: it has none */
};

struct unit {
	Dwarf_Die skeleton; /* has the lines */
	Dwarf_Die die;      /* has the functions; with split debug information in another file */
	bool is_listed;
	struct function *functions;
	size_t function_count, function_room;
	struct ranges ranges; /* of its functions */
};

struct debug_info {
	Dwarf *dwarf;
	bool (*patience)(void *context);
	void *context;
	bool are_all_listed;
	struct unit *units;
	size_t unit_count, unit_room;
	struct ranges ranges; /* of units, if all are listed */
};

struct debug_info *names_debug_info_new(
    Dwarf *dwarf, bool (*patience)(void *context), void *context)
{
	struct debug_info *info = calloc(1, sizeof(*info));

	if (info != NULL)
		*info =
		    (struct debug_info){.dwarf = dwarf, .patience = patience, .context = context};
	return info;
}

void names_debug_info_free(struct debug_info *info)
{
	if (info == NULL)
		return;
	for (size_t i = 0; i < info->unit_count; i++) {
		for (size_t j = 0; j < info->units[i].function_count; j++) {
			free(info->units[i].functions[j].inlined);
			free(info->units[i].functions[j].user_name);
		}
		free(info->units[i].functions);
		free(info->units[i].ranges.range);
	}
	free(info->units);
	free(info->ranges.range);
	free(info);
}

static bool has_patience(const struct debug_info *info)
{
	return info->patience == NULL || info->patience(info->context);
}

static void add_ranges(struct ranges *ranges, Dwarf_Die *die, size_t index)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t place = 0;

	while ((place = dwarf_ranges(die, place, &base, &start, &end)) > 0)
		if (start < end && !ARRAY_PUSH(ranges->range, ranges->count, ranges->room,
				       ((struct range){start, end, index})))
			return;
}

static bool is_in(Dwarf_Die *die, uint64_t address)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t place = 0;

	while ((place = dwarf_ranges(die, place, &base, &start, &end)) > 0)
		if (address >= start && address < end)
			return true;
	return false;
}

/* Returns the unit with that skeleton, and adds it if it is new; SIZE_MAX when memory ran out. */
static size_t unit_of(struct debug_info *info, const Dwarf_Die *skeleton, const Dwarf_Die *split)
{
	for (size_t i = 0; i < info->unit_count; i++)
		if (info->units[i].skeleton.addr == skeleton->addr)
			return i;
	struct unit unit = {.skeleton = *skeleton, .die = *split};
	if (!ARRAY_PUSH(info->units, info->unit_count, info->unit_room, unit))
		return SIZE_MAX;
	return info->unit_count - 1;
}

/* Lists the ranges of all units, as long as there is time. */
static void list_units(struct debug_info *info)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, split;

	info->are_all_listed = true;
	while (has_patience(info) &&
	       dwarf_get_units(info->dwarf, unit, &unit, &version, &type, &die, &split) == 0) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		size_t index = unit_of(info, &die, names_unit_entry(&die, &split, type));
		if (index == SIZE_MAX)
			return;
		add_ranges(&info->ranges, &die, index);
	}
}

static struct unit *unit_by_ranges(struct debug_info *info, uint64_t address)
{
	if (!info->are_all_listed)
		list_units(info);
	for (size_t i = 0; i < info->ranges.count; i++)
		if (address >= info->ranges.range[i].start && address < info->ranges.range[i].end)
			return &info->units[info->ranges.range[i].index];
	return NULL;
}

static struct unit *find_unit(struct debug_info *info, uint64_t address)
{
	Dwarf_Die die, skeleton, split;
	uint8_t type;

	if (info->are_all_listed || dwarf_addrdie(info->dwarf, address, &die) == NULL)
		return unit_by_ranges(info, address);
	if (dwarf_cu_info(die.cu, NULL, &type, &skeleton, &split, NULL, NULL, NULL) != 0)
		return unit_by_ranges(info, address);
	size_t index = unit_of(info, &skeleton, names_unit_entry(&skeleton, &split, type));
	return index != SIZE_MAX ? &info->units[index] : NULL;
}

/* Returns whether functions can be children of such an entry. */
static bool holds_functions(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_lexical_block:
	case DW_TAG_entry_point:
		return true;
	default:
		return false;
	}
}

/* Lists the functions below an entry that have code. */
static void list_functions(
    struct debug_info *info, struct unit *unit, Dwarf_Die *of, size_t parent, int depth)
{
	Dwarf_Die die;

	if (depth > NAMES_DEPTH_MOST || !has_patience(info) || dwarf_child(of, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		size_t own = parent;
		if (!holds_functions(tag))
			continue;
		if (tag == DW_TAG_subprogram) {
			own = unit->function_count;
			struct function function = {.die = die, .parent = parent};
			if (!ARRAY_PUSH(unit->functions, unit->function_count, unit->function_room,
				function))
				return;
			add_ranges(&unit->ranges, &die, own);
		}
		list_functions(info, unit, &die, own, depth + 1);
	} while (names_next_sibling(&die));
}

/* Returns the index of the function, or SIZE_MAX. */
static size_t find_function(struct debug_info *info, struct unit *unit, uint64_t address)
{
	if (!unit->is_listed) {
		unit->is_listed = true;
		list_functions(info, unit, &unit->die, SIZE_MAX, 0);
	}
	for (size_t i = 0; i < unit->ranges.count; i++)
		if (address >= unit->ranges.range[i].start && address < unit->ranges.range[i].end)
			return unit->ranges.range[i].index;
	return SIZE_MAX;
}

/* A function that was inlined into another. */
struct inlined {
	Dwarf_Die die;
	int line; /* of the call, 0: unknown */
};

struct inlined_list {
	struct inlined *inlined;
	size_t count, room;
};

static int call_line(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line;

	if (dwarf_attr(die, DW_AT_call_line, &attribute) == NULL ||
	    dwarf_formudata(&attribute, &line) != 0 || line > INT32_MAX)
		return 0;
	return (int)line;
}

/* Lists the lines where the variables of a function itself are declared. */
static void list_declared(struct code_level *level, Dwarf_Die *of, int depth)
{
	Dwarf_Die die;
	int line;

	if (depth > NAMES_DEPTH_MOST || dwarf_child(of, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_lexical_block)
			list_declared(level, &die, depth + 1);
		else if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
			 dwarf_decl_line(&die, &line) == 0 &&
			 !ARRAY_PUSH(
			     level->declared, level->declared_count, level->declared_room, line))
			return;
	} while (names_next_sibling(&die));
}

/* Lists the functions that were inlined directly into `of`. */
static void list_inlined(struct inlined_list *list, Dwarf_Die *of, int depth)
{
	Dwarf_Die die;

	if (depth > NAMES_DEPTH_MOST || dwarf_child(of, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_lexical_block)
			list_inlined(list, &die, depth + 1);
		else if (tag == DW_TAG_inlined_subroutine &&
			 !ARRAY_PUSH(list->inlined, list->count, list->room,
			     ((struct inlined){die, call_line(&die)})))
			return;
	} while (names_next_sibling(&die));
}

/* Sorts the ranges of inlined functions by address; `index` refers to the list. */
static int by_start(const void *left, const void *right)
{
	const struct range *one = left, *other = right;

	return one->start < other->start ? -1 : one->start > other->start;
}

static struct ranges ranges_of_inlined(const struct inlined_list *list)
{
	struct ranges ranges = {0};

	for (size_t i = 0; i < list->count; i++)
		add_ranges(&ranges, &list->inlined[i].die, i);
	if (ranges.count > 0)
		qsort(ranges.range, ranges.count, sizeof(*ranges.range), by_start);
	return ranges;
}

static const struct range *find_range(const struct ranges *ranges, uint64_t address)
{
	size_t next;

	SEARCH(next, ranges->count, ranges->range[next].start <= address);
	return next > 0 && address < ranges->range[next - 1].end ? &ranges->range[next - 1] : NULL;
}

/*
 * Returns the file of a function's own lines: where it is declared, or else the file of the first
 * row that no inlined function covers. Code that is hardly ever executed may be separate, and may
 * all come from inlined functions.
 */
static const char *own_file(const struct names_lines *source, const struct ranges *own,
    const struct ranges *inlined, Dwarf_Die *die)
{
	const char *declared = die != NULL ? names_file_of(die, DW_AT_decl_file) : NULL;

	if (declared != NULL)
		return declared;
	for (size_t i = 0; i < own->count; i++)
		for (size_t row = names_first_line(source, own->range[i].start);
		     row < source->count && names_line_address(source, row) < own->range[i].end;
		     row++)
			if (names_line_number(source, row) > 0 &&
			    find_range(inlined, names_line_address(source, row)) == NULL)
				return names_line_file(source, row);
	return NULL;
}

/* Returns whether the unit's compiler gives every call a line: GCC does not. */
static bool has_exact_lines(const struct unit *unit)
{
	Dwarf_Attribute attribute;
	Dwarf_Die die = unit->skeleton;
	const char *producer;

	if (dwarf_attr(&die, DW_AT_producer, &attribute) == NULL) {
		die = unit->die;
		if (dwarf_attr(&die, DW_AT_producer, &attribute) == NULL)
			return false;
	}
	producer = dwarf_formstring(&attribute);
	return producer != NULL && strstr(producer, "GNU") == NULL;
}

/* Adds the rows of one stretch of a function's code. */
static void add_rows(struct code_level *level, const struct names_lines *source,
    const struct range *range, const struct ranges *inlined, const struct inlined_list *list)
{
	for (size_t i = names_first_line_of(source, range->start);
	     i < source->count && names_line_address(source, i) < range->end; i++) {
		struct code_row row = {names_line_address(source, i), names_line_number(source, i)};
		const struct range *within = find_range(inlined, row.address);
		const char *file = names_line_file(source, i);
		if (within != NULL)
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): one of list's */
			row.line = list->inlined[within->index].line;
		else if (file == NULL || level->file == NULL || strcmp(file, level->file) != 0)
			continue;
		if (row.line > 0 &&
		    !ARRAY_PUSH(level->rows, level->row_count, level->row_room, row))
			return;
	}
}

static void level_free(struct code_level *level)
{
	free(level->function);
	free(level->file);
	free(level->rows);
	free(level->declared);
}

/*
 * Adds a function, or an inlined one, with the lines of its own ranges; takes ownership of the
 * name.
 */
static void add_level(struct code_levels *levels, const struct names_lines *source, Dwarf_Die *die,
    struct ranges *own, char *name)
{
	struct code_level level = {.function = name};
	struct inlined_list list = {0};

	if (die != NULL) {
		list_inlined(&list, die, 0);
		list_declared(&level, die, 0);
	}
	struct ranges inlined = ranges_of_inlined(&list);
	if (own->count > 0) {
		qsort(own->range, own->count, sizeof(*own->range), by_start);
		const char *file = own_file(source, own, &inlined, die);
		level.file = file != NULL ? strdup(file) : NULL;
	}
	for (size_t i = 0; i < own->count; i++)
		add_rows(&level, source, &own->range[i], &inlined, &list);
	level.begins_with_line =
	    own->count > 0 && level.row_count > 0 && level.rows[0].address == own->range[0].start;
	if (level.file != NULL) {
		char *clean = names_clean_path(level.file);
		free(level.file);
		level.file = clean;
	}
	free(list.inlined);
	free(inlined.range);
	if (!ARRAY_PUSH(levels->level, levels->count, levels->room, level))
		level_free(&level);
}

/*
 * Returns the function around those that compilers made. It is found by names, because flang's
 * outlined functions are next to it, not inside.
 */
static char *user_function(const struct unit *unit, size_t index)
{
	struct function *function = &unit->functions[index];

	while (function->parent != SIZE_MAX && names_function_is_outlined(&function->die))
		function = &unit->functions[function->parent];
	/* flang's */
	for (size_t i = 0; names_function_is_outlined(&function->die) && i < unit->function_count;
	     i++)
		if (names_function_is_made_of(&function->die, &unit->functions[i].die))
			return names_function_name(&unit->functions[i].die);
	return names_function_name(&function->die);
}

/* Descends into the functions that were inlined at the address, level by level. */
static void add_inlined_levels(struct code_levels *levels, const struct names_lines *source,
    const Dwarf_Die *function, uint64_t address)
{
	Dwarf_Die die = *function;

	for (int depth = 0; depth < NAMES_DEPTH_MOST; depth++) {
		struct inlined_list list = {0};
		size_t i = 0;
		list_inlined(&list, &die, 0);
		while (i < list.count && !is_in(&list.inlined[i].die, address))
			i++;
		bool is_found = i < list.count;
		if (is_found)
			die = list.inlined[i].die;
		free(list.inlined);
		if (!is_found)
			return;
		struct ranges own = {0};
		add_ranges(&own, &die, 0);
		add_level(levels, source, &die, &own, names_function_name(&die));
		free(own.range);
	}
}

static void reverse(struct code_levels *levels)
{
	for (size_t i = 0, j = levels->count; i + 1 < j; i++) {
		struct code_level swap = levels->level[i];
		levels->level[i] = levels->level[--j];
		levels->level[j] = swap;
	}
}

struct code_levels names_debug_info_levels(
    struct debug_info *info, uint64_t address, uint64_t start, uint64_t end)
{
	struct code_levels levels = {0};
	struct unit *unit = find_unit(info, address);

	if (unit == NULL)
		return levels;
	struct names_lines source = names_lines_of(&unit->skeleton);
	size_t index = find_function(info, unit, address);
	struct ranges own = {0};
	if (index != SIZE_MAX) {
		Dwarf_Die die = unit->functions[index].die;
		add_ranges(&own, &die, 0);
		add_level(&levels, &source, &die, &own, user_function(unit, index));
		add_inlined_levels(&levels, &source, &die, address);
		reverse(&levels);
	} else if (source.count > 0) {
		struct range range = {start, end, 0};
		if (start < end && ARRAY_PUSH(own.range, own.count, own.room, range))
			add_level(&levels, &source, NULL, &own, NULL);
	}
	free(own.range);
	levels.are_exact = has_exact_lines(unit);
	return levels;
}

/* Adds a stretch of code; false when memory ran out. */
static bool add_inlined_code(struct function *function, struct inlined_code code)
{
	return ARRAY_PUSH(function->inlined, function->inlined_count, function->inlined_room, code);
}

/* Lists the code of all functions that were inlined into `of`; `around` is the index of its own. */
static void list_inlined_code(struct function *function, Dwarf_Die *of, int depth, size_t around)
{
	Dwarf_Die die;
	Dwarf_Addr base;

	if (depth > NAMES_DEPTH_MOST || dwarf_child(of, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		ptrdiff_t place = 0;
		size_t own = function->inlined_count;
		if (tag == DW_TAG_lexical_block)
			list_inlined_code(function, &die, depth + 1, around);
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		struct inlined_code code = {.die = die, .depth = depth, .around = around};
		while ((place = dwarf_ranges(&die, place, &base, &code.start, &code.end)) > 0)
			if (!add_inlined_code(function, code))
				return;
		/* Its index must exist, also without code. */
		code.start = code.end = 0;
		if (own == function->inlined_count && !add_inlined_code(function, code))
			return;
		list_inlined_code(function, &die, depth + 1, own);
	} while (names_next_sibling(&die));
}

/* Returns the index of the innermost inlined function's code at the address, or SIZE_MAX. */
static size_t innermost_code(const struct function *function, uint64_t address)
{
	size_t innermost = SIZE_MAX;

	for (size_t i = 0; i < function->inlined_count; i++) {
		const struct inlined_code *code = &function->inlined[i];
		if (address >= code->start && address < code->end &&
		    (innermost == SIZE_MAX || code->depth > function->inlined[innermost].depth))
			innermost = i;
	}
	return innermost;
}

/* Returns whether the file is included by others. */
static bool is_header(const char *file)
{
	static const char *const ends[] = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H", ".inl",
	    ".ipp", ".tpp", ".txx", ".tcc", ".cuh"};
	const char *slash = strrchr(file, '/'), *end = strrchr(slash != NULL ? slash : file, '.');

	for (size_t i = 0; end != NULL && i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcmp(end, ends[i]) == 0)
			return true;
	return false;
}

/* A function that has so many lines or less, from its declaration on, is short. */
#define SHORT_LINES 10

/*
 * Returns whether the code of a row, if it has any and is of that file, is before that line. Rows
 * without code are of functions of which nothing is left.
 */
static bool is_before(const struct names_lines *source, size_t row, const char *file, int line)
{
	const char *its = names_line_file(source, row);

	return names_line_number(source, row) < line || its == NULL || strcmp(its, file) != 0 ||
	       (row + 1 < source->count &&
		   names_line_address(source, row + 1) == names_line_address(source, row));
}

/* Returns whether the function is a short one of a header, by the lines of its own code. */
static bool is_wrapper(const struct names_lines *source, Dwarf_Die *die)
{
	const char *file = names_file_of(die, DW_AT_decl_file);
	struct inlined_list list = {0};
	struct ranges own = {0};
	int line;
	bool is_short = true;

	if (file == NULL || !is_header(file) || dwarf_decl_line(die, &line) != 0)
		return false;
	list_inlined(&list, die, 0);
	struct ranges inlined = ranges_of_inlined(&list);
	add_ranges(&own, die, 0);
	for (size_t i = 0; i < own.count; i++)
		for (size_t row = names_first_line(source, own.range[i].start);
		     row < source->count && names_line_address(source, row) < own.range[i].end &&
		     is_short;
		     row++)
			is_short = is_before(source, row, file, line + SHORT_LINES) ||
				   find_range(&inlined, names_line_address(source, row)) != NULL;
	free(list.inlined);
	free(inlined.range);
	free(own.range);
	return is_short;
}

static char *copy_path(const char *path)
{
	return path != NULL ? names_clean_path(path) : NULL;
}

/* Sets the innermost function at the address, and adds those into which it was inlined. */
static void name_functions(struct unit *unit, const struct names_lines *source, size_t index,
    uint64_t address, struct code_name *name)
{
	struct function *function = &unit->functions[index];
	size_t room = 0;

	if (!function->is_prepared) {
		function->is_prepared = true;
		function->user_name = user_function(unit, index);
		list_inlined_code(function, &function->die, 0, SIZE_MAX);
	}
	char **place = &name->function;
	bool *wraps = &name->is_wrapper;
	for (size_t i = innermost_code(function, address); i != SIZE_MAX;
	     i = function->inlined[i].around) {
		Dwarf_Die *die = &function->inlined[i].die;
		struct code_caller caller = {
		    .file = copy_path(names_file_of(die, DW_AT_call_file)), .line = call_line(die)};
		*place = names_function_name(die);
		*wraps = is_wrapper(source, die);
		if (!ARRAY_PUSH(name->callers, name->caller_count, room, caller)) {
			free(caller.file);
			return;
		}
		place = &name->callers[name->caller_count - 1].function;
		wraps = &name->callers[name->caller_count - 1].is_wrapper;
	}
	*wraps = is_wrapper(source, &function->die);
	*place = function->user_name != NULL ? strdup(function->user_name) : NULL;
}

void names_debug_info_line(struct debug_info *info, uint64_t address, struct code_name *name)
{
	struct unit *unit = find_unit(info, address);

	if (unit == NULL)
		return;
	struct names_lines source = names_lines_of(&unit->skeleton);
	size_t next = names_first_line(&source, address + 1);
	size_t index = find_function(info, unit, address);
	if (next > 0 && names_line_number(&source, next - 1) > 0) {
		name->file = copy_path(names_line_file(&source, next - 1));
		name->begin = name->end = names_line_number(&source, next - 1);
	}
	if (index != SIZE_MAX)
		name_functions(unit, &source, index, address, name);
}

bool names_level_declares(const struct code_level *level, int line)
{
	for (size_t i = 0; i < level->declared_count; i++)
		if (level->declared[i] == line)
			return true;
	return false;
}

void names_code_levels_free(struct code_levels *levels)
{
	for (size_t i = 0; i < levels->count; i++)
		level_free(&levels->level[i]);
	free(levels->level);
	*levels = (struct code_levels){0};
}
