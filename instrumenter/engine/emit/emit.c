/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a construct into edits: the calls that its rows of the directive table name, around and
 * inside the user's statement. This file knows how calls, braces and pragmas nest, and nothing of
 * OpenMP beyond the columns of the table.
 *
 * Every construct becomes one statement again, `{ ... }`, so that it may still follow `if`, `else`
 * or a label.
 */
#include "emit.h"

#include "calls.h"
#include "extent.h"
#include "lexer.h"
#include "added-names.h"

#include <string.h>

/* One part of a directive while it is emitted: what its opening emits and its closing needs. */
struct part_calls {
	const struct directive *leaf; /* the row whose calls are emitted, NULL for none */
	size_t descriptor;
	const char *handle;   /* the handle's variable, NULL for none */
	const char *schedule; /* of a loop whose schedule may change: a variable, NULL for none */
	bool braced;          /* the body got braces of its own */
	bool adds_nowait;     /* the implicit barrier is removed ... */
	bool adds_barrier;    /* ... and an explicit one measured instead */
};

static bool is_enabled(const struct unit *unit, const struct directive *leaf)
{
	return leaf->group != 0 && (unit->options->disabled & leaf->group) == 0;
}

/* The name of a critical section; "" for any other construct. */
static const char *sub_name_of(struct inst_arena *arena, const struct construct *construct)
{
	const struct clause *argument = find_clause(&construct->clauses, "");
	const char *name;
	size_t length;

	if (argument == NULL || argument->arguments == NULL ||
	    !directive_has(&construct->use, CONSTRUCT_CRITICAL))
		return "";
	name = argument->arguments + strspn(argument->arguments, " \t");
	length = strlen(name);
	while (length > 0 && strchr(" \t", name[length - 1]) != NULL)
		length--;
	return arena_copy(arena, name, length);
}

static void add_barrier(struct unit *unit, struct inst_buffer *code, size_t descriptor)
{
	const struct directive *barrier = directive_of(CONSTRUCT_BARRIER);

	add_call(unit, code, barrier->enter, descriptor, NULL, false);
	buffer_format(code, "\n#pragma omp %s\n", barrier->name);
	add_call(unit, code, barrier->exit, descriptor, NULL, false);
}

/* Adds a descriptor and names its variable. */
static size_t add_named_descriptor(struct unit *unit, const struct construct *construct,
    enum construct_id id, const char *sub_name, const struct inst_pragma *begin, size_t end)
{
	const char *name = construct_name(id);
	size_t index = add_descriptor(unit, name, sub_name, begin, NULL, end);
	struct descriptor *descriptor = &unit->descriptors[index];

	descriptor->external = construct->located->in_inline && !unit->input->cplusplus;
	if (id == CONSTRUCT_SECTIONS)
		descriptor->section_count = construct->section_count;
	name_descriptor(unit, index, name);
	return index;
}

static const char *handle_type(const struct unit *unit)
{
	return unit->includes_header ? "pomp_handle" : "__extension__ unsigned long long";
}

/* Adds the call of `enter` and the variable for the handle that it returns. */
static void add_enter(struct unit *unit, const struct part_calls *calls, struct inst_buffer *code)
{
	const struct directive *leaf = calls->leaf;

	if (leaf->enter == NULL)
		return;
	buffer_add_string(code, "{ ");
	if (leaf->handle != NULL)
		buffer_format(code, "%s %s = ", handle_type(unit), calls->handle);
	add_call(unit, code, leaf->enter, calls->descriptor, NULL, leaf->handle != NULL);
	buffer_add_string(code, "\n");
}

/* Adds the call in front of a loop whose schedule may change. */
static void add_schedule(struct unit *unit, const struct construct *construct,
    const struct part_calls *calls, struct inst_buffer *code)
{
	const struct loop_schedule *written = &construct->schedule;

	buffer_format(code, "%s %s = ", handle_type(unit), calls->schedule);
	add_schedule_call(unit, code, calls->descriptor, written->kind, written->chunk);
	buffer_add_string(code, "\n");
}

/* Can the part's default clause apply to variables that the engine adds? */
static bool makes_data_environment(
    const struct construct *construct, const struct directive_part *part)
{
	for (size_t i = part->first_leaf; i < part->first_leaf + part->leaf_count; i++)
		if (construct->use.leaves[i]->owns_data)
			return true;
	return false;
}

