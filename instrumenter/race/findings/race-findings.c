/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From reports to findings: each access gets the innermost line of the user's own code, and reports
 * of the same variable and pair of lines become one finding. Frames of the OpenMP runtime, of the
 * measurement library and of ThreadSanitizer are never the user's.
 */
#include "race-findings.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST_INLINING = 16 };

enum owner {
	OWNER_USER,
	OWNER_RUNTIME,   /* the OpenMP runtime, a tool */
	OWNER_LIBRARY,   /* the C library and those of compilers: never the cause */
	OWNER_SANITIZER, /* ThreadSanitizer's replacements of other functions */
};

/* The owner of a file, judging by its name. */
static enum owner owner_of(const char *module)
{
	static const struct {
		const char *begin;
		enum owner owner;
	} names[] = {
	    {"libtsan.so", OWNER_SANITIZER},
	    {"libclang_rt.", OWNER_SANITIZER},
	    {"libasan.so", OWNER_SANITIZER},
	    {"libgomp.so", OWNER_RUNTIME},
	    {"libc.so", OWNER_LIBRARY},
	    {"libc-", OWNER_LIBRARY},
	    {"libpthread", OWNER_LIBRARY},
	    {"libm.so", OWNER_LIBRARY},
	    {"ld-linux", OWNER_LIBRARY},
	    {"libstdc++.so", OWNER_LIBRARY},
	    {"libgfortran.so", OWNER_LIBRARY},
	    {"libomp.so", OWNER_RUNTIME},
	    {"libarcher.so", OWNER_RUNTIME},
	    {"libpomp", OWNER_RUNTIME},
	    {"libompinst", OWNER_SANITIZER},
	    {"ompinst-race.so", OWNER_LIBRARY},
	    {"ompinst-memory.so", OWNER_LIBRARY},
	};
	const char *slash = strrchr(module, '/');
	const char *name = slash != NULL ? slash + 1 : module;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(name, names[i].begin, strlen(names[i].begin)) == 0)
			return names[i].owner;
	return OWNER_USER;
}

bool race_module_is_runtime(const char *module)
{
	return module != NULL && owner_of(module) == OWNER_RUNTIME;
}

