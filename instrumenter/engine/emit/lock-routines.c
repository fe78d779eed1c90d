/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces references to the lock routines with references to the library's counterparts. Only
 * names that libclang sees as references to OpenMP's routines are replaced: no members, labels or
 * declarations.
 */
#include "lock-routines.h"

#include "calls.h"
#include "directives.h"
#include "lexer.h"
#include "plan.h"

#include <string.h>

/*
 * The offset where a declaration can be added before the one at `begin`: after the end of the
 * previous declaration, because what lies between (attributes, extern "C") belongs to the one at
 * `begin`.
 */
static size_t declaration_gap(const struct unit *unit, size_t begin)
{
	const struct inst_input *input = unit->input;
	struct lexer lexer;
	struct token token;
	size_t gap = unit->scan.first_code;

	lexer_init(&lexer, input->text, begin, 0);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token.punctuator != 0 && strchr(";{}", token.punctuator) != NULL)
			gap = token.end;
		else if (token.kind == TOKEN_DIRECTIVE && input->form == INST_SOURCE &&
			 memmem(input->text + token.begin, token.end - token.begin, "pragma", 6) ==
			     NULL)
			gap = token.end < input->length ? token.end + 1 : token.end;
	}
	return gap;
}

void add_lock_references(const struct unit *unit, struct inst_buffer *code)
{
	const char *linkage = unit->input->cplusplus ? "extern \"C\" void" : "extern void";
	struct inst_buffer uses = {.arena = unit->arena};

	for (unsigned i = 0; i < LOCK_ROUTINE_COUNT; i++) {
		if ((unit->lock_routines & 1u << i) == 0)
			continue;
		if (unit->includes_header) {
			buffer_format(code, "POMP_REFER(%s);\n", lock_routine_names[i]);
			continue;
		}
		buffer_format(code, "%s __pomp_%s(void) __asm__(\"%s\")",
		    uses.length == 0 ? linkage : ",", lock_routine_names[i], lock_routine_names[i]);
		buffer_format(
		    &uses, " __asm__ volatile(\"\" : : \"r\"(__pomp_%s));", lock_routine_names[i]);
	}
	if (uses.length > 0)
		buffer_format(code,
		    ";\n__attribute__((__constructor__)) static void %s_locks(void)\n{%s }\n",
		    unit->array, uses.data);
}

/*
 * In instrumented source, a call becomes a call of pomp.h's function; any other use of a routine's
 * name needs a counterpart of the routine's type.
 */
static bool is_plain_call(const struct unit *unit, const struct lock_name *lock)
{
	const struct inst_input *input = unit->input;
	size_t next =
	    skip_blanks(input->text, input->length, lock->offset + strlen(lock->name), true);

	return unit->includes_header && next < input->length && input->text[next] == '(';
}

/* The name of the library's counterpart that has the routine's type. */
static const char *typed_name(const struct unit *unit, const char *routine)
{
	return arena_format(unit->arena, unit->includes_header ? "pomp_%s" : "__pomp_%s",
	    unit->includes_header ? routine : routine + 4);
}

/*
 * The library's counterpart of a lock routine is declared with the routine's own type, whatever
 * that is in this compiler's omp.h. Calls, addresses and initialisers then all work.
 */
void emit_locks(struct unit *unit)
{
	const struct location_result *location = &unit->location;
	struct inst_buffer code = {.arena = unit->arena};
	size_t gap;

	if (location->lock_declaration == 0 ||
	    (unit->options->disabled & DIRECTIVE_GROUP(GROUP_LOCK)) != 0)
		return;
	for (size_t j = 0; j < location->lock_count; j++)
		if (scan_is_written(&unit->scan, location->locks[j].offset) ||
		    find_surrounding_reason(unit, location->locks[j].offset) != NULL)
			location->locks[j].confirmed = false;
	for (unsigned i = 0; i < LOCK_ROUTINE_COUNT; i++) {
		bool used = false, typed = false;

		for (size_t j = 0; j < location->lock_count; j++)
			if (location->locks[j].confirmed &&
			    location->locks[j].name == lock_routine_names[i]) {
				used = true;
				typed |= !is_plain_call(unit, &location->locks[j]);
			}
		if (used)
			unit->lock_routines |= 1u << i;
		if (typed)
			buffer_format(&code,
			    "%sextern __typeof__(%s) %s "
			    "__asm__(\"__pomp_%s\");",
			    code.length > 0 ? "\n" : "", lock_routine_names[i],
			    typed_name(unit, lock_routine_names[i]), lock_routine_names[i] + 4);
	}
	if (code.length > 0) {
		gap = declaration_gap(unit, location->lock_declaration);
		edit_add(unit->arena, &unit->edits,
		    (struct edit){EDIT_OPEN, gap, gap, 0, code.data, .anchor = gap});
	}
	for (size_t j = 0; j < location->lock_count; j++) {
		const struct lock_name *lock = &location->locks[j];

		if (lock->confirmed)
			edit_add(unit->arena, &unit->edits,
			    (struct edit){EDIT_WORD, lock->offset,
				lock->offset + strlen(lock->name), 0,
				is_plain_call(unit, lock)
				    ? arena_format(unit->arena, "pomp_%s", lock->name + 4)
				    : typed_name(unit, lock->name)});
	}
}
