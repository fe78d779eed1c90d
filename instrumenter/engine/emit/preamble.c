/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The declarations in front of the text that descriptors and calls need.
 *
 * Instrumented source includes pomp.h if its names are free. In any other text the declarations
 * depend on no header, type or macro of the user's. They declare the functions by the library's
 * symbol names, which begin with __pomp_, so that there is no conflict with a user who includes
 * pomp.h or has names that begin with pomp_. The array's name is computed from the text, so that
 * several texts in one compilation have different names.
 */
#include "preamble.h"

#include "calls.h"
#include "lock-routines.h"
#include "added-names.h"
#include "schedule-clause.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * The calls go straight to the library's functions, not through a jump table: with measurement
 * switched off that jump is a large part of a call's cost. Clang does not know the attribute and
 * would warn about it in text that is not a system header's.
 */
static void add_prototypes(const struct unit *unit, struct inst_buffer *code)
{
	static const char *const arguments[] = {"void", "void *", "void *, unsigned long long",
	    "void *, const char *", "void *, int, int", "unsigned long long"};
	const char *linkage = unit->input->cplusplus ? "extern \"C\"" : "extern";
	const char *direct = unit->input->form == INST_SOURCE ? "" : ", __noplt__";

	for (size_t i = 0; i < unit->call_count; i++) {
		const struct call_declaration *call = &unit->calls[i];

		buffer_format(code,
		    "__extension__ %s %s __pomp_%s(%s) __attribute__((__nothrow__%s));\n", linkage,
		    call->gives_handle ? "unsigned long long" : "void", call->name,
		    arguments[call->argument_count], direct);
	}
}

/*
 * Adds a file's name as object files should contain it: the last matching -ffile-prefix-map
 * applies.
 */
static void add_file_name(
    const struct inst_input *input, struct inst_buffer *code, const char *name)
{
	for (size_t i = input->prefix_map_count; i-- > 0;) {
		const char *map = input->prefix_maps[i], *equals = strrchr(map, '=');

		if (equals == NULL || strncmp(name, map, (size_t)(equals - map)) != 0)
			continue;
		buffer_add_escaped(code, equals + 1);
		name += equals - map;
		break;
	}
	buffer_add_escaped(code, name);
}

/* Adds the fields of OMPRegDescr's initialiser that precede `next`. */
static void add_fields(
    const struct unit *unit, const struct descriptor *descriptor, struct inst_buffer *code)
{
	buffer_add_string(code, "\"");
	buffer_add_escaped(code, descriptor->name);
	buffer_add_string(code, "\", \"");
	buffer_add_escaped(code, descriptor->sub_name);
	buffer_format(code, "\", %d, \"", descriptor->section_count);
	add_file_name(unit->input, code, descriptor->file);
	buffer_format(code, "\", %d, %d, %d, %d, ", descriptor->begin_first, descriptor->begin_last,
	    descriptor->end_first, descriptor->end_last);
}

/* One variable per descriptor, for text that includes pomp.h; each points to the previous one. */
static void add_variables(
    const struct unit *unit, struct inst_buffer *code, const char *indentation)
{
	for (size_t i = 0; i < unit->descriptor_count; i++) {
		const struct descriptor *descriptor = &unit->descriptors[i];

		buffer_format(code, "%sOMPRegDescr %s%s = {%s",
		    descriptor->external ? "" : "static ", descriptor->variable,
		    descriptor->external ? " __attribute__((__visibility__(\"hidden\")))" : "",
		    indentation);
		add_fields(unit, descriptor, code);
		buffer_format(code, "{0}, %s};\n", i > 0 ? descriptor_address(unit, i - 1) : "0");
	}
}

/* Is a line too long to read easily? */
static bool has_long_line(const struct inst_buffer *code)
{
	enum { WIDTH = 100 };

	for (const char *at = code->data; at != NULL && *at != '\0';) {
		size_t length = strcspn(at, "\n");

		if (length > WIDTH)
			return true;
		at += length + (at[length] == '\n');
	}
	return false;
}

/* Each variable on one line, or if a line is too long all on two. */
static void add_readable_variables(const struct unit *unit, struct inst_buffer *code)
{
	struct inst_buffer variables = {.arena = unit->arena};

	add_variables(unit, &variables, "");
	if (has_long_line(&variables)) {
		variables = (struct inst_buffer){.arena = unit->arena};
		add_variables(unit, &variables, "\n\t");
	}
	buffer_add(code, variables.data, variables.length);
}

/*
 * The layout is that of OMPRegDescr in pomp.h; its field names are not used, because they might be
 * macros of the user's.
 */