/* "memcpy" from the names that sanitizers give to its replacement. */
static const char *library_name(const char *symbol)
{
	static const char *const prefixes[] = {
	    "__interceptor_", "___interceptor_", "__tsan_", "__asan_", "__msan_"};

	for (size_t i = 0; symbol != NULL && i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (strncmp(symbol, prefixes[i], strlen(prefixes[i])) == 0)
			return symbol + strlen(prefixes[i]);
	return symbol;
}

bool race_is_system_header(const char *file)
{
	return strncmp(file, "/usr/include/", 13) == 0 || strncmp(file, "/usr/lib/gcc/", 13) == 0 ||
	       strstr(file, "/include/c++/") != NULL;
}

/* A level of the call stack: a function, perhaps an inlined one, and the line that it executes. */
struct level {
	const struct race_frame *frame;
	struct race_line line; /* file NULL: unknown */
};

struct levels {
	struct level *items;
	size_t count, room;
	bool is_called_by_runtime;
};

static void add_level(struct inst_arena *arena, struct levels *levels,
    const struct race_frame *frame, const struct race_line *line)
{
	*ARENA_ADD(arena, levels->items, levels->count, levels->room) =
	    (struct level){frame, *line};
}

/* "sort" of "sort<int *>"; for operators the whole name. */
static const char *without_types(struct inst_arena *arena, const char *function)
{
	if (function == NULL || strncmp(function, "operator", 8) == 0)
		return function;
	const char *bracket = strchr(function, '<');
	return bracket != NULL && bracket != function
		   ? arena_copy(arena, function, (size_t)(bracket - function))
		   : function;
}

/* All levels from the access to the code that the runtime calls. */
static struct levels levels_of(
    struct inst_arena *arena, struct race_code *code, const struct race_stack *stack)
{
	struct race_line lines[DEEPEST_INLINING];
	struct levels levels = {0};

	for (size_t i = 0; i < stack->count; i++) {
		const struct race_frame *frame = &stack->frames[i];
		if (owner_of(frame->module) == OWNER_RUNTIME) {
			levels.is_called_by_runtime = true;
			break;
		}
		size_t count = owner_of(frame->module) == OWNER_USER
				   ? race_code_lines(code, frame->module, frame->offset, lines,
					 DEEPEST_INLINING)
				   : 0;
		for (size_t j = 0; j < count; j++)
			add_level(arena, &levels, frame, &lines[j]);
		if (count > 0)
			continue;
		lines[0] = (struct race_line){
		    .function = library_name(race_code_symbol(code, frame->module, frame->offset))};
		add_level(arena, &levels, frame, &lines[0]);
	}
	return levels;
}

/*
 * The first level with a line in the user's own source; else the first with any line; else the
 * first of code.
 */
static size_t choose_level(const struct levels *levels)
{
	size_t with_line = levels->count, of_user = levels->count, of_library = levels->count;

	for (size_t i = levels->count; i-- > 0;) {
		if (owner_of(levels->items[i].frame->module) == OWNER_USER)
			of_user = i;
		if (owner_of(levels->items[i].frame->module) == OWNER_LIBRARY)
			of_library = i;
		if (levels->items[i].line.file != NULL)
			with_line = i;
	}
	for (size_t i = 0; i < levels->count; i++)
		if (levels->items[i].line.file != NULL &&
		    !race_is_system_header(levels->items[i].line.file))
			return i;
	if (with_line < levels->count)
		return with_line;
	/* The caller of a library that is not instrumented may be missing on the stack. */
	return of_user < levels->count ? of_user : of_library;
}

static bool fits_level(const struct suppression *suppression, const struct level *level)
{
	return suppression_fits(suppression, level->line.function) ||
	       suppression_fits(suppression, level->line.file) ||
	       suppression_fits(suppression, level->frame->module);
}

/* Does the suppression fit the stack of an access? */
static bool fits_stack(const struct suppression *suppression, const struct levels *levels)
{
	size_t i = 0;

	switch (suppression->kind) {
	case SUPPRESSES_RACE:
		while (i < levels->count && !fits_level(suppression, &levels->items[i]))
			i++;
		return i < levels->count;
	case SUPPRESSES_RACE_TOP:
		return levels->count > 0 && fits_level(suppression, &levels->items[0]);
	case SUPPRESSES_LIBRARY:
		while (i < levels->count &&
		       owner_of(levels->items[i].frame->module) == OWNER_SANITIZER)
			i++;
		return i > 0 && i < levels->count &&
		       suppression_fits(suppression, levels->items[i].frame->module);
	default:
		return false;
	}
}

static const struct suppression *find_suppression(
    const struct suppressions *suppressions, const struct levels *levels)
{
	for (size_t i = 0; i < suppressions->count; i++)
		if (fits_stack(&suppressions->all[i], levels))
			return &suppressions->all[i];
	return NULL;
}

/* The suppression that names the variable, or NULL. */
static const struct suppression *find_variable_suppression(
    const struct suppressions *suppressions, const struct race_variable *variable)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		const struct suppression *suppression = &suppressions->all[i];
		if (suppression->kind == SUPPRESSES_RACE &&
		    (suppression_fits(suppression, variable->whole) ||
			suppression_fits(suppression, variable->file)))
			return suppression;
	}
	return NULL;
}

bool race_side_find(struct inst_arena *arena, struct race_code *code,
    const struct race_stack *stack, const struct suppressions *suppressions, struct race_side *side)
{
	if (stack->count == 0)
		return true;
	struct levels levels = levels_of(arena, code, stack);
	size_t chosen = choose_level(&levels);
	if (levels.items == NULL || chosen >= levels.count)
		return false;
	const struct level *level = &levels.items[chosen];
	/* If clang linked ThreadSanitizer's functions into the program, they have no lines. */
	if (level->line.file == NULL && levels.is_called_by_runtime &&
	    race_code_has_lines(code, level->frame->module))
		return false;
	side->is_known = true;
	side->by_runtime = levels.is_called_by_runtime;
	side->suppression = find_suppression(suppressions, &levels);
	side->line = level->line;
	side->module = level->frame->module;
	side->offset = level->frame->offset;
	/*
	 * An access by a library function, or by code that it calls, counts for the line that calls
	 * the function.
	 */
	if (chosen > 0)
		side->called = without_types(arena, levels.items[chosen - 1].line.function);
	struct race_line *callers =
	    arena_allocate(arena, (levels.count - chosen) * sizeof *callers);
	for (size_t i = chosen; i < levels.count; i++)
		callers[i - chosen] = levels.items[i].line;
	side->callers = callers;
	side->caller_count = levels.count - chosen;
	return true;
}

