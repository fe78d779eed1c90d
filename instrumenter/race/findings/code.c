/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads symbols and debug information with elfutils' libdwfl, which finds separate files by build
 * id, by .gnu_debuglink and by debuginfod. A module is loaded at the address in its file, so that
 * file-relative offsets are addresses. Damaged files give less information.
 */
#include "code.h"
#include "variable-type.h"

#include "shared/hash-map.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

struct module {
	const char *path;
	Dwfl *dwfl; /* NULL: the file cannot be read */
	Dwfl_Module *module;
};

/* The lines of one address: the instruction's, then those of the calls of inlined functions. */
struct known {
	struct race_line *lines;
	size_t count;
};

struct race_code {
	struct inst_arena *arena;
	struct module *modules;
	size_t count, room;
	struct known *known;
	size_t known_count, known_room;
	struct pair_map places; /* from the module's index and the offset to the index of `known` */
};

enum { DEEPEST_INLINING = 32, DEEPEST_NESTING = 64 };

struct race_code *race_code_new(struct inst_arena *arena)
{
	struct race_code *code = arena_allocate(arena, sizeof *code);

	code->arena = arena;
	return code;
}

void race_code_free(struct race_code *code)
{
	for (size_t i = 0; code != NULL && i < code->count; i++)
		dwfl_end(code->modules[i].dwfl);
	if (code != NULL) {
		pair_map_free(&code->places);
		code->count = 0;
	}
}

static void open_module(struct module *module)
{
	static char *debug_path; /* libdwfl's: NULL stands for the default folders */
	static const Dwfl_Callbacks callbacks = {
	    .find_elf = dwfl_build_id_find_elf,
	    .find_debuginfo = dwfl_standard_find_debuginfo,
	    .section_address = dwfl_offline_section_address,
	    .debuginfo_path = &debug_path,
	};

	module->dwfl = dwfl_begin(&callbacks);
	if (module->dwfl == NULL)
		return;
	dwfl_report_begin(module->dwfl);
	module->module = dwfl_report_elf(module->dwfl, module->path, module->path, -1, 0, false);
	dwfl_report_end(module->dwfl, NULL, NULL);
}

static struct module *find_module(struct race_code *code, const char *path)
{
	for (size_t i = 0; i < code->count; i++)
		if (strcmp(code->modules[i].path, path) == 0)
			return &code->modules[i];
	char *kept = arena_copy(code->arena, path, strlen(path));
	struct module *module = ARENA_ADD(code->arena, code->modules, code->count, code->room);
	*module = (struct module){.path = kept};
	open_module(module);
	return module;
}

/*
 * "main" of "main._omp_fn.0", without this and other suffixes of compilers; NULL if the whole name
 * is the compiler's.
 */
static const char *user_name(struct inst_arena *arena, const char *name)
{
	static const char *const marks[] = {"._omp_fn.", "._omp_cpyfn.", ".omp_outlined",
	    ".omp_task_entry.", ".isra.", ".part.", ".constprop.", ".cold"};
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		const char *mark = strstr(name, marks[i]);
		if (mark != NULL && (size_t)(mark - name) < length)
			length = (size_t)(mark - name);
	}
	return length > 0 ? arena_copy(arena, name, length) : NULL;
}

/*
 * The user's name in a symbol. Of C++ it is the last one of those that follow each other, each
 * behind its length, as debug information has it; other symbols stay as they are.
 */
static const char *symbol_name(struct inst_arena *arena, const char *symbol)
{
	const char *name = symbol, *at = symbol;
	size_t length = 0;

	if (strncmp(at, "_Z", 2) == 0)
		at += 2 + strspn(at + 2, "NKL");
	while (at != symbol && *at >= '1' && *at <= '9') {
		char *begin;
		const size_t count = strtoul(at, &begin, 10);
		if (count > strlen(begin))
			break;
		name = begin;
		length = count;
		at = begin + count;
	}
	return length > 0 ? arena_copy(arena, name, length) : user_name(arena, symbol);
}

/* The functions around an address, including inlined ones: outermost first. */
struct chain {
	Dwarf_Die dies[DEEPEST_INLINING];
	int count;
};

static bool has_code(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* May this entry contain functions? A block can lack the range of what was inlined into it. */
static bool has_functions(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_compile_unit:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	default:
		return false;
	}
}

/* Adds the functions inside `parent` that contain the address; false if there are none. */
static bool add_functions(
    Dwarf_Die *parent, Dwarf_Addr address, unsigned depth, struct chain *chain)
{
	Dwarf_Die child;

	if (depth > DEEPEST_NESTING || dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (has_code(&child) && dwarf_haspc(&child, address) > 0) {
			if (chain->count == DEEPEST_INLINING)
				return true;
			chain->dies[chain->count++] = child;
			add_functions(&child, address, depth + 1, chain);
			return true;
		}
		if (has_functions(&child) && add_functions(&child, address, depth + 1, chain))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* The path of a file in the unit, which may be relative to the compiler's folder. */
static const char *path_in(struct inst_arena *arena, Dwarf_Die *unit, const char *file)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));

	return file[0] == '/' || folder == NULL || folder[0] != '/'
		   ? arena_copy(arena, file, strlen(file))
		   : arena_format(arena, "%s/%s", folder, file);
}