/*
 * A comment of the user's at the end of the directive's line, with a blank in front; "" if there is
 * none. The compiler's text has no comments.
 */
static const char *trailing_comment(const struct unit *unit, const struct inst_pragma *pragma)
{
	const struct inst_input *input = unit->input;
	const char *text = input->text;
	size_t end = pragma->end, at;

	if (input->form != INST_SOURCE || !pragma->whole_lines)
		return "";
	while (end > pragma->begin && strchr(" \t\r\n", text[end - 1]) != NULL)
		end--;
	for (at = scan_line_start(&unit->scan, end - 1); at + 1 < end; at++)
		if (text[at] == '/' && skip_blanks(text, end, at, false) == end)
			return arena_format(unit->arena, " %.*s", (int)(end - at), text + at);
		else if (strchr("\"'", text[at]) != NULL)
			break; /* the rest may be part of a literal */
	return "";
}

static void add_pragma_line(const struct construct *construct, const struct directive_part *part,
    const struct part_calls *calls, const char *shared, struct inst_buffer *code)
{
	buffer_add_string(code, "#pragma omp");
	for (size_t i = 0; i < part->leaf_count; i++)
		buffer_format(code, " %s", construct->use.written[part->first_leaf + i]);
	buffer_add_string(code, part->clauses.data);
	if (calls->adds_nowait)
		buffer_add_string(code, " nowait");
	if (calls->handle != NULL)
		buffer_format(code, " firstprivate(%s)", calls->handle);
	if (*shared != '\0')
		buffer_format(code, " shared(%s)", shared);
}

/*
 * Returns the row whose calls a part gets, which is its first. A directive that stays whole has no
 * calls inside: the threads of its parallel region record nothing themselves, and the encountering
 * thread measures it.
 */
static const struct directive *called_leaf(
    const struct construct *construct, const struct directive_part *part)
{
	return construct->split.whole ? directive_around(&construct->use)
				      : construct->use.leaves[part->first_leaf];
}

/*
 * `cancel parallel` releases threads from the implicit barrier of a work-sharing construct inside a
 * taskgroup or scope. With gcc, it releases them from an explicit barrier only if that barrier
 * stands directly in the parallel region.
 */
static bool waits_for_cancel(const struct construct *construct)
{
	const struct construct *around = construct->parent;

	if (construct->split.part_count > 1)
		return false; /* it contains its own parallel */
	while (around != NULL && (directive_has(&around->use, CONSTRUCT_TASKGROUP) ||
				     directive_has(&around->use, CONSTRUCT_SCOPE)))
		around = around->parent;
	return around != NULL && around != construct->parent && around->cancelled;
}

/*
 * Decides which calls a part gets. A part directly inside one whose barrier is measured needs no
 * barrier of its own.
 */
static struct part_calls plan_part(const struct unit *unit, const struct construct *construct,
    const struct directive_part *part, const struct part_calls *outer, bool instrumented)
{
	struct part_calls calls = {.leaf = called_leaf(construct, part)};

	if (!instrumented || !is_enabled(unit, calls.leaf)) {
		calls.leaf = NULL;
		return calls;
	}
	if (calls.leaf->wait == WAIT_INSIDE) {
		calls.adds_barrier = true;
	} else if (calls.leaf->wait == WAIT_UNLESS_NOWAIT) {
		calls.adds_nowait = find_clause(&construct->clauses, "nowait") == NULL &&
				    !construct->split.whole &&
				    !clauses_keep_wait(&construct->clauses) &&
				    !construct->cancelled && !waits_for_cancel(construct);
		calls.adds_barrier = calls.adds_nowait && !(outer != NULL && outer->leaf != NULL &&
							      outer->leaf->wait == WAIT_INSIDE);
	}
	return calls;
}

static void close_brace(struct inst_buffer *code)
{
	buffer_add_string(
	    code, code->length > 0 && code->data[code->length - 1] != '\n' ? " }" : "}");
}