static int compare_texts(const char *left, const char *right)
{
	return strcmp(left != NULL ? left : "", right != NULL ? right : "");
}

int race_side_compare(const struct race_side *left, const struct race_side *right)
{
	int order = (int)right->is_known - (int)left->is_known;

	if (order == 0)
		order = compare_texts(left->line.file, right->line.file);
	if (order == 0)
		order = (left->line.line > right->line.line) - (left->line.line < right->line.line);
	if (order == 0)
		order = compare_texts(left->line.function, right->line.function);
	if (order == 0 && left->line.file == NULL)
		order = compare_texts(left->module, right->module);
	if (order == 0 && left->line.file == NULL)
		order = (left->offset > right->offset) - (left->offset < right->offset);
	return order;
}

static struct race_side side_of(const struct race_access *access)
{
	return (struct race_side){
	    .reads = !access->write,
	    .writes = access->write,
	    .atomic = access->atomic,
	    .task = access->strand == RACE_AS_TASK,
	    .team = access->strand == RACE_AS_TEAM,
	};
}

/* Names, unlike addresses, are the same in all runs. */
static void name_access(struct race_sources *sources, const struct race_place *place,
    const struct race_variable *variable, struct race_side *side)
{
	struct inst_arena *arena = sources->arena;

	if (variable->name != NULL)
		side->variable =
		    arena_format(arena, "%s:%s", place->module != NULL ? place->module : "",
			race_expression_shape(arena, variable->name, false));
	if (side->line.file == NULL || side->called != NULL)
		return;
	const char *expression =
	    race_source_expression(sources, race_source_text(sources, side->line.file),
		side->line.line, side->line.column, side->writes, NULL);
	if (expression != NULL)
		side->expression = race_expression_shape(arena, expression, true);
}

/* For accesses on one line, the expression of a write describes both best. */
static void name_both(struct race_side side[2])
{
	int named = side[0].writes && side[0].expression != NULL ? 0 : 1;

	if (!side[named].writes || side[named].expression == NULL)
		named = side[0].expression != NULL ? 0 : 1;
	side[1 - named].expression = side[named].expression;
}

/*
 * If a simd loop is inside a parallel region, gfortran has one loop variable for all threads and
 * assigns its last value to it. In Fortran this variable is private (OpenMP 5.2, 5.1.1).
 */
static bool is_of_simd_loop(struct race_sources *sources, const struct race_side *side)
{
	if (side->line.file == NULL || !side->writes)
		return false;
	const struct race_text *text = race_source_text(sources, side->line.file);
	return text->is_fortran &&
	       race_source_simd_variable(sources, text, side->line.line) != NULL;
}

static bool can_be_one(const char *left, const char *right)
{
	return left == NULL || right == NULL || strcmp(left, right) == 0;
}

/* Can both be the same side of one finding? */
static bool are_one(const struct race_side *left, const struct race_side *right)
{
	return race_side_compare(left, right) == 0 && can_be_one(left->variable, right->variable) &&
	       can_be_one(left->expression, right->expression);
}

/* The column of a write takes precedence over that of a read, because it is the assignment's. */
static void merge_side(struct race_side *side, const struct race_side *more)
{
	if (!side->writes && more->writes) {
		side->line = more->line;
		side->module = more->module;
		side->offset = more->offset;
		side->called = more->called;
		side->callers = more->callers;
		side->caller_count = more->caller_count;
	}
	if (side->variable == NULL)
		side->variable = more->variable;
	if (side->expression == NULL)
		side->expression = more->expression;
	side->reads |= more->reads;
	side->writes |= more->writes;
	side->atomic &= more->atomic;
	side->task |= more->task;
	side->team |= more->team;
	side->by_runtime |= more->by_runtime;
}