/*
 * The file whose index the attribute contains. libdw's own function for this ends the program if a
 * unit's list of files is damaged.
 */
static const char *file_by(struct inst_arena *arena, Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	Dwarf_Files *files;
	Dwarf_Word index;
	size_t count;

	if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &index) != 0 ||
	    dwarf_cu_info(attribute.cu, NULL, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
	    dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count)
		return NULL;
	const char *file = dwarf_filesrc(files, index, NULL, NULL);
	return file != NULL ? path_in(arena, &unit, file) : NULL;
}

static bool line_of_call(struct inst_arena *arena, Dwarf_Die *inlined, struct race_line *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	const char *file = file_by(arena, inlined, DW_AT_call_file);

	if (file == NULL ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) != 0)
		return false;
	*line = (struct race_line){.file = file, .line = (int)number};
	return true;
}

static const char *symbol_at(const struct module *module, uint64_t offset)
{
	GElf_Sym symbol;
	GElf_Off inside;

	if (module->module == NULL)
		return NULL;
	return dwfl_module_addrinfo(module->module, offset, &inside, &symbol, NULL, NULL, NULL);
}

/*
 * The unit that contains an address: found with .debug_aranges, which clang omits, or else by
 * searching all units.
 */
static Dwarf_Die *unit_at(Dwfl_Module *module, uint64_t offset, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, offset, bias);

	if (unit != NULL)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, bias)) != NULL)
		if (dwarf_haspc(unit, offset - *bias) > 0)
			return unit;
	return NULL;
}

/* The line according to the unit's line table; compilers write line 0 for code without a line. */
static struct race_line line_at(struct inst_arena *arena, Dwarf_Die *unit, Dwarf_Addr address)
{
	struct race_line line = {0};
	Dwarf_Line *found = dwarf_getsrc_die(unit, address);
	const char *file = found != NULL ? dwarf_linesrc(found, NULL, NULL) : NULL;

	if (file == NULL || dwarf_lineno(found, &line.line) != 0 || line.line == 0)
		return (struct race_line){0};
	dwarf_linecol(found, &line.column);
	line.file = path_in(arena, unit, file);
	return line;
}

static const char *name_of(struct inst_arena *arena, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name != NULL ? symbol_name(arena, name) : NULL;
}

/* Looks up the lines of a new address. */
static size_t look_up(
    struct race_code *code, struct module *module, uint64_t offset, struct race_line *lines)
{
	struct inst_arena *arena = code->arena;
	struct chain chain = {.count = 0};
	size_t found = 1;
	Dwarf_Addr bias;
	Dwarf_Die *unit = unit_at(module->module, offset, &bias);

	if (unit != NULL) {
		add_functions(unit, offset - bias, 0, &chain);
		lines[0] = line_at(arena, unit, offset - bias);
	}
	if (chain.count > 0)
		lines[0].function = name_of(arena, &chain.dies[chain.count - 1]);
	if (lines[0].function == NULL && symbol_at(module, offset) != NULL)
		lines[0].function = symbol_name(arena, symbol_at(module, offset));
	for (int i = chain.count - 1; i > 0; i--)
		if (line_of_call(arena, &chain.dies[i], &lines[found]))
			lines[found++].function = name_of(arena, &chain.dies[i - 1]);
	return found;
}

/* The lines of an address; each address is looked up once. */
static const struct known *find_lines(struct race_code *code, const char *path, uint64_t offset)
{
	struct module *module = find_module(code, path);
	struct map_key key = {(uint64_t)(module - code->modules), offset};
	struct race_line lines[DEEPEST_INLINING] = {{0}};

	if (module->module == NULL)
		return NULL;
	uint64_t at = pair_map_find(&code->places, key);
	if (at != MAP_NONE)
		return &code->known[at];
	struct known known = {.count = look_up(code, module, offset, lines)};
	known.lines = arena_allocate(code->arena, known.count * sizeof *lines);
	memcpy(known.lines, lines, known.count * sizeof *lines);
	/* If memory for the map runs out, the address is looked up again. */
	pair_map_set(&code->places, key, code->known_count);
	struct known *kept =
	    ARENA_ADD(code->arena, code->known, code->known_count, code->known_room);
	*kept = known;
	return kept;
}

size_t race_code_lines(
    struct race_code *code, const char *path, uint64_t offset, struct race_line *lines, size_t most)
{
	const struct known *known = find_lines(code, path, offset);

	if (known == NULL || known->lines[0].file == NULL)
		return 0;
	size_t count = known->count < most ? known->count : most;
	memcpy(lines, known->lines, count * sizeof *lines);
	return count;
}

const char *race_code_symbol(struct race_code *code, const char *path, uint64_t offset)
{
	const char *name = symbol_at(find_module(code, path), offset);

	return name != NULL ? arena_copy(code->arena, name, strlen(name)) : NULL;
}

