/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the reports that ThreadSanitizer prints. Their headings have been the same since GCC 5, and
 * the frames have a format that ompinst sets. Unknown lines are skipped.
 */
#include "race-reports.h"

#include "shared/race-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the following frame lines belong to. */
struct state {
	struct race_reports *reports;
	struct race_report report;
	struct race_stack *stack;
	unsigned accesses, run;
	bool open;
};

static const char *skip(const char *line, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(line, prefix, length) == 0 ? line + length : NULL;
}

/*
 * Reads "thread T3 'omp 1 task' (mutexes: ...)": the runtime gives threads and strands names of
 * this form.
 */
static void read_thread(const char *words, struct race_access *access)
{
	static const char *const strands[] = {[RACE_AS_THREAD] = RACE_STRAND_THREAD,
	    [RACE_AS_TASK] = RACE_STRAND_TASK,
	    [RACE_AS_TEAM] = RACE_STRAND_TEAM,
	    [RACE_AS_LANE] = RACE_STRAND_LANE};
	const char *quote = strchr(words, '\''), *number = skip(words, "thread T");
	char strand[16];
	unsigned thread;

	if (skip(words, "main thread") != NULL)
		access->thread = 0;
	else if (number != NULL)
		access->thread = RACE_OTHER_THREADS + (int)strtol(number, NULL, 10);
	if (quote == NULL || sscanf(quote + 1, "omp %u %15[a-z]", &thread, strand) != 2)
		return;
	access->thread = (int)thread;
	for (size_t i = 0; i < sizeof strands / sizeof strands[0]; i++)
		if (strcmp(strands[i], strand) == 0)
			access->strand = (enum race_strand)i;
}

/* Reads "  Previous atomic write of size 4 at 0x7ffe by thread T1:". */
static bool read_access(const char *line, struct race_access *access)
{
	static const struct {
		const char *heading;
		bool write, atomic;
	} headings[] = {
	    {"  Read", false, false},
	    {"  Write", true, false},
	    {"  Atomic read", false, true},
	    {"  Atomic write", true, true},
	    {"  Previous read", false, false},
	    {"  Previous write", true, false},
	    {"  Previous atomic read", false, true},
	    {"  Previous atomic write", true, true},
	};

	for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
		const char *rest = skip(line, headings[i].heading);
		char *end;
		if (rest == NULL || (rest = skip(rest, " of size ")) == NULL)
			continue;
		*access = (struct race_access){
		    .write = headings[i].write, .atomic = headings[i].atomic, .thread = -1};
		access->size = (unsigned)strtoul(rest, &end, 10);
		if ((rest = skip(end, " at ")) == NULL)
			return false;
		access->address = strtoull(rest, &end, 16);
		if ((rest = skip(end, " by ")) == NULL)
			return false;
		read_thread(rest, access);
		return true;
	}
	return false;
}

/* Reads "global 'x' at 0x55a9 (program+0x4148)": the file without its folder. */
static void read_global(struct state *state, const char *what)
{
	struct race_place *place = &state->report.place;
	const char *plus = strrchr(what, '+'), *bracket = strrchr(what, '(');

	/* ThreadSanitizer prints "([stack]+0x1f268)" for memory that it does not know. */
	if (plus == NULL || bracket == NULL || bracket > plus || strchr(what, '[') != NULL) {
		place->kind = RACE_PLACE_UNKNOWN;
		return;
	}
	place->module =
	    arena_copy(state->reports->arena, bracket + 1, (size_t)(plus - bracket - 1));
	place->offset = strtoull(plus + 1, NULL, 16);
	place->is_access = true;
}

/* Reads "  Location is ...". */
static void read_place(struct state *state, const char *what)
{
	struct race_place *place = &state->report.place;
	const char *size = strstr(what, " of size "), *at = strstr(what, " at 0x");

	state->stack = NULL;
	/* For an object on a stack, the second of two such lines names the mapping. */
	if (place->kind != RACE_PLACE_UNKNOWN)
		return;
	if (skip(what, "heap block") != NULL) {
		place->kind = RACE_PLACE_HEAP;
		state->stack = &place->allocated;
	} else if (skip(what, "stack of") != NULL) {
		place->kind = RACE_PLACE_STACK;
	} else if (skip(what, "TLS of") != NULL) {
		place->kind = RACE_PLACE_TLS;
	} else if (skip(what, "global") != NULL) {
		place->kind = RACE_PLACE_GLOBAL;
		read_global(state, what);
		return;
	}
	if (size != NULL)
		place->size = strtoull(size + strlen(" of size "), NULL, 10);
	if (at != NULL)
		place->start = strtoull(at + strlen(" at "), NULL, 16);
}

/* Completes the path of the file that contains a global, if the stacks name it. */
static void complete_place(struct race_report *report)
{
	const char *name = report->place.module;

	for (size_t i = 0; name != NULL && i < 2; i++) {
		const struct race_stack *stack = &report->access[i].stack;
		for (size_t j = 0; j < stack->count; j++) {
			const char *slash = strrchr(stack->frames[j].module, '/');
			if (slash != NULL && strcmp(slash + 1, name) == 0)
				report->place.module = stack->frames[j].module;
		}
	}
}

static void finish(struct state *state)
{
	if (state->open && state->accesses == 2) {
		complete_place(&state->report);
		*race_reports_add(state->reports, state->report.run) = state->report;
	}
	state->open = false;
}

static void take(void *context, const char *line)
{
	struct state *state = context;
	const char *rest;

	if ((rest = skip(line, "WARNING: ThreadSanitizer: ")) != NULL) {
		finish(state);
		state->report = (struct race_report){.run = state->run};
		state->accesses = 0;
		state->stack = NULL;
		state->open = skip(rest, "data race") != NULL;
	} else if (skip(line, "SUMMARY: ") != NULL || skip(line, "=====") != NULL) {
		finish(state);
	} else if (!state->open) {
		return;
	} else if ((rest = skip(line, "    frame ")) != NULL) {
		if (state->stack != NULL)
			race_stack_read(state->reports->arena, state->stack, rest);
	} else if ((rest = skip(line, "  Location is ")) != NULL) {
		read_place(state, rest);
	} else if (state->accesses < 2 &&
		   read_access(line, &state->report.access[state->accesses])) {
		state->stack = &state->report.access[state->accesses++].stack;
	} else if (line[0] == ' ' && line[1] == ' ' && line[2] != ' ') {
		state->stack = NULL; /* "  Thread T1 ... created by", "  Mutex ..." */
	}
}

void race_tsan_text_read(
    struct race_reports *reports, const char *text, size_t length, unsigned run)
{
	struct state state = {.reports = reports, .run = run};

	race_text_lines(reports->arena, text, length, take, &state);
	/* Without its last line, a report may be incomplete. */
}