/* The static variable that the later access of the report concerns, if any. */
static struct race_variable variable_of(struct race_code *code, const struct race_report *report)
{
	const struct race_place *place = &report->place;
	const struct race_memory *memory = &report->memory;
	struct race_variable variable = {
	    memory->variable, memory->variable, NULL, memory->file, memory->line};

	/* What ompinst's own library has stands for something in another one. */
	if (place->kind == RACE_PLACE_GLOBAL && place->module != NULL &&
	    strstr(place->module, "/ompinst-race.so") == NULL) {
		uint64_t inside = place->is_access || report->access[0].address < place->start
				      ? 0
				      : report->access[0].address - place->start;
		race_code_variable(code, place->module, place->offset + inside, &variable);
	}
	return variable;
}

/* Is it a program's own malloc() by its name, such as xmalloc() or MagickMalloc()? */
static bool is_own_malloc(const char *function)
{
	static const char *const names[] = {"malloc", "calloc", "realloc", "memalign"};

	for (size_t i = 0; function != NULL && i < sizeof names / sizeof *names; i++)
		if (strcasestr(function, names[i]) != NULL)
			return true;
	return false;
}

struct race_line race_allocation_line(
    struct inst_arena *arena, struct race_code *code, const struct race_place *place)
{
	struct levels levels = levels_of(arena, code, &place->allocated);
	size_t chosen = choose_level(&levels);

	/* Who calls it knows what the memory is for. */
	while (chosen + 1 < levels.count && is_own_malloc(levels.items[chosen].line.function) &&
	       levels.items[chosen + 1].line.file != NULL)
		chosen++;
	return chosen < levels.count ? levels.items[chosen].line : (struct race_line){0};
}

/* Records what is known about the object, from the first report that knows something. */
static void note_place(struct inst_arena *arena, struct race_code *code,
    const struct race_place *place, const struct race_variable *variable,
    struct race_finding *finding)
{
	if (finding->place.kind != RACE_PLACE_UNKNOWN)
		return;
	finding->place = *place;
	finding->variable = *variable;
	finding->allocated = race_allocation_line(arena, code, place);
}

static struct race_finding *find_same(
    struct race_findings *findings, const struct race_side side[2], enum race_memory_kind memory)
{
	for (size_t i = 0; i < findings->count; i++) {
		struct race_finding *finding = &findings->items[i];
		if (finding->memory.kind == memory && are_one(&finding->side[0], &side[0]) &&
		    are_one(&finding->side[1], &side[1]))
			return finding;
	}
	return NULL;
}

/* Is it code of a construct, which compilers give names of their own? */
static bool is_of_construct(struct race_code *code, const struct race_stack *stack)
{
	const char *symbol = stack->count > 0 ? race_code_symbol(code, stack->frames[0].module,
						    stack->frames[0].offset)
					      : NULL;

	return symbol != NULL &&
	       (strstr(symbol, "._omp_fn.") != NULL || strstr(symbol, "omp_outlined") != NULL ||
		   strstr(symbol, ".omp_task_entry.") != NULL);
}

/* What came before a memory error: where the memory was freed, or its variable is declared. */
static bool find_earlier(struct race_sources *sources, struct race_code *code,
    const struct race_report *report, struct race_side *side)
{
	static const struct suppressions none;
	const struct race_memory *memory = &report->memory;

	*side = (struct race_side){0};
	/* Instead of the variable's line, only that of the code around it is known. */
	if (memory->line == 0 && memory->variable != NULL &&
	    (memory->kind == RACE_UNWRITTEN || is_of_construct(code, &report->access[1].stack)))
		return false;
	if (!race_side_find(sources->arena, code, &report->access[1].stack, &none, side))
		return false;
	if (memory->file != NULL)
		side->line.file = memory->file;
	if (memory->line > 0) {
		side->line.line = memory->line;
		side->line.column = 0;
		side->is_known = side->line.file != NULL;
	}
	return side->is_known;
}

/*
 * Templates of the C++ library call functions that MemorySanitizer does not see write, as those of
 * trees: is the memory the library's?
 */
