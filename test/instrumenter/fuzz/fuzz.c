/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The libFuzzer target of the scanner, the tables, the clause splitter and the rewriter. An input
 * is a text, as it is. libclang is left out (guess.c answers in its place, rightly and wrongly): it
 * would be what is fuzzed most of the time, and the engine must survive any answer of its.
 *
 * What must hold for every text, in both forms, in C and in C++:
 *   - with every construct switched off, the output's bytes are the input's;
 *   - the same call gives the same output again;
 *   - what the user wrote outside of the pragmas and the lock routines' names is all there, in its
 *     order.
 */
#include "guess.h"
#include "lexer.h"
#include "lock-names.h"
#include "pragma-scan.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACTIVE_LINES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int active_lines[MAX_ACTIVE_LINES];
static const char *active_directives[MAX_ACTIVE_LINES];

/* What macros in source text may turn out to be. */
static const char *const expansions[] = {NULL, " parallel", " for nowait",
    " parallel default(none)", " parallel for reduction(+:x) if(x)", " ordered depend(source)",
    " no such thing", ""};

static void fail(const char *what, const struct inst_input *input)
{
	fprintf(stderr, "%s (%s, %s, %zu bytes)\n", what,
	    input->form == INST_SOURCE ? "source" : "preprocessed", input->cplusplus ? "C++" : "C",
	    input->length);
	abort();
}

/* false: the engine refused, which it may when its helpers contradict each other. */
static bool rewrite(
    const struct inst_input *input, const struct inst_options *options, struct inst_result *result)
{
	char *error = NULL;

	if (inst_rewrite(input, options, result, &error) == 0)
		return true;
	if (error == NULL)
		fail("refused without a reason", input);
	free(error);
	return false;
}

static void check_all_off(const struct inst_input *input)
{
	const struct inst_options off[] = {
	    {.disabled = ~(inst_groups)0}, {.no_directives = true, .locks = true}};
	struct inst_result result;

	for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
		if (!rewrite(input, &off[i], &result))
			fail("refused although nothing was to do", input);
		if (result.length != input->length ||
		    memcmp(result.text, input->text, input->length) != 0)
			fail("all rules are off, but the text differs", input);
		inst_result_free(&result);
	}
}

/* Marks the bytes that an edit may take away: blanks, pragmas, lock routines' names. */
static void find_replaceable(
    struct inst_arena *arena, const struct inst_input *input, char *replaceable)
{
	struct inst_scan scan;
	struct lock_name *locks;
	size_t lock_count;

	memset(replaceable, 0, input->length);
	scan_text(arena, input->text, input->length, input->file_name, &scan);
	for (size_t i = 0; i < scan.pragma_count; i++) {
		const struct inst_pragma *pragma = &scan.pragmas[i];

		if (pragma->begin >= pragma->end || pragma->end > input->length ||
		    pragma->next > input->length)
			fail("a pragma's offsets make no sense", input);
		memset(replaceable + pragma->begin, 1, pragma->end - pragma->begin);
	}
	locks = find_lock_names(arena, input->text, input->length, &lock_count);
	for (size_t i = 0; i < lock_count; i++)
		memset(replaceable + locks[i].offset, 1, strlen(locks[i].name));
	for (size_t i = 0; i < input->length; i++)
		if (strchr(" \t\r\f\v\n", input->text[i]) != NULL)
			replaceable[i] = 1; /* strchr finds the NUL byte, too: it may go */
}

static void check_kept(const struct inst_input *input, const struct inst_result *result)
{
	struct inst_arena *arena = calloc(1, sizeof *arena);
	char *replaceable = malloc(input->length + 1);
	size_t at = 0;

	if (arena == NULL || replaceable == NULL || setjmp(arena->out_of_memory) != 0)
		exit(77);
	find_replaceable(arena, input, replaceable);
	for (size_t i = 0; i < input->length; i++) {
		if (replaceable[i])
			continue;
		while (at < result->length && result->text[at] != input->text[i])
			at++;
		if (at++ == result->length) {
			fprintf(
			    stderr, "missing: %.*s\n", (int)(input->length - i), input->text + i);
			fail("something of the user's is missing", input);
		}
	}
	free(replaceable);
	arena_finish(arena);
	free(arena);
}

static void check_all_on(const struct inst_input *input)
{
	const struct inst_options on = {.locks = true, .functions = true};
	struct inst_result result, again;

	if (!rewrite(input, &on, &result))
		return;
	check_kept(input, &result);
	if (!rewrite(input, &on, &again) || again.length != result.length ||
	    memcmp(again.text, result.text, result.length) != 0)
		fail("the second rewrite gives another text", input);
	inst_result_free(&again);
	inst_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size > 0 ? size : 1); /* exact: a read behind its end is seen */

	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	for (int i = 0; i < MAX_ACTIVE_LINES; i++) {
		active_lines[i] = i + 1;
		active_directives[i] =
		    expansions[i % (int)(sizeof expansions / sizeof *expansions)];
	}
	for (int mode = 0; mode < 8; mode++) {
		struct inst_input input = {
		    .form = mode & 1 ? INST_SOURCE : INST_PREPROCESSED,
		    .text = text,
		    .length = size,
		    .file_name = "input.c",
		    .cplusplus = (mode & 2) != 0,
		    .active_lines = active_lines,
		    .active_line_count = MAX_ACTIVE_LINES,
		    .active_directives = mode & 4 ? active_directives : NULL,
		};

		guess_wrongly = (mode & 4) != 0;
		check_all_off(&input);
		check_all_on(&input);
	}
	free(text);
	return 0;
}