bool race_code_has_lines(struct race_code *code, const char *path)
{
	struct module *module = find_module(code, path);
	Dwarf_Addr bias;

	return module->module != NULL && dwfl_module_getdwarf(module->module, &bias) != NULL;
}

/* The path of a unit's file as given to the compiler. */
static const char *file_of_unit(struct inst_arena *arena, Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit);

	return name != NULL ? path_in(arena, unit, name) : NULL;
}

const char *const *race_code_files(struct race_code *code, const char *path)
{
	struct module *module = find_module(code, path);
	const char **files = NULL;
	size_t count = 0, room = 0;
	Dwarf_Addr bias;

	if (module->module == NULL)
		return NULL;
	for (Dwarf_Die *unit = NULL;
	     (unit = dwfl_module_nextcu(module->module, unit, &bias)) != NULL;) {
		const char *file = file_of_unit(code->arena, unit);
		if (file != NULL)
			*ARENA_ADD(code->arena, files, count, room) = file;
	}
	*ARENA_ADD(code->arena, files, count, room) = NULL;
	return files;
}

/* The address of a static variable; false for any other variable. */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;

	if (dwarf_tag(die) != DW_TAG_variable ||
	    dwarf_attr(die, DW_AT_location, &attribute) == NULL ||
	    dwarf_getlocation(&attribute, &operations, &count) != 0 || count < 1 || count > 2 ||
	    operations[0].atom != DW_OP_addr ||
	    (count == 2 && operations[1].atom != DW_OP_plus_uconst))
		return false;
	*address = operations[0].number + (count == 2 ? operations[1].number : 0);
	return true;
}

/* An address in a variable that has a symbol, or is part of a variable that has one. */
struct wanted {
	uint64_t address, symbol; /* relative to the debug information */
	Dwarf_Die found;
	uint64_t inside;   /* offset of the address in the variable that was found */
	const char *block; /* the common block around it, or NULL */
};

/*
 * Does the variable contain the address? If its size is unknown, it must have the symbol's address.
 */
static bool holds(Dwarf_Die *die, struct wanted *wanted)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;
	Dwarf_Word size = 0;
	uint64_t begin;

	if (!address_of(die, &begin) || begin > wanted->address)
		return false;
	if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) != NULL &&
	    dwarf_aggregate_size(&type, &size) == 0 && size > 0) {
		if (wanted->address - begin >= size)
			return false;
	} else if (begin != wanted->symbol) {
		return false;
	}
	wanted->found = *die;
	wanted->inside = wanted->address - begin;
	return true;
}

/*
 * Searches the children of a unit and their contents, which include static variables of functions.
 */
static bool find_in(Dwarf_Die *parent, unsigned depth, struct wanted *wanted)
{
	Dwarf_Die child;

	if (depth > 8 || dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (holds(&child, wanted))
			return true;
		int tag = dwarf_tag(&child);
		bool has_variables = tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
				     tag == DW_TAG_namespace || tag == DW_TAG_module ||
				     tag == DW_TAG_common_block;
		if (has_variables && find_in(&child, depth + 1, wanted)) {
			if (tag == DW_TAG_common_block)
				wanted->block = dwarf_diename(&child);
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static bool find_variable(
    Dwfl_Module *module, uint64_t address, uint64_t symbol, struct wanted *wanted)
{
	Dwarf_Addr bias;

	for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL;) {
		*wanted = (struct wanted){.address = address - bias, .symbol = symbol - bias};
		if (find_in(unit, 0, wanted))
			return true;
	}
	return false;
}

static void describe(
    struct inst_arena *arena, struct wanted *wanted, struct race_variable *variable)
{
	Dwarf_Die *die = &wanted->found;
	const char *name = dwarf_diename(die);

	dwarf_decl_line(die, &variable->line);
	variable->file = file_by(arena, die, DW_AT_decl_file);
	if (wanted->block != NULL)
		variable->block = arena_copy(arena, wanted->block, strlen(wanted->block));
	if (name != NULL) {
		variable->whole = arena_copy(arena, name, strlen(name));
		variable->name = race_variable_part(arena, die, variable->whole, wanted->inside);
	}
}

bool race_code_variable(
    struct race_code *code, const char *path, uint64_t offset, struct race_variable *variable)
{
	struct module *module = find_module(code, path);
	GElf_Sym symbol;
	GElf_Off inside;
	struct wanted wanted;

	*variable = (struct race_variable){0};
	if (module->module == NULL)
		return false;
	const char *name =
	    dwfl_module_addrinfo(module->module, offset, &inside, &symbol, NULL, NULL, NULL);
	if (name == NULL || GELF_ST_TYPE(symbol.st_info) == STT_FUNC ||
	    (symbol.st_size != 0 && inside >= symbol.st_size))
		return false;
	variable->whole = variable->name = user_name(code->arena, name);
	if (find_variable(module->module, offset, offset - inside, &wanted))
		describe(code->arena, &wanted, variable);
	return true;
}
