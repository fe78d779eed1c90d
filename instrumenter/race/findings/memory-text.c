/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the reports that AddressSanitizer and MemorySanitizer print, with frames in the format that
 * ompinst sets. What is not known here is an error of the kind RACE_OTHER_MEMORY with the
 * sanitizer's name, as long as it has a place in the code.
 */
#include "race-reports.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
	struct race_reports *reports;
	struct race_report report;
	struct race_stack *stack; /* to which the following frames belong, or NULL */
	unsigned run;
	bool open;
};

static const char *behind(const char *line, const char *text)
{
	const char *found = strstr(line, text);

	return found != NULL ? found + strlen(text) : NULL;
}

/* The text between the first two quotes, or NULL. */
static const char *quoted(struct inst_arena *arena, const char *line)
{
	const char *begin = strchr(line, '\'');
	const char *end = begin != NULL ? strchr(begin + 1, '\'') : NULL;

	return end != NULL ? arena_copy(arena, begin + 1, (size_t)(end - begin - 1)) : NULL;
}

/* clang adds ".i" to the name of a variable of a function that it has inlined, and numbers. */
static const char *variable_name(struct inst_arena *arena, const char *name)
{
	size_t length = name != NULL ? strcspn(name, ".") : 0;

	return length > 0 && name[0] != '<' ? arena_copy(arena, name, length) : NULL;
}

static enum race_memory_kind kind_of(const char *error)
{
	static const struct {
		const char *begin;
		enum race_memory_kind kind;
	} kinds[] = {
	    {"stack-use-after-", RACE_ENDED_FRAME},
	    {"heap-use-after-free", RACE_FREED},
	    {"attempting double-free", RACE_FREED},
	    {"heap-buffer-", RACE_OUT_OF_BOUNDS},
	    {"stack-buffer-", RACE_OUT_OF_BOUNDS},
	    {"global-buffer-overflow", RACE_OUT_OF_BOUNDS},
	    {"dynamic-stack-buffer-overflow", RACE_OUT_OF_BOUNDS},
	    {"container-overflow", RACE_OUT_OF_BOUNDS},
	    {"use-of-uninitialized-value", RACE_UNWRITTEN},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strncmp(error, kinds[i].begin, strlen(kinds[i].begin)) == 0)
			return kinds[i].kind;
	return RACE_OTHER_MEMORY;
}

static void finish(struct state *state)
{
	if (state->open && state->report.access[0].stack.count > 0)
		*race_reports_add(state->reports, state->run) = state->report;
	state->open = false;
	state->stack = NULL;
}

/* "heap-use-after-free on address 0x55a9 at pc ..." */
static void begin(struct state *state, const char *error)
{
	struct race_report *report = &state->report;
	const char *address = strstr(error, "0x"), *end = strstr(error, " on ");
	size_t length = end != NULL ? (size_t)(end - error) : strcspn(error, "(:");

	finish(state);
	*report = (struct race_report){.run = state->run};
	report->access[0].thread = report->access[1].thread = -1;
	report->memory.kind = kind_of(error);
	report->memory.error = arena_copy(state->reports->arena, error, length);
	if (address != NULL)
		report->access[0].address = strtoull(address, NULL, 16);
	if (strncmp(error, "SEGV on unknown address", 23) == 0 &&
	    report->access[0].address < 4096 && address != NULL)
		report->memory.kind = RACE_NULL_POINTER;
	state->open = true;
	state->stack = &report->access[0].stack;
}

/* "    [32, 36) 'value' (line 8) <== Memory access at offset 32 is inside this variable" */
static void read_variable(struct state *state, const char *line)
{
	struct race_memory *memory = &state->report.memory;
	const char *number = behind(line, "(line ");

	memory->variable =
	    variable_name(state->reports->arena, quoted(state->reports->arena, line));
	memory->line = number != NULL ? atoi(number) : 0;
}

/* "... global variable 'table' defined in 'a.c:3:5' (0x5600) of size 40" */
static void read_global(struct state *state, const char *words)
{
	struct race_memory *memory = &state->report.memory;
	struct inst_arena *arena = state->reports->arena;
	const char *file = behind(words, "defined in "), *colon;

	state->report.place.kind = RACE_PLACE_GLOBAL;
	memory->variable = variable_name(arena, quoted(arena, words));
	file = file != NULL ? quoted(arena, file) : NULL;
	colon = file != NULL ? strchr(file, ':') : NULL;
	if (colon == NULL)
		return;
	memory->file = arena_copy(arena, file, (size_t)(colon - file));
	memory->line = atoi(colon + 1);
}

/* What the sanitizer says of the memory. False for a line about something else. */
static bool read_memory(struct state *state, const char *line)
{
	struct race_report *report = &state->report;
	const char *rest;

	if (strncmp(line, "WRITE of size ", 14) == 0 ||
	    strstr(line, "is caused by a WRITE") != NULL) {
		report->access[0].write = true;
	} else if (strstr(line, "is located in stack of thread") != NULL) {
		report->place.kind = RACE_PLACE_STACK;
		state->stack = &report->access[1].stack;
	} else if (strstr(line, "<== Memory access") != NULL) {
		read_variable(state, line);
	} else if ((rest = behind(line, " global variable ")) != NULL) {
		read_global(state, rest);
	} else if (strstr(line, "-byte region [") != NULL) {
		report->place.kind = RACE_PLACE_HEAP;
	} else if (strncmp(line, "freed by thread", 15) == 0) {
		state->stack = &report->access[1].stack;
	} else if (strstr(line, "allocated by thread") != NULL) {
		state->stack = &report->place.allocated;
	} else {
		return false;
	}
	return true;
}

/* "  Uninitialized value was created by ..." */
static void read_origin(struct state *state, const char *what)
{
	struct race_report *report = &state->report;

	state->stack = NULL;
	/* clang reads eight bytes of a smaller variable that it copies, and uses the smaller part.
	 */
	if (strstr(what, ".casted") != NULL) {
		state->open = false;
	} else if (strstr(what, "created by an allocation of") != NULL) {
		report->place.kind = RACE_PLACE_STACK;
		report->memory.variable =
		    variable_name(state->reports->arena, quoted(state->reports->arena, what));
		state->stack = &report->access[1].stack;
	} else if (strstr(what, "created by a heap allocation") != NULL) {
		report->place.kind = RACE_PLACE_HEAP;
		state->stack = &report->place.allocated;
	} else if (strstr(what, "created by a heap deallocation") != NULL) {
		state->stack = &report->access[1].stack;
	}
}

static void take(void *context, const char *line)
{
	struct state *state = context;
	const char *rest;

	if ((rest = behind(line, "ERROR: AddressSanitizer: ")) != NULL ||
	    (rest = behind(line, "WARNING: MemorySanitizer: ")) != NULL) {
		begin(state, rest);
	} else if (strncmp(line, "SUMMARY: ", 9) == 0) {
		finish(state);
	} else if (!state->open) {
		return;
	} else if ((rest = behind(line, "    frame ")) != NULL) {
		if (state->stack != NULL)
			race_stack_read(state->reports->arena, state->stack, rest);
	} else if ((rest = behind(line, "Uninitialized value was ")) != NULL) {
		read_origin(state, rest);
	} else if (!read_memory(state, line) &&
		   (line[0] == '\0' || strncmp(line, "Thread T", 8) == 0)) {
		state->stack = NULL;
	}
}

void race_memory_text_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run)
{
	struct state state = {.reports = reports, .run = run};

	race_text_lines(reports->arena, text, length, take, &state);
	/* A report that ended the process may lack its last line. */
	finish(&state);
}
