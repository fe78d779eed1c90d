/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a construct into edits: what its rows of the directive table say, around and inside the
 * user's statement. Knows how calls, braces and pragmas nest, and nothing of OpenMP beyond the
 * columns of the table.
 *
 * Every construct becomes one statement again, `{ ... }`, so that it may stand behind `if`, `else`
 * or a label as before.
 */
#include "lexer.h"
#include "unit.h"

#include <string.h>

/* One unit of a directive on its way: what its opening emits and its closing needs. */
struct unit_calls {
	const struct directive *leaf; /* the row whose calls are emitted, NULL for none */
	size_t descriptor;
	const char *handle; /* the handle's variable, NULL for none */
	bool braced;        /* the body got braces of its own */
	bool adds_nowait;   /* the implicit barrier is removed ... */
	bool adds_barrier;  /* ... and an explicit one measured instead */
};

static bool is_enabled(const struct unit *unit, const struct directive *leaf)
{
	return leaf->group != NULL && (unit->options->disabled & directive_group(leaf->group)) == 0;
}

/* The name of a critical section; "" for the others. */
static const char *sub_name_of(struct inst_arena *arena, const struct construct *construct)
{
	const struct clause *argument = find_clause(&construct->clauses, "");
	const char *name;
	size_t length;

	if (argument == NULL || argument->arguments == NULL ||
	    !directive_has(&construct->use, "critical"))
		return "";
	name = argument->arguments + strspn(argument->arguments, " \t");
	length = strlen(name);
	while (length > 0 && strchr(" \t", name[length - 1]) != NULL)
		length--;
	return arena_copy(arena, name, length);
}

static void add_barrier(struct unit *unit, struct inst_buffer *code, size_t descriptor)
{
	add_call(unit, code, "barrier_enter", descriptor, NULL, false);
	buffer_add_string(code, "\n#pragma omp barrier\n");
	add_call(unit, code, "barrier_exit", descriptor, NULL, false);
}

/* What `enter` is called with, its handle's variable included. */
static void open_unit(struct unit *unit, struct construct *construct, struct unit_calls *calls,
    struct inst_buffer *code)
{
	const struct directive *leaf = calls->leaf;

	calls->descriptor = add_descriptor(unit, leaf->name, sub_name_of(unit->arena, construct),
	    construct->pragma, NULL, construct->end);
	if (leaf->body == BODY_SECTIONS)
		unit->descriptors[calls->descriptor].section_count = construct->section_count;
	if (leaf->enter == NULL)
		return;
	buffer_add_string(code, "{ ");
	if (leaf->handle != NULL) {
		calls->handle =
		    arena_format(unit->arena, "__pomp_%s%zu", leaf->handle, calls->descriptor);
		buffer_format(code, "__extension__ unsigned long long %s = ", calls->handle);
	}
	add_call(unit, code, leaf->enter, calls->descriptor, NULL, leaf->handle != NULL);
	buffer_add_string(code, "\n");
}

/* Can its default clause apply to variables of ours? */
static bool makes_data_environment(
    const struct construct *construct, const struct clause_unit *part)
{
	static const char *const names[] = {"parallel", "task", "taskloop", "teams"};

	for (size_t i = part->first_leaf; i < part->first_leaf + part->leaf_count; i++)
		for (size_t j = 0; j < sizeof names / sizeof *names; j++)
			if (strcmp(construct->use.leaves[i]->name, names[j]) == 0)
				return true;
	return false;
}

static void add_pragma_line(struct unit *unit, const struct construct *construct,
    const struct clause_unit *part, const struct unit_calls *calls, bool share_array,
    struct inst_buffer *code)
{
	buffer_add_string(code, "#pragma omp");
	for (size_t i = 0; i < part->leaf_count; i++)
		buffer_format(code, " %s", construct->use.leaves[part->first_leaf + i]->name);
	buffer_add_string(code, part->clauses.data);
	if (calls->adds_nowait)
		buffer_add_string(code, " nowait");
	if (calls->handle != NULL)
		buffer_format(code, " firstprivate(%s)", calls->handle);
	if (share_array)
		buffer_format(code, " shared(%s)", unit->array);
}