static void add_descriptors(const struct unit *unit, struct inst_buffer *code)
{
	static const char fields[] =
	    "{ const char *__pomp_name, *__pomp_sub_name; int __pomp_sections; "
	    "const char *__pomp_file; int __pomp_begin1, __pomp_beginN, __pomp_end1, __pomp_endN; "
	    "__extension__ unsigned long long __pomp_data[4]; void *__pomp_next; }";

	if (unit->array_external)
		buffer_format(code,
		    "extern struct %s_region %s %s[%zu] "
		    "__attribute__((__visibility__(\"hidden\")));\n",
		    unit->array, fields, unit->array, unit->descriptor_count);
	buffer_format(code, "%sstruct %s_region %s %s[%zu] = {\n",
	    unit->array_external ? "" : "static ", unit->array, unit->array_external ? "" : fields,
	    unit->array, unit->descriptor_count);
	for (size_t i = 0; i < unit->descriptor_count; i++) {
		const struct descriptor *descriptor = &unit->descriptors[i];

		buffer_add_string(code, "\t{ ");
		add_fields(unit, descriptor, code);
		buffer_add_string(code, "{ 0, 0, 0, 0 }, ");
		if (i + 1 < unit->descriptor_count)
			buffer_format(code, "&%s[%zu] },\n", unit->array, i + 1);
		else
			buffer_add_string(code, "0 }\n");
	}
	buffer_add_string(code, "};\n");
}

/*
 * The folder in which the compiler runs, if the text contains it: gcc -g writes a line `# 1
 * "/folder//"` near the beginning. The object file then contains it in its debug information
 * anyway.
 */
static const char *compile_folder(const struct unit *unit)
{
	const struct inst_scan *scan = &unit->scan;

	for (size_t i = 1; i < scan->marker_count && i < 4; i++) {
		const char *name = scan->markers[i].file;
		size_t length = strlen(name);

		if (length > 2 && strcmp(name + length - 2, "//") == 0)
			return arena_format(unit->arena, "%.*s", (int)length - 2, name);
	}
	return NULL;
}

/* The loop's schedule as the list of the loops has it; NULL: the loop is not in it. */
static const char *listed_schedule(const struct unit *unit, const struct construct *construct)
{
	const struct schedule_clause written = schedule_clause_read(&construct->clauses);
	const char *kind = loop_schedule_name(construct->schedule.kind);

	if (construct->has_schedule && construct->schedule.chunk != 0)
		return arena_format(unit->arena, "%s,%d", kind, construct->schedule.chunk);
	if (construct->has_schedule)
		return kind;
	return construct->active && !construct->pragma->user &&
		       schedule_word_is(&written.kind, LOOP_SCHEDULE_RUNTIME)
		   ? LOOP_SCHEDULE_RUNTIME
		   : NULL;
}

/* What the list of taskloops has: the name of the clause; NULL: the taskloop is not in it. */
static const char *listed_grain(const struct unit *unit, const struct construct *construct)
{
	(void)unit;
	return construct->grain != NULL ? construct->grain->name : NULL;
}

/* A list of places for `ompinst tune`, in a section of its own. */
struct place_list {
	const char *section, *name;
	const char *(*listed)(const struct unit *unit, const struct construct *construct);
};

/* Adds the list; false if it is empty. */
static bool add_places(
    const struct unit *unit, const struct place_list *list, struct inst_buffer *code)
{
	bool is_first = true;

	for (size_t i = 0; i < unit->construct_count; i++) {
		const struct construct *construct = &unit->constructs[i];
		const struct inst_place place = scan_place(&unit->scan, construct->pragma->begin);
		const char *listed = list->listed(unit, construct);

		if (listed == NULL)
			continue;
		if (is_first)
			buffer_format(code,
			    "__attribute__((__section__(\"%s\"), __used__)) static const char %s_%s[] "
			    "=",
			    list->section, unit->array, list->name);
		is_first = false;
		buffer_add_string(code, " \"");
		add_file_name(unit->input, code, place.file);
		buffer_format(code, ":%d=%s\\0\"", place.line, listed);
	}
	if (!is_first)
		buffer_add_string(code, ";\n");
	return !is_first;
}

