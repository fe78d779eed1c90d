/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User functions, when --functions asks for them. A function's region is one variable, declared
 * first in its body: its initialiser begins the region and its cleanup function ends it, on every
 * way out: return, the closing brace, a goto out of a nested function, and exceptions. What leaves
 * without unwinding (longjmp, exit) the library closes when it sees the next end or the exit.
 *
 * One declaration and no statement, so that C90 code may go on with its own declarations.
 */
#include "delimiter.h"
#include "filter.h"
#include "lexer.h"
#include "unit.h"

#include <string.h>

/* Words of a definition, before its body, that rule out calls. */
static const char *const forbidding[] = {
    "constexpr", "consteval", /* the compiler may have to evaluate it */
    "no_instrument_function", "__no_instrument_function__", /* the user said so */
    "naked", "__naked__",                                   /* has no frame */
    "gnu_inline", "__gnu_inline__", /* is there to be inlined, or not at all */
};

/* Words of a body that make a coroutine: it may go on in another thread. */
static const char *const suspending[] = {"co_await", "co_yield", "co_return"};

static bool holds_word(
    const struct unit *unit, size_t begin, size_t end, const char *const *words, size_t word_count)
{
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, unit->input->text, end, begin);
	lexer.line_start = false;
	while ((token = lexer_next(&lexer)).kind != TOKEN_END)
		for (size_t i = 0; i < word_count; i++)
			if (token_is(&lexer, &token, words[i]))
				return true;
	return false;
}

/*
 * Does an ifunc attribute, of which there are any, name this function? The dynamic linker calls it
 * then, when no symbol is bound yet.
 */
static bool is_resolver(const struct unit *unit, const struct function_body *function)
{
	const char *at = unit->input->text, *end = at + unit->input->length;
	size_t length = strlen(function->mangled);

	while ((at = memmem(at, (size_t)(end - at), "ifunc", strlen("ifunc"))) != NULL) {
		const char *name;

		at += strlen("ifunc");
		name = memchr(at, '"', (size_t)(end - at));
		if (name != NULL && (size_t)(end - name) > length + 1 &&
		    memcmp(name + 1, function->mangled, length) == 0 && name[length + 1] == '"')
			return true;
	}
	return false;
}

/* Can calls of ours stand in the function? */
static bool is_possible(struct unit *unit, const struct function_body *function, bool ifuncs)
{
	if (*scan_place(&unit->scan, function->body).flags == '3') /* a system header's */
		return false;
	if (holds_word(unit, function->begin, function->body, forbidding,
		sizeof forbidding / sizeof *forbidding))
		return false;
	if (unit->input->cplusplus && holds_word(unit, function->body, function->end, suspending,
					  sizeof suspending / sizeof *suspending))
		return false;
	return !(ifuncs && is_resolver(unit, function)) && is_host_code(unit, function->body + 1) &&
	       !is_device_function(unit, function->name);
}

static void emit_function(struct unit *unit, const struct function_body *function)
{
	const struct inst_input *input = unit->input;
	struct inst_buffer code = {.arena = unit->arena};
	struct inst_pragma here = {.begin = function->begin, .end = function->body, .words = ""};
	size_t at = block_declarations(input->text, function->end, function->body);
	size_t descriptor;

	if (at == 0)
		return;
	descriptor = add_descriptor(unit, "region", function->name, &here, NULL, function->end);
	unit->descriptors[descriptor].begin_last = scan_place(&unit->scan, function->body).line;
	buffer_format(&code,
	    "__attribute__((__cleanup__(%s_exit))) void *__pomp_function%zu = %s_enter(&%s[%zu]);",
	    unit->array, descriptor, unit->array, unit->array, descriptor);
	edit_add(unit->arena, &unit->edits,
	    (struct edit){EDIT_FUNCTION, at, at, function->body, code.data});
	unit->function_count++;
	unit->array_external |= function->in_inline && !unit->input->cplusplus;
}

void emit_functions(struct unit *unit)
{
	const struct location_result *location = &unit->location;
	const char *text = unit->options->function_filter;
	struct filter filter = {.error = NULL};
	struct plan_ranges ranges = {0, false};
	bool ifuncs = memmem(unit->input->text, unit->input->length, "ifunc", 5) != NULL;
	size_t construct = 0;

	if (text != NULL)
		filter = filter_read(unit->arena, text);
	for (size_t i = 0; i < location->function_count; i++) {
		const struct function_body *function = &location->functions[i];

		for (; construct < unit->construct_count &&
		       unit->constructs[construct].pragma->begin < function->body;
		     construct++)
			if (unit->constructs[construct].active)
				follow_ranges(&ranges, &unit->constructs[construct]);
		if (i > 0 && location->functions[i - 1].body == function->body)
			continue;
		if (ranges.device == 0 && !ranges.uninstrumented &&
		    is_possible(unit, function, ifuncs) &&
		    filter_takes_file(&filter, scan_place(&unit->scan, function->body).file) &&
		    filter_takes_function(
			&filter, function->name, function->signature, function->mangled))
			emit_function(unit, function);
	}
	if (unit->function_count > 0) {
		declare_call(unit, "begin", false, 1);
		declare_call(unit, "end", false, 1);
	}
}