static bool is_of_library(
    struct inst_arena *arena, struct race_code *code, const struct race_stack *stack)
{
	struct levels levels = levels_of(arena, code, stack);
	size_t i = 0;

	while (i < levels.count && levels.items[i].line.file == NULL)
		i++;
	return i < levels.count && race_is_system_header(levels.items[i].line.file);
}

/* The same for a memory error. */
static bool find_memory_sides(struct race_sources *sources, struct race_code *code,
    const struct race_report *report, const struct race_variable *variable,
    const struct suppressions *suppressions, struct race_findings *findings,
    struct race_side side[2])
{
	side[0] = side_of(&report->access[0]);
	if (!race_side_find(
		sources->arena, code, &report->access[0].stack, suppressions, &side[0]) ||
	    (report->memory.kind == RACE_UNWRITTEN &&
		(is_of_library(sources->arena, code, &report->access[0].stack) ||
		    is_of_library(sources->arena, code, &report->place.allocated)))) {
		findings->of_runtime++;
		return false;
	}
	name_access(sources, &report->place, variable, &side[0]);
	if (!find_earlier(sources, code, report, &side[1]))
		side[1] = side[0];
	return true;
}

/*
 * Fills both sides, in the order of race_side_compare(); false if the report is not about a race of
 * the user's.
 */
static bool find_sides(struct race_sources *sources, struct race_code *code,
    const struct race_report *report, const struct race_variable *variable,
    const struct suppressions *suppressions, struct race_findings *findings,
    struct race_side side[2])
{
	for (int i = 0; i < 2; i++) {
		side[i] = side_of(&report->access[i]);
		if (!race_side_find(
			sources->arena, code, &report->access[i].stack, suppressions, &side[i]) ||
		    is_of_simd_loop(sources, &side[i])) {
			findings->of_runtime++;
			return false;
		}
		name_access(sources, &report->place, variable, &side[i]);
	}
	if (race_side_compare(&side[0], &side[1]) > 0) {
		struct race_side swap = side[0];
		side[0] = side[1];
		side[1] = swap;
	}
	if (race_side_compare(&side[0], &side[1]) == 0)
		name_both(side);
	return side[0].is_known || side[1].is_known;
}

/* The suppression that fits one of the stacks or the variable, or NULL. */
static const struct suppression *suppression_of(const struct race_side side[2],
    const struct suppressions *suppressions, const struct race_variable *variable)
{
	if (side[0].suppression != NULL || side[1].suppression != NULL)
		return side[side[0].suppression == NULL].suppression;
	return find_variable_suppression(suppressions, variable);
}

static bool is_in_text(struct race_sources *sources, const char *file, const char *name)
{
	const struct race_text *text = file != NULL ? race_source_text(sources, file) : NULL;

	for (int i = 0; text != NULL && i < text->line_count; i++)
		if (strstr(text->code[i], name) != NULL)
			return true;
	return false;
}

/* "sum" of "sum2", which clang may call a construct's copy of it. */
static const char *name_in_source(
    struct race_sources *sources, const struct race_side side[2], const char *name)
{
	size_t length = strlen(name);

	while (length > 1 && strchr("0123456789", name[length - 1]) != NULL)
		length--;
	return is_in_text(sources, side[0].line.file, name) ||
		       is_in_text(sources, side[1].line.file, name)
		   ? name
		   : arena_copy(sources->arena, name, length);
}

/* Has the runtime allocated the memory by itself? */
static bool is_of_task(const struct race_stack *allocated)
{
	size_t i = 0;

	while (i < allocated->count && owner_of(allocated->frames[i].module) == OWNER_SANITIZER)
		i++;
	return i < allocated->count && owner_of(allocated->frames[i].module) == OWNER_RUNTIME;
}