static void close_part(struct unit *unit, const struct part_calls *calls, struct inst_buffer *code)
{
	const struct directive *leaf = calls->leaf;

	if (leaf != NULL && leaf->wait == WAIT_INSIDE)
		add_barrier(unit, code, calls->descriptor);
	if (leaf != NULL && leaf->end != NULL)
		add_call(unit, code, leaf->end, calls->descriptor,
		    leaf->handle_uses & HANDLE_END ? calls->handle : NULL, false);
	if (calls->braced)
		close_brace(code);
	if (leaf == NULL || leaf->exit == NULL)
		return;
	if (calls->schedule != NULL)
		add_schedule_end(unit, code, calls->schedule);
	if (leaf->wait == WAIT_UNLESS_NOWAIT && calls->adds_barrier)
		add_barrier(unit, code, calls->descriptor);
	add_call(unit, code, leaf->exit, calls->descriptor,
	    leaf->handle_uses & HANDLE_EXIT ? calls->handle : NULL, false);
	close_brace(code);
}

/* Adds to the report what became of a part. */
static void note_part(struct unit *unit, struct construct *construct,
    const struct directive_part *part, const struct part_calls *calls)
{
	struct inst_buffer name = {.arena = unit->arena}, names = {.arena = unit->arena};
	const struct directive *leaf = calls->leaf;
	struct inst_part *noted = &construct->parts[construct->part_count++];

	for (size_t i = 0; i < part->leaf_count; i++)
		buffer_format(&name, "%s%s", i > 0 ? " " : "",
		    construct->use.leaves[part->first_leaf + i]->name);
	for (size_t i = 0; leaf != NULL && i < 4; i++) {
		const char *call =
		    (const char *[]){leaf->enter, leaf->begin, leaf->end, leaf->exit}[i];
		if (call != NULL)
			buffer_format(&names, "%spomp_%s", names.length > 0 ? " " : "", call);
	}
	*noted = (struct inst_part){name.data, names.data ? names.data : "", "",
	    part->clauses.data ? part->clauses.data + strspn(part->clauses.data, " ") : "", ""};
	if (leaf != NULL && leaf->id == CONSTRUCT_FOR && construct->schedule_problem != NULL)
		noted->schedule = construct->schedule_problem;
	if (leaf == NULL || leaf->wait == WAIT_NEVER)
		return;
	if (leaf->wait == WAIT_INSIDE)
		noted->wait = "measured by a barrier before its own";
	else if (calls->adds_barrier)
		noted->wait = "nowait and a measured barrier in place of its own";
	else if (calls->adds_nowait)
		noted->wait = "nowait, as the measured barrier around it follows";
	else if (find_clause(&construct->clauses, "nowait") != NULL)
		noted->wait = "none, by its nowait clause";
	else
		noted->wait = "stays as it is and counts as its own time";
}

/* The indentation is that of the line at `anchor`. */
static void add_edit(struct unit *unit, enum edit_kind kind, size_t begin, size_t end, size_t order,
    const struct inst_buffer *code, size_t anchor)
{
	if (code->length > 0)
		edit_add(unit->arena, &unit->edits,
		    (struct edit){kind, begin, end, order, code->data, .anchor = anchor});
}

/* Code before the first `section` of a sections construct is a section, too. */
struct implicit_section {
	size_t brace; /* after the brace that opens the sections */
	size_t begin,
	    end; /* its first token; the first `section`, or the brace that closes the sections */
};

static struct implicit_section find_implicit_section(
    const struct unit *unit, const struct construct *sections)
{
	const char *text = unit->input->text;
	struct implicit_section found = {
	    .brace = sections->pragma->next + (text[sections->pragma->next] == '{' ? 1 : 2),
	    .end = sections->first_section != NULL
		       ? sections->first_section->pragma->begin
		       : sections->end - (text[sections->end - 1] == '>' ? 2 : 1)};
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, text, found.end, found.brace);
	lexer.line_start = false;
	do
		token = lexer_next(&lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	found.begin = token.begin;
	return found;
}

static bool has_implicit_section(const struct unit *unit, const struct construct *construct)
{
	return construct->status == INST_INSTRUMENTED && construct->implicit_section &&
	       is_enabled(unit, directive_of(CONSTRUCT_SECTION));
}

