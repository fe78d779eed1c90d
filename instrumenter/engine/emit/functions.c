/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User functions, for --functions. A function's region is one variable, declared first in its body:
 * its initialiser begins the region, and its cleanup function ends it on every way out: return, the
 * closing brace, a goto out of a nested function, and exceptions. If the function is left without
 * unwinding (longjmp, exit), the library closes the region when it sees the next end or the exit.
 *
 * The code is one declaration and no statement, so that C90 code can continue with its own
 * declarations.
 */
#include "functions.h"

#include "calls.h"
#include "delimiter.h"
#include "function-filter.h"
#include "lexer.h"
#include "added-names.h"
#include "plan.h"

#include <string.h>

/* Words that rule out calls, and why. */
struct forbidding_word {
	const char *word, *reason;
};

#define EVALUATED "it may have to be evaluated at compile time"
#define REFUSED   "its attribute no_instrument_function forbids it"
#define FRAMELESS "it is naked: it has no frame"
#define INLINED   "it is gnu_inline: it exists only where it is inlined"
#define SUSPENDED "a coroutine: it may go on in another thread"

/* ... in a definition, before its body, ... */
static const struct forbidding_word of_declaration[] = {
    {"constexpr", EVALUATED},
    {"consteval", EVALUATED},
    {"no_instrument_function", REFUSED},
    {"__no_instrument_function__", REFUSED},
    {"naked", FRAMELESS},
    {"__naked__", FRAMELESS},
    {"gnu_inline", INLINED},
    {"__gnu_inline__", INLINED},
};

/* ... and in a C++ body. */
static const struct forbidding_word of_body[] = {
    {"co_await", SUSPENDED},
    {"co_yield", SUSPENDED},
    {"co_return", SUSPENDED},
};

/* The reason of the first such word in [begin, end), or NULL. */
static const char *forbidding_reason(const struct unit *unit, size_t begin, size_t end,
    const struct forbidding_word *words, size_t word_count)
{
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, unit->input->text, end, begin);
	lexer.line_start = false;
	while ((token = lexer_next(&lexer)).kind != TOKEN_END)
		for (size_t i = 0; i < word_count; i++)
			if (token_is(&lexer, &token, words[i].word))
				return words[i].reason;
	return NULL;
}

/*
 * Does an ifunc attribute in the text name this function? Then the dynamic linker calls the
 * function before any symbol is bound.
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

/*
 * Why the function cannot contain calls, or NULL. `ifuncs`: the text contains an ifunc attribute.
 */
static const char *find_reason_against(
    struct unit *unit, const struct function_body *function, bool ifuncs)
{
	const char *reason = forbidding_reason(unit, function->begin, function->body,
	    of_declaration, sizeof of_declaration / sizeof *of_declaration);

	if (reason == NULL && unit->input->cplusplus)
		reason = forbidding_reason(
		    unit, function->body, function->end, of_body, sizeof of_body / sizeof *of_body);
	if (reason != NULL)
		return reason;
	if (ifuncs && is_resolver(unit, function))
		return "it resolves an ifunc, before symbols are bound";
	if (is_device_function(unit, function->name))
		return "inside 'declare target': not host code";
	if (block_declarations(unit->input->text, function->end, function->body) == 0)
		return "its body does not begin with a brace of its own";
	return find_surrounding_reason(unit, function->body + 1);
}

/* The reason if the user excludes this function, or NULL. */
static const char *find_exclusion(const struct unit *unit, const struct filter *filter,
    const struct plan_ranges *ranges, const struct function_body *function)
{
	if (ranges->uninstrumented)
		return "inside 'noinstrument'";
	if (scan_is_written(&unit->scan, function->begin))
		return WRITTEN_BY_OMPINST;
	if (!filter_takes_file(filter, scan_place(&unit->scan, function->body).file) ||
	    !filter_takes_function(filter, function->name, function->signature, function->mangled))
		return "the filter excludes it";
	return NULL;
}

static void emit_function(struct unit *unit, const struct function_body *function)
{
	struct inst_buffer code = {.arena = unit->arena};
	struct inst_pragma here = {.begin = function->begin, .end = function->body, .words = ""};
	size_t at = block_declarations(unit->input->text, function->end, function->body);
	size_t descriptor = add_descriptor(
	    unit, construct_name(CONSTRUCT_REGION), function->name, &here, NULL, function->end);

	unit->descriptors[descriptor].begin_last = scan_place(&unit->scan, function->body).line;
	unit->descriptors[descriptor].external =
	    function->in_inline && (!unit->input->cplusplus || unit->module);
	unit->descriptors[descriptor].first_use = function->body;
	unit->descriptors[descriptor].last_use = function->body;
	name_descriptor(unit, descriptor, construct_name(CONSTRUCT_FUNCTION));
	if (unit->includes_header)
		buffer_format(&code, "POMP_FUNCTION(%s);", unit->descriptors[descriptor].variable);
	else
		buffer_format(&code,
		    "__attribute__((__cleanup__(%s_exit))) void *%s = %s_enter(%s);", unit->array,
		    local_name(unit, "function", at, descriptor), unit->array,
		    descriptor_address(unit, descriptor));
	edit_add(unit->arena, &unit->edits,
	    (struct edit){EDIT_FUNCTION, at, at, function->body, code.data,
		.anchor = skip_blanks(unit->input->text, unit->input->length, at, true)});
	unit->function_count++;
	unit->array_external |= unit->descriptors[descriptor].external;
}

/* Decides what becomes of one function and adds it to the report. */
static void instrument_function(struct unit *unit, const struct function_body *function,
    const struct filter *filter, const struct plan_ranges *ranges, bool ifuncs)
{
	static const struct inst_part calls = {"function", "pomp_begin pomp_end", "", "", ""};
	struct inst_place place = scan_place(&unit->scan, function->begin);
	struct reported_function *reported;
	struct inst_construct *noted;
	const char *exclusion, *against;

	if (*scan_place(&unit->scan, function->body).flags == '3')
		return; /* in a system header, which the user does not want in the report */
	exclusion = find_exclusion(unit, filter, ranges, function);
	against = ranges->device > 0 ? "inside 'declare target': not host code"
				     : find_reason_against(unit, function, ifuncs);
	reported = ARENA_ADD(
	    unit->arena, unit->reported_functions, unit->reported_count, unit->reported_room);
	reported->begin = function->begin;
	noted = &reported->construct;
	*noted = (struct inst_construct){INST_INSTRUMENTED, "function", function->name,
	    against != NULL ? against : exclusion, place.file, place.line, place.column, NULL, 0};
	if (against != NULL) {
		noted->status = INST_PASSED;
	} else if (exclusion != NULL) {
		noted->status = INST_DISABLED;
	} else {
		noted->parts = &calls;
		noted->part_count = 1;
		emit_function(unit, function);
	}
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
		if (i == 0 || location->functions[i - 1].body != function->body)
			instrument_function(unit, function, &filter, &ranges, ifuncs);
	}
	if (unit->function_count > 0) {
		declare_call(unit, "begin", false, 1);
		declare_call(unit, "end", false, 1);
	}
}