/*
 * The row whose calls a unit gets: its first. One that stays whole has nothing inside, so the
 * threads of its parallel cannot tell of themselves; its work-sharing is measured by who meets it.
 */
static const struct directive *called_leaf(
    const struct construct *construct, const struct clause_unit *part)
{
	const struct directive *const *leaf = &construct->use.leaves[part->first_leaf];

	for (size_t i = 1; construct->split.whole && i < part->leaf_count; i++)
		if (leaf[i]->wait == WAIT_UNLESS_NOWAIT)
			return leaf[i];
	return *leaf;
}

/*
 * The implicit barrier of a work-sharing construct in a taskgroup or scope is one that `cancel
 * parallel` releases threads from; an explicit one is that only directly in the parallel (gcc).
 */
static bool waits_for_cancel(const struct construct *construct)
{
	const struct construct *around = construct->parent;

	if (construct->split.unit_count > 1)
		return false; /* its own parallel */
	while (around != NULL &&
	       (directive_has(&around->use, "taskgroup") || directive_has(&around->use, "scope")))
		around = around->parent;
	return around != NULL && around != construct->parent && around->cancelled;
}

/*
 * Decides which calls a unit gets. Directly inside a unit whose own barrier is measured, one
 * barrier is enough.
 */
static struct unit_calls plan_unit(const struct unit *unit, const struct construct *construct,
    const struct clause_unit *part, const struct unit_calls *outer, bool instrumented)
{
	struct unit_calls calls = {.leaf = called_leaf(construct, part)};

	if (!instrumented || !is_enabled(unit, calls.leaf)) {
		calls.leaf = NULL;
		return calls;
	}
	if (calls.leaf->wait == WAIT_INSIDE) {
		calls.adds_barrier = true;
	} else if (calls.leaf->wait == WAIT_UNLESS_NOWAIT) {
		calls.adds_nowait = find_clause(&construct->clauses, "nowait") == NULL &&
				    !clauses_keep_wait(&construct->clauses) &&
				    !construct->cancelled && !waits_for_cancel(construct);
		calls.adds_barrier = calls.adds_nowait && !(outer != NULL && outer->leaf != NULL &&
							      outer->leaf->wait == WAIT_INSIDE);
	}
	return calls;
}

static void close_unit(struct unit *unit, const struct unit_calls *calls, struct inst_buffer *code)
{
	const struct directive *leaf = calls->leaf;

	if (leaf != NULL && leaf->wait == WAIT_INSIDE)
		add_barrier(unit, code, calls->descriptor);
	if (leaf != NULL && leaf->end != NULL)
		add_call(unit, code, leaf->end, calls->descriptor,
		    leaf->handle_uses & HANDLE_END ? calls->handle : NULL, false);
	if (calls->braced)
		buffer_add_string(code, " }");
	if (leaf == NULL || leaf->exit == NULL)
		return;
	if (leaf->wait == WAIT_UNLESS_NOWAIT && calls->adds_barrier)
		add_barrier(unit, code, calls->descriptor);
	add_call(unit, code, leaf->exit, calls->descriptor,
	    leaf->handle_uses & HANDLE_EXIT ? calls->handle : NULL, false);
	buffer_add_string(code, " }");
}

/* Keeps for the report what a unit became. */
static void note_part(struct unit *unit, struct construct *construct,
    const struct clause_unit *part, const struct unit_calls *calls)
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
	    part->clauses.data ? part->clauses.data + strspn(part->clauses.data, " ") : ""};
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

static void add_edit(struct unit *unit, enum edit_kind kind, size_t begin, size_t end, size_t order,
    const struct inst_buffer *code)
{
	if (code->length > 0)
		edit_add(
		    unit->arena, &unit->edits, (struct edit){kind, begin, end, order, code->data});
}