static void emit_implicit_section(struct unit *unit, const struct construct *sections)
{
	struct implicit_section section = find_implicit_section(unit, sections);
	struct inst_buffer open = {.arena = unit->arena}, close = {.arena = unit->arena};
	size_t descriptor = sections->section_descriptor;
	size_t order = (size_t)(sections - unit->constructs);

	buffer_add_string(&open, "{ ");
	add_call(unit, &open, directive_of(CONSTRUCT_SECTION)->begin, descriptor, NULL, false);
	add_remark(unit, &open, "first section");
	add_call(unit, &close, directive_of(CONSTRUCT_SECTION)->end, descriptor, NULL, false);
	buffer_add_string(&close, " }");
	add_remark(unit, &close, "end of first section");
	add_edit(unit, EDIT_OPEN, section.brace, section.brace, order, &open, section.begin);
	add_edit(unit, EDIT_CLOSE, section.end, section.end, order, &close, section.begin);
}

void plan_calls(struct unit *unit, struct construct *construct)
{
	const struct clause_split *split = &construct->split;
	bool instrumented = construct->status == INST_INSTRUMENTED;

	construct->calls =
	    arena_allocate(unit->arena, (split->part_count + 1) * sizeof *construct->calls);
	for (size_t i = 0; i < split->part_count; i++) {
		struct part_calls *calls = &construct->calls[i];

		*calls = plan_part(unit, construct, &split->parts[i],
		    i > 0 ? &construct->calls[i - 1] : NULL, instrumented);
		if (calls->leaf == NULL)
			continue;
		calls->descriptor = add_named_descriptor(unit, construct, calls->leaf->id,
		    sub_name_of(unit->arena, construct), construct->pragma, construct->end);
		if (calls->leaf->enter != NULL && calls->leaf->handle != NULL)
			calls->handle = local_name(
			    unit, calls->leaf->handle, construct->pragma->begin, calls->descriptor);
		if (calls->leaf->id == CONSTRUCT_FOR && construct->has_schedule)
			calls->schedule = local_name(
			    unit, "schedule", construct->pragma->begin, calls->descriptor);
	}
	if (has_implicit_section(unit, construct)) {
		struct implicit_section section = find_implicit_section(unit, construct);
		struct inst_pragma here = {
		    .begin = section.begin, .end = section.begin, .words = ""};

		construct->section_descriptor = add_named_descriptor(
		    unit, construct, CONSTRUCT_SECTION, "", &here, section.end);
	}
}

/* The part's clauses, with a call around the number of a clause if that may change. */
static struct directive_part part_with_grain(struct unit *unit, const struct construct *construct,
    const struct directive_part *part, const struct part_calls *calls)
{
	struct directive_part changed = *part;
	const struct clause *grain = construct->grain;
	const char *text = part->clauses.data;
	const char *at =
	    grain != NULL && text != NULL && calls->leaf != NULL &&
		    (calls->leaf->id == CONSTRUCT_TASKLOOP || calls->leaf->id == CONSTRUCT_TASK)
		? strstr(text, grain->text)
		: NULL;

	if (at == NULL)
		return changed;
	changed.clauses = (struct inst_buffer){.arena = unit->arena};
	buffer_add(&changed.clauses, text, (size_t)(at - text));
	buffer_format(&changed.clauses, "%s(%.*s", grain->name, (int)construct->grain_begin,
	    grain->arguments);
	add_grain_call(unit, &changed.clauses, calls->descriptor,
	    arena_format(unit->arena, "%.*s", (int)(construct->grain_end - construct->grain_begin),
		grain->arguments + construct->grain_begin),
	    calls->leaf->id == CONSTRUCT_TASK);
	buffer_format(&changed.clauses, "%s)%s", grain->arguments + construct->grain_end,
	    at + strlen(grain->text));
	return changed;
}