static void take_report(struct race_sources *sources, struct race_code *code,
    const struct race_report *report, const struct suppressions *suppressions,
    struct race_findings *findings)
{
	struct race_side side[2];
	struct race_variable variable = variable_of(code, report);
	const struct race_access *access = report->access;
	const bool of_thread = access[0].thread == access[1].thread && access[0].thread >= 0;
	/* The lanes of a simd loop are concurrent by themselves. */
	const bool of_lanes =
	    of_thread && access[0].strand == RACE_AS_LANE && access[1].strand == RACE_AS_LANE;
	const bool is_memory = report->memory.kind != RACE_NO_MEMORY_ERROR;
	if (is_memory &&
	    !find_memory_sides(sources, code, report, &variable, suppressions, findings, side))
		return;
	if (!is_memory &&
	    !find_sides(sources, code, report, &variable, suppressions, findings, side))
		return;
	if (report->memory.line > 0 && variable.file == NULL)
		variable.file = side[1].line.file;
	if (report->memory.variable != NULL)
		variable.name = variable.whole = name_in_source(sources, side, variable.whole);
	const struct suppression *suppression = suppression_of(side, suppressions, &variable);
	struct race_finding *finding = find_same(findings, side, report->memory.kind);
	if (finding == NULL) {
		finding =
		    ARENA_ADD(sources->arena, findings->items, findings->count, findings->room);
		*finding = (struct race_finding){.side = {side[0], side[1]},
		    .one_place = race_side_compare(&side[0], &side[1]) == 0,
		    .memory = report->memory,
		    .of_lanes = true,
		    .verdict.suppression = suppression};
		finding->memory.variable = variable.whole;
	}
	if (suppression == NULL)
		finding->verdict.suppression = NULL;
	merge_side(&finding->side[0], &side[0]);
	merge_side(&finding->side[1], &side[1]);
	finding->by_threads |= !of_thread || of_lanes;
	finding->of_lanes &= of_lanes;
	finding->of_construct |= is_memory && is_of_construct(code, &report->access[1].stack);
	finding->of_task |= is_of_task(&report->place.allocated);
	race_seen_add(sources->arena, &finding->seen, report->run);
	note_place(sources->arena, code, &report->place, &variable, finding);
}

/*
 * Is there a finding with both places known that includes the place of this one, which knows only
 * one?
 */
static bool is_known_better(const struct race_findings *findings, const struct race_finding *lesser)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct race_finding *finding = &findings->items[i];
		if (finding->side[1].is_known && finding->by_threads >= lesser->by_threads &&
		    (race_side_compare(&finding->side[0], &lesser->side[0]) == 0 ||
			race_side_compare(&finding->side[1], &lesser->side[0]) == 0))
			return true;
	}
	return false;
}

static int compare_places(const struct race_finding *left, const struct race_finding *right)
{
	int order = race_side_compare(&left->side[0], &right->side[0]);

	return order != 0 ? order : race_side_compare(&left->side[1], &right->side[1]);
}

static int compare_findings(const void *left_item, const void *right_item)
{
	const struct race_finding *left = left_item, *right = right_item;
	int order = compare_places(left, right);

	if (order == 0)
		order = compare_texts(left->side[0].variable, right->side[0].variable);
	return order != 0 ? order : compare_texts(left->side[1].variable, right->side[1].variable);
}

/*
 * Merges the sides of a finding whose sides are on one line, because each of them may have been the
 * reader.
 */
static void complete(struct race_finding *finding)
{
	finding->verdict.standing = finding->by_threads ? RACE_COUNTS : RACE_OF_ONE_THREAD;
	if (finding->one_place) {
		merge_side(&finding->side[0], &finding->side[1]);
		finding->side[1] = finding->side[0];
	} else if (!finding->side[0].writes && finding->side[1].writes) {
		struct race_side swap = finding->side[0];
		finding->side[0] = finding->side[1];
		finding->side[1] = swap;
	}
}

void race_findings_make(struct race_sources *sources, struct race_code *code,
    const struct race_reports *reports, const struct suppressions *suppressions,
    struct race_findings *findings)
{
	size_t kept = 0;

	*findings = (struct race_findings){0};
	for (size_t i = 0; i < reports->count; i++)
		take_report(sources, code, &reports->items[i], suppressions, findings);
	if (findings->count > 1)
		qsort(findings->items, findings->count, sizeof *findings->items, compare_findings);
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].side[1].is_known ||
		    !is_known_better(findings, &findings->items[i]))
			findings->items[kept++] = findings->items[i];
	findings->count = kept;
	for (size_t i = 0; i < findings->count; i++)
		complete(&findings->items[i]);
}
