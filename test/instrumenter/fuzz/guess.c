/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands in for libclang when the engine is fuzzed: the engine's statements.c is not linked.
 * Answers what libclang would as far as tokens can tell it; or, with guess_wrongly, anything at all
 * that is an offset into the text, by a generator that starts from the text.
 */
#include "guess.h"

#include "delimiter.h"
#include "lexer.h"
#include "lock-names.h"

#include <stdint.h>
#include <string.h>

bool guess_wrongly;

static uint64_t state;

static size_t any(size_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return below > 0 ? (size_t)(state >> 33) % below : 0;
}

static void seed(const char *text, size_t length)
{
	state = length;
	for (size_t i = 0; i < length; i++)
		state = (state ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
}

static struct located answer_anything(const struct inst_input *input)
{
	size_t begin = any(input->length), end = begin + any(input->length - begin + 1);

	return (struct located){.found = any(2) == 0,
	    .loop = any(2) == 0,
	    .in_argument = any(8) == 0,
	    .end = any(input->length + 1),
	    .in_block = any(2) == 0,
	    .block_begin = begin,
	    .block_end = end,
	    .block_of_function = any(2) == 0,
	    .block_of_switch = any(4) == 0,
	    .in_function = any(4) != 0,
	    .in_inline = any(4) == 0};
}

/* The innermost block around `offset`, as the braces tell. */
static void find_block(struct inst_arena *arena, const struct inst_input *input, size_t offset,
    struct located *located)
{
	size_t *open = NULL, count = 0, room = 0;
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, input->text, input->length, 0);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END && token.begin < offset) {
		if (token.punctuator == '{') {
			*ARENA_ADD(arena, open, count, room) = token.begin;
		} else if (token.punctuator == '}' && count > 0) {
			count--;
		}
	}
	if (count == 0)
		return;
	located->in_function = true;
	located->in_block = true;
	located->block_begin = open[count - 1];
	located->block_end = block_end(input->text, input->length, open[count - 1]);
	located->block_of_function = count == 1;
	if (located->block_end <= offset)
		located->block_end = input->length;
}

static struct located answer(
    struct inst_arena *arena, const struct inst_input *input, const struct inst_pragma *pragma)
{
	struct located located = {.function = ""};
	struct lexer lexer;
	struct token token;

	located.end = statement_end(input->text, input->length, pragma->next);
	located.found = located.end > 0;
	if (located.found) {
		lexer_init(&lexer, input->text, input->length, pragma->next);
		token = lexer_next(&lexer);
		located.loop = token_is(&lexer, &token, "for");
	}
	find_block(arena, input, pragma->begin, &located);
	return located;
}

bool holds_error(const struct location_result *result, size_t begin, size_t end)
{
	(void)result;
	return guess_wrongly && (begin ^ end) % 2 != 0;
}

/* Every block that stands outside of others is taken for a function's body. */
static void find_functions(
    struct inst_arena *arena, const struct inst_input *input, struct location_result *result)
{
	size_t begin = 0;
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, input->text, input->length, 0);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		struct function_body function = {.begin = begin,
		    .body = token.begin,
		    .name = "f",
		    .signature = "f()",
		    .mangled = "_Z1fv"};

		if (guess_wrongly && any(16) == 0)
			function.body = function.begin + any(input->length - function.begin);
		if (guess_wrongly)
			function.in_inline = any(2) == 0;
		if (token.punctuator == '{' && guess_wrongly)
			function.end = function.body + any(input->length - function.body + 1);
		else if (token.punctuator == '{')
			function.end = block_end(input->text, input->length, token.begin);
		if (function.end > function.body + 1) {
			*ARENA_ADD(arena, result->functions, result->function_count,
			    result->function_room) = function;
			lexer.at = function.end;
		}
		if (token.punctuator != 0 && strchr(";}", token.punctuator) != NULL)
			begin = lexer.at;
	}
}

struct location_result locate_statements(struct inst_arena *arena, const struct inst_input *input,
    const struct inst_scan *scan, bool functions)
{
	struct location_result result = {.error = NULL};

	seed(input->text, input->length);
	result.located = arena_allocate(arena, (scan->pragma_count + 1) * sizeof *result.located);
	for (size_t i = 0; i < scan->pragma_count; i++) {
		result.located[i] = guess_wrongly ? answer_anything(input)
						  : answer(arena, input, &scan->pragmas[i]);
		result.located[i].function = "f";
	}
	if (functions)
		find_functions(arena, input, &result);
	result.locks = find_lock_names(arena, input->text, input->length, &result.lock_count);
	for (size_t i = 0; i < result.lock_count; i++)
		result.locks[i].confirmed = !guess_wrongly || any(2) == 0;
	if (result.lock_count > 0)
		result.lock_declaration =
		    guess_wrongly ? any(input->length) : scan->first_code + (scan->first_code == 0);
	return result;
}