static void open_part(struct unit *unit, struct construct *construct,
    const struct clause_split *split, size_t index, bool share_array, struct inst_buffer *code)
{
	struct part_calls *calls = &construct->calls[index];
	const struct directive_part changed =
	    part_with_grain(unit, construct, &split->parts[index], calls);
	const struct directive_part *part = &changed;
	bool share = share_array && makes_data_environment(construct, part);
	bool last = index + 1 == split->part_count;

	if (calls->leaf != NULL)
		add_enter(unit, calls, code);
	if (calls->schedule != NULL)
		add_schedule(unit, construct, calls, code);
	add_pragma_line(
	    construct, part, calls, share ? list_descriptors(unit, construct) : "", code);
	if (last)
		buffer_add_string(code, trailing_comment(unit, construct->pragma));
	/* A loop must follow its directive; everything else may get braces. */
	calls->braced = !last || (calls->leaf != NULL && (calls->leaf->begin != NULL ||
							     calls->leaf->wait == WAIT_INSIDE));
	if (calls->braced)
		buffer_add_string(code, "\n{ ");
	if (calls->leaf != NULL && calls->leaf->begin != NULL)
		add_call(unit, code, calls->leaf->begin, calls->descriptor,
		    calls->leaf->handle_uses & HANDLE_BEGIN ? calls->handle : NULL, false);
	if (!last)
		buffer_add_string(code, "\n");
}

/* If an attribute stands alone, the `;` of an empty statement follows and is replaced with it. */
static size_t replaced_end(const struct unit *unit, const struct construct *construct)
{
	const struct inst_pragma *pragma = construct->pragma;
	const struct inst_input *input = unit->input;

	return pragma->attribute && construct->end <= pragma->end && pragma->next < input->length &&
		       input->text[pragma->next] == ';'
		   ? pragma->next + 1
		   : pragma->end;
}

void emit_unchanged(struct unit *unit, struct construct *construct)
{
	struct inst_buffer code = {.arena = unit->arena};

	buffer_format(&code, "#pragma omp %s", construct->pragma->words);
	add_edit(unit, EDIT_REPLACE, construct->pragma->begin, replaced_end(unit, construct),
	    (size_t)(construct - unit->constructs), &code, construct->pragma->begin);
}

/*
 * For a construct whose opening stands inside a user's #if and whose closing stands outside: the
 * closing code depends on a macro that the opening code defines, so that both are compiled or
 * neither.
 */
static void tie_together(struct unit *unit, size_t offset, size_t order, struct inst_buffer *open,
    struct inst_buffer *close)
{
	const char *name = macro_name(unit, offset, order);
	const char *opening = open->data, *closing = close->data;

	*open = *close = (struct inst_buffer){.arena = unit->arena};
	buffer_format(open, "#define %s\n%s", name, opening);
	buffer_format(close, "#ifdef %s\n%s\n#endif", name, closing);
}

void emit_construct(struct unit *unit, struct construct *construct)
{
	const struct inst_pragma *pragma = construct->pragma;
	size_t order = (size_t)(construct - unit->constructs);
	const struct clause_split *split = &construct->split;
	struct inst_buffer open = {.arena = unit->arena}, close = {.arena = unit->arena};
	bool share_array = clauses_restrict_default(&construct->clauses) &&
			   construct->use.leaves[0]->inside == NULL;

	construct->parts =
	    arena_allocate(unit->arena, split->part_count * sizeof *construct->parts);
	if (split->condition != NULL)
		buffer_format(&open, "{ int %s = (%s) ? 1 : 0;\n", construct->condition_name,
		    split->condition);
	for (size_t i = 0; i < split->part_count; i++) {
		open_part(unit, construct, split, i, share_array, &open);
		note_part(unit, construct, &split->parts[i], &construct->calls[i]);
	}
	for (size_t i = split->part_count; i-- > 0;)
		close_part(unit, &construct->calls[i], &close);
	if (split->condition != NULL)
		close_brace(&close);
	add_remark(unit, &open, "%s", construct->name);
	if (construct->end <= pragma->end) { /* stands alone */
		if (close.length > 0) {
			buffer_add_string(&open, "\n");
			buffer_add(&open, close.data, close.length);
		}
		add_edit(unit, EDIT_REPLACE, pragma->begin, replaced_end(unit, construct), order,
		    &open, pragma->begin);
		return;
	}
	add_remark(unit, &close, "end of %s, line %d", construct->name,
	    scan_place(&unit->scan, pragma->begin).line);
	if (close.length > 0 && leaves_conditional(unit, construct))
		tie_together(unit, pragma->begin, order, &open, &close);
	add_edit(unit, EDIT_REPLACE, pragma->begin, pragma->end, order, &open, pragma->begin);
	add_edit(unit, EDIT_CLOSE, construct->end, construct->end, order, &close, pragma->begin);
	if (has_implicit_section(unit, construct))
		emit_implicit_section(unit, construct);
}