static void add_registration(const struct unit *unit, struct inst_buffer *code)
{
	static const struct {
		const char *attribute, *name;
	} functions[] = {{"constructor", "register"}, {"destructor", "unregister"}};
	const char *folder = compile_folder(unit);
	static const struct place_list loops = {LOOP_SCHEDULE_SECTION, "loops", listed_schedule},
				       tasks = {TASK_GRAIN_SECTION, "tasks", listed_grain};
	bool has_loops = unit->options->tunable_loops && add_places(unit, &loops, code);
	bool has_tasks = add_places(unit, &tasks, code);

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		buffer_format(code,
		    "__attribute__((__%s__)) static void %s_%s(void)\n"
		    "{ ",
		    functions[i].attribute, unit->array, functions[i].name);
		/* A linker that collects unused sections keeps what is referred to. */
		if (i == 0 && has_loops)
			buffer_format(code, "__asm__(\"\" : : \"r\"(&%s_loops[0])); ", unit->array);
		if (i == 0 && has_tasks)
			buffer_format(code, "__asm__(\"\" : : \"r\"(&%s_tasks[0])); ", unit->array);
		buffer_format(code, "__pomp_%s_regions", functions[i].name);
		if (i == 0 && folder != NULL) {
			buffer_format(code, "_in(&%s[0], \"", unit->array);
			add_file_name(unit->input, code, folder);
			buffer_add_string(code, "\"); }\n");
		} else {
			buffer_format(code, "(&%s[0]); }\n", unit->array);
		}
	}
}

/* Adds the function that a region's guard runs if the block is left before the region's end. */
static void add_guard(const struct unit *unit, struct inst_buffer *code)
{
	if (!unit->guards_regions)
		return;
	buffer_format(code,
	    "static __inline__ void %s_leave(void **__pomp_it)\n"
	    "{ if (*__pomp_it) __pomp_end(*__pomp_it); }\n",
	    unit->array);
}

/* Adds the functions that begin and end the region of a user's function. */
static void add_function_calls(const struct unit *unit, struct inst_buffer *code)
{
	if (unit->function_count == 0)
		return;
	buffer_format(code,
	    "static __inline__ void *%s_enter(void *__pomp_it)\n"
	    "{ __pomp_begin(__pomp_it); return __pomp_it; }\n"
	    "static __inline__ void %s_exit(void **__pomp_it) { __pomp_end(*__pomp_it); }\n",
	    unit->array, unit->array);
}

/* Adds the declarations, under names that begin with __pomp_. */
static void add_declarations(const struct unit *unit, struct inst_buffer *code)
{
	add_prototypes(unit, code);
	if (unit->descriptor_count > 0) {
		add_descriptors(unit, code);
		add_registration(unit, code);
	}
	add_lock_references(unit, code);
	add_guard(unit, code);
	add_function_calls(unit, code);
}

/* Adds the declarations of instrumented source. */
static void add_source_declarations(struct unit *unit, struct inst_buffer *code)
{
	const char *guard = guard_name(unit);
	bool declares =
	    !unit->includes_header || unit->descriptor_count > 0 || unit->lock_routines != 0;

	buffer_add_string(
	    code, INST_MARK " /* written by ompinst: build with -fopenmp, link with -lpomp */\n");
	if (unit->collision != NULL)
		buffer_format(code, "/* Without pomp.h: the program uses the name %s itself. */\n",
		    unit->collision);
	if (unit->includes_header)
		buffer_format(
		    code, "%s#include <pomp.h>\n", unit->has_word ? "#define POMP_NO_WORD\n" : "");
	/* For a file that includes itself, or is compiled twice in one unit. */
	if (declares)
		buffer_format(code, "\n#ifndef %s\n#define %s\n", guard, guard);
	if (!unit->includes_header)
		add_declarations(unit, code);
	else if (unit->descriptor_count > 0)
		add_readable_variables(unit, code);
	if (unit->includes_header && unit->descriptor_count > 0)
		buffer_format(code, "POMP_REGISTER(%s);\n",
		    unit->descriptors[unit->descriptor_count - 1].variable);
	if (unit->includes_header)
		add_lock_references(unit, code);
	if (declares)
		buffer_add_string(code, "#endif\n");
	buffer_add_string(code, "\n");
}

void emit_preamble(struct unit *unit)
{
	struct inst_buffer code = {.arena = unit->arena};
	const struct inst_input *input = unit->input;
	size_t at = unit->scan.first_code;

	if (unit->edits.count == 0)
		return;
	if (unit->descriptor_count > 0) {
		if (compile_folder(unit) != NULL)
			declare_call(unit, "register_regions_in", false, 3);
		else
			declare_call(unit, "register_regions", false, 1);
		declare_call(unit, "unregister_regions", false, 1);
	}
	if (input->form == INST_SOURCE) {
		if (!unit->module) /* in front of everything, except a byte order mark */
			at = input->length >= 3 && memcmp(input->text, "\xef\xbb\xbf", 3) == 0 ? 3
											       : 0;
		add_source_declarations(unit, &code);
	} else {
		/* 3 marks a system header, in which compilers do not warn */
		buffer_add_string(&code, "# 1 \"" INST_MARK_FILE "\" 3\n" INST_MARK "\n");
		add_declarations(unit, &code);
		code.data[--code.length] = '\0';
	}
	edit_add(unit->arena, &unit->edits, (struct edit){EDIT_PREAMBLE, at, at, 0, code.data});
}