/* Code that stands in the sections before the first `section` is a section, too. */
static void emit_implicit_section(struct unit *unit, struct construct *sections)
{
	const struct inst_input *input = unit->input;
	size_t brace =
	    sections->pragma->next + (input->text[sections->pragma->next] == '{' ? 1 : 2);
	size_t end = sections->first_section != NULL
			 ? sections->first_section->pragma->begin
			 : sections->end - (input->text[sections->end - 1] == '>' ? 2 : 1);
	struct inst_pragma here = {.begin = brace, .end = brace, .next = brace, .words = ""};
	struct inst_buffer open = {.arena = unit->arena}, close = {.arena = unit->arena};
	struct lexer lexer;
	struct token token;
	size_t descriptor, order = (size_t)(sections - unit->constructs);

	lexer_init(&lexer, input->text, end, brace);
	lexer.line_start = false;
	do
		token = lexer_next(&lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	here.begin = token.begin;
	here.end = token.begin;
	descriptor = add_descriptor(unit, "section", "", &here, NULL, end);
	buffer_add_string(&open, "{ ");
	add_call(unit, &open, "section_begin", descriptor, NULL, false);
	add_call(unit, &close, "section_end", descriptor, NULL, false);
	buffer_add_string(&close, " }");
	add_edit(unit, EDIT_OPEN, brace, brace, order, &open);
	add_edit(unit, EDIT_CLOSE, end, end, order, &close);
}

static void open_part(struct unit *unit, struct construct *construct,
    const struct clause_split *split, size_t index, struct unit_calls *calls, bool *share_array,
    struct inst_buffer *code)
{
	const struct clause_unit *part = &split->units[index];
	bool share = *share_array && makes_data_environment(construct, part);
	bool last = index + 1 == split->unit_count;

	if (calls->leaf != NULL)
		open_unit(unit, construct, calls, code);
	add_pragma_line(unit, construct, part, calls, share, code);
	if (share)
		*share_array = false;
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

/* An attribute that stands alone is followed by an empty statement's `;`, which goes with it. */
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
	    (size_t)(construct - unit->constructs), &code);
}

/* What opens stands in an #if of the user's, what closes does not: both are there, or none. */
static void tie_together(
    struct unit *unit, size_t order, struct inst_buffer *open, struct inst_buffer *close)
{
	const char *name = arena_format(unit->arena, "%s_in%zu", unit->array, order);
	const char *opening = open->data, *closing = close->data;

	*open = *close = (struct inst_buffer){.arena = unit->arena};
	buffer_format(open, "#define %s\n%s", name, opening);
	buffer_format(close, "#ifdef %s\n%s\n#endif", name, closing);
}

void emit_construct(struct unit *unit, struct construct *construct)
{
	const struct inst_pragma *pragma = construct->pragma;
	bool instrumented = construct->status == INST_INSTRUMENTED;
	size_t order = (size_t)(construct - unit->constructs);
	const struct clause_split *split = &construct->split;
	struct unit_calls calls[MAX_UNITS];
	struct inst_buffer open = {.arena = unit->arena}, close = {.arena = unit->arena};
	bool share_array = clauses_restrict_default(&construct->clauses);

	construct->parts =
	    arena_allocate(unit->arena, split->unit_count * sizeof *construct->parts);
	if (split->condition != NULL)
		buffer_format(&open, "{ int %s = (%s) ? 1 : 0;\n", construct->condition_name,
		    split->condition);
	for (size_t i = 0; i < split->unit_count; i++) {
		calls[i] = plan_unit(
		    unit, construct, &split->units[i], i > 0 ? &calls[i - 1] : NULL, instrumented);
		open_part(unit, construct, split, i, &calls[i], &share_array, &open);
		note_part(unit, construct, &split->units[i], &calls[i]);
	}
	for (size_t i = split->unit_count; i-- > 0;)
		close_unit(unit, &calls[i], &close);
	if (split->condition != NULL)
		buffer_add_string(&close, " }");
	if (construct->end <= pragma->end) { /* stands alone */
		if (close.length > 0) {
			buffer_add_string(&open, "\n");
			buffer_add(&open, close.data, close.length);
		}
		add_edit(
		    unit, EDIT_REPLACE, pragma->begin, replaced_end(unit, construct), order, &open);
		return;
	}
	if (close.length > 0 && leaves_conditional(unit, construct))
		tie_together(unit, order, &open, &close);
	add_edit(unit, EDIT_REPLACE, pragma->begin, pragma->end, order, &open);
	add_edit(unit, EDIT_CLOSE, construct->end, construct->end, order, &close);
	if (instrumented && construct->implicit_section &&
	    (unit->options->disabled & directive_group("sections")) == 0)
		emit_implicit_section(unit, construct);
}
