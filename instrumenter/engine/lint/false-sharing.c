/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops whose threads write different bytes of one line of memory, so that each write takes the
 * line from another thread: array elements by the thread's number, and members of one structure in
 * different sections. Only what the text shows: sizes of elements, not where an array begins, and
 * nothing of variables whose order in memory the linker decides.
 */
#include "array-access.h"
#include "checks.h"
#include "declared-type.h"
#include "fixes.h"
#include "lexer.h"

#include <string.h>

enum { LINE_BYTES = 64 };

static const struct tree *without_casts(const struct tree *node)
{
	while (node != NULL && node->kind == TREE_CAST && node->count == 1)
		node = node->children[0];
	return node;
}

static bool is_thread_call(const struct tree *node)
{
	node = without_casts(node);
	return node != NULL && node->kind == TREE_CALL && node->name != NULL &&
	       strcmp(node->name, "omp_get_thread_num") == 0;
}

/* The value that the event gives to its variable, or NULL. */
static const struct tree *value_of(const struct model_event *event)
{
	const struct tree *assignment = event->object->parent;

	if ((event->kind & EVENT_DECLARE) != 0)
		return event->name->count > 0 ? event->name->children[0] : NULL;
	return event->kind == EVENT_WRITE && assignment != NULL &&
		       assignment->kind == TREE_ASSIGN && strcmp(assignment->name, "=") == 0 &&
		       assignment->children[0] == event->object
		   ? assignment->children[1]
		   : NULL;
}

/* omp_get_thread_num(), or a private variable that gets no other value in the function. */
static bool is_thread_number(const struct model_function *function,
    const struct tree_construct *construct, const struct tree *index)
{
	const struct tree_variable *variable;
	bool set = false;

	index = without_casts(index);
	if (index == NULL || index->kind != TREE_NAME)
		return is_thread_call(index);
	variable = index->variable;
	if (variable == NULL || !variable->integer || variable->scope != SCOPE_LOCAL ||
	    variable->reference || variable->changing ||
	    model_sharing_of(construct, variable).attribute != ATTRIBUTE_PRIVATE)
		return false;
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];

		if (event->variable != variable || event->kind == EVENT_READ)
			continue;
		if (!is_thread_call(value_of(event)))
			return false;
		set = true;
	}
	return set;
}

static bool visit_inner(struct tree *node, void *context)
{
	bool *found = context;

	*found |=
	    node->kind == TREE_FOR || node->kind == TREE_WHILE || node->kind == TREE_DO ||
	    node->kind == TREE_RANGE || node->kind == TREE_LAMBDA || node->kind == TREE_GOTO ||
	    (node->kind == TREE_CONSTRUCT && !construct_has(node->construct, CONSTRUCT_BIT(SIMD)));
	return !*found;
}

/*
 * Is the write in the body of an innermost loop inside of the node, so that it is executed often? A
 * write that the loop leaves afterwards, or a condition decides about, is not, except for counts.
 */
static bool is_often(const struct model_event *event, const struct tree *upto)
{
	const struct tree *body = event->name, *loop;
	bool inner = false;

	while (body != upto && body->parent != NULL && body->parent->kind != TREE_FOR &&
	       body->parent->kind != TREE_WHILE && body->parent->kind != TREE_DO &&
	       body->parent->kind != TREE_RANGE) {
		if (body->kind == TREE_BLOCK && lint_has_jump((struct tree *)body))
			return false;
		body = body->parent;
	}
	loop = body->parent;
	if (body == upto || loop == NULL || !tree_holds(upto, loop) || body->kind != TREE_BLOCK)
		return false;
	model_visit((struct tree *)body, visit_inner, &inner);
	return !inner &&
	       ((event->kind & EVENT_READ) != 0 || !model_is_conditional(event->name, body));
}

/* May only some threads of the region execute the node, as a condition of their number says? */
static bool is_chosen(
    const struct model_function *function, const struct tree *node, const struct tree *region)
{
	for (; node != region && node->parent != NULL; node = node->parent)
		if (node->parent->kind == TREE_IF && node != node->parent->children[0] &&
		    model_is_of_thread(function, node->parent->children[0]))
			return true;
	return false;
}

/* The region in which each thread often writes its own element of the array, or NULL. */
static const struct tree_construct *region_of(
    const struct model_function *function, const struct model_event *event)
{
	const struct tree_variable *array = event->variable;
	const struct tree_construct *region =
	    lint_around(event->construct, CONSTRUCT_BIT(PARALLEL));
	struct lint_access access;

	return region != NULL && (event->kind & EVENT_WRITE) != 0 && event->element &&
		       (array->shape == SHAPE_ARRAY || array->shape == SHAPE_POINTER) &&
		       array->element > 0 && array->element * 2 <= LINE_BYTES &&
		       lint_read_access(event, &access) && access.indices[0] != NULL &&
		       !model_is_serial(region) &&
		       !model_has_between(event->construct, region, MODEL_EXCLUSIVE | LINT_TASKS) &&
		       model_sharing_of(event->construct, array).attribute == ATTRIBUTE_SHARED &&
		       is_thread_number(function, event->construct, access.indices[0]) &&
		       is_often(event, region->node) &&
		       !is_chosen(function, event->name, region->node)
		   ? region
		   : NULL;
}

/* The end of the text in which the name means the variable. */
static size_t end_of(const struct lint_unit *unit, const struct tree_variable *variable)
{
	return variable->scope == SCOPE_FILE || variable->scope_end == 0 ? unit->tree.input->length
									 : variable->scope_end;
}

/* How often the text has the name behind its declaration; 0 if a directive has it. */
static size_t count_words(const struct lint_unit *unit, const struct tree_variable *variable)
{
	const struct inst_input *input = unit->tree.input;
	struct lexer lexer;
	struct token token;
	size_t count = 0;

	lexer_init(&lexer, input->text, end_of(unit, variable), variable->offset);
	lexer.line_start = false;
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		struct lexer words = lexer;

		count += token_is(&lexer, &token, variable->name);
		if (token.kind != TOKEN_DIRECTIVE)
			continue;
		words.at = token.begin + 1;
		words.length = token.end;
		words.line_start = false;
		while ((token = lexer_next(&words)).kind != TOKEN_END)
			if (token_is(&words, &token, variable->name))
				return 0;
	}
	return count;
}

/* Is it `name[...];`, perhaps with `= {0}`, and no other variable in the declaration? */
static bool is_single(const struct lint_unit *unit, const struct tree_variable *variable)
{
	const struct inst_input *input = unit->tree.input;
	struct lexer lexer;
	struct token token;
	size_t depth = 0;
	char rest[8] = "";

	lexer_init(&lexer, input->text, input->length, variable->offset);
	lexer.line_start = false;
	lexer_next(&lexer);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		depth += token.punctuator == '[';
		if (depth == 0)
			break;
		depth -= token.punctuator == ']';
	}
	for (size_t i = 0; i + 1 < sizeof rest && (i == 0 || rest[i - 1] != ';');
	     i++, token = lexer_next(&lexer)) {
		rest[i] = token.punctuator != 0 ? (char)token.punctuator : input->text[token.begin];
		if (token.end - token.begin != 1)
			return false;
	}
	return strcmp(rest, ";") == 0 || strcmp(rest, "={0};") == 0 || strcmp(rest, "={};") == 0;
}

/* The elements that the line of the text has. */
struct line_elements {
	size_t words; /* uses of the array that are elements */
	bool other;   /* and some that are not */
};

static void add_elements(struct lint_unit *unit, struct lint_fixes *fixes,
    const struct model_function *function, const struct tree_variable *array,
    struct line_elements *elements)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct model_event *event = &function->events[i];
		const struct tree *element = event->name->parent;
		size_t in_line = 0, before = 0;

		if (event->variable != array || event->name->kind == TREE_VARIABLE)
			continue;
		elements->words++;
		elements->other |= element == NULL || element->kind != TREE_INDEX ||
				   element->children[0] != event->name ||
				   event->object != element || (event->kind & EVENT_ADDRESS) != 0;
		for (size_t j = 0; j < function->count; j++)
			if (function->events[j].variable == array &&
			    function->events[j].name->kind != TREE_VARIABLE &&
			    lint_line(unit, function->events[j].name) ==
				lint_line(unit, event->name)) {
				in_line++;
				before += j < i;
			}
		if (before == 0)
			lint_fix_elements(
			    unit, fixes, event->name, array->name, ".value", (int)in_line);
	}
}

/*
 * The array's elements become structures of a line each, if the array is the file's own and the
 * text only ever names its elements.
 */
static void fix_padding(struct lint_unit *unit, const struct model_function *function,
    const struct tree_variable *array, struct lint_fixes *fixes)
{
	const struct model_declaration declaration = model_declaration_of(&unit->tree, array);
	struct line_elements elements = {0, false};

	if (array->shape != SHAPE_ARRAY || array->reference || array->threadprivate ||
	    array->per_thread || array->scope == SCOPE_PARAMETER || declaration.type == NULL ||
	    !declaration.is_first || (array->scope == SCOPE_FILE && !declaration.is_static) ||
	    !is_single(unit, array)) {
		lint_fix_refuse(fixes);
		return;
	}
	lint_fix_words(unit, fixes, LINT_CHANGE_NOTHING, declaration.begin,
	    lint_text(unit, "%s %s[", declaration.type, array->name), "1");
	lint_fix_words(unit, fixes, LINT_CHANGE_WORDS, declaration.begin, declaration.type,
	    lint_text(unit, "struct { %s(%d) %s value; }",
		unit->tree.input->cplusplus ? "alignas" : "_Alignas", LINE_BYTES,
		declaration.type));
	for (size_t i = 0; i < unit->tree.function_count; i++)
		if (&unit->functions[i] == function || array->scope == SCOPE_FILE)
			add_elements(unit, fixes, &unit->functions[i], array, &elements);
	if (elements.other || count_words(unit, array) != elements.words + 1)
		lint_fix_refuse(fixes);
	lint_fix_count(unit, fixes, declaration.begin, end_of(unit, array) - 1, array->name,
	    elements.words + 1);
}

static void check_elements(
    struct lint_unit *unit, const struct model_function *function, size_t number)
{
	const struct model_event *event = &function->events[number];
	const struct tree_variable *array = event->variable;
	struct lint_remedy remedy = {.directive = region_of(function, event)};

	if (remedy.directive == NULL)
		return;
	for (size_t i = 0; i < number; i++)
		if (function->events[i].variable == array &&
		    region_of(function, &function->events[i]) == remedy.directive)
			return;
	fix_padding(unit, function, array, &remedy.fixes);
	remedy.text = lint_text(unit,
	    "write a private variable in the loop of this region and %s once, use a reduction, or give "
	    "each element a line",
	    array->name);
	lint_report(unit, LINT_FALSE_SHARING, event->name,
	    lint_text(unit,
		"each element of %s is written by another thread, and up to %zu of them share a "
		"line of %d bytes",
		array->name, LINE_BYTES / array->element, LINE_BYTES),
	    remedy);
}

/* The section in which the event often writes a member of a shared structure, or NULL. */
static const struct tree_construct *section_of(const struct model_event *event)
{
	const struct tree_construct *section =
	    lint_around(event->construct, CONSTRUCT_BIT(SECTION));
	const struct tree_variable *record = event->variable;

	return section != NULL && (event->kind & EVENT_WRITE) != 0 &&
		       record->shape == SHAPE_RECORD && record->element > 0 &&
		       record->element <= LINE_BYTES && event->object->kind == TREE_MEMBER &&
		       event->object->children[0] == event->name && !event->object->arrow &&
		       !model_has_between(event->construct, section,
			   CONSTRUCT_BIT(CRITICAL) | CONSTRUCT_BIT(ATOMIC) |
			       CONSTRUCT_BIT(PARALLEL) | LINT_TASKS) &&
		       model_sharing_of(event->construct, record).attribute == ATTRIBUTE_SHARED &&
		       is_often(event, section->node)
		   ? section
		   : NULL;
}

static void check_members(
    struct lint_unit *unit, const struct model_function *function, size_t number)
{
	const struct model_event *event = &function->events[number], *other;
	const struct tree_construct *section = section_of(event), *also;

	for (size_t i = 0; i < number && section != NULL; i++) {
		struct lint_remedy remedy = {.node = NULL};

		other = &function->events[i];
		if (other->variable != event->variable)
			continue;
		also = section_of(other);
		if (also == NULL || also == section || also->parent != section->parent ||
		    strcmp(other->object->name, event->object->name) == 0)
			continue;
		remedy.node = other->name;
		remedy.text = lint_text(unit,
		    "%s.%s is written here: let each section write a variable of its own, and the "
		    "member once",
		    other->variable->name, other->object->name);
		lint_report(unit, LINT_FALSE_SHARING, event->name,
		    lint_text(unit,
			"two sections write %s.%s and %s.%s in loops, and the structure has %zu bytes: "
			"its members can share a line of %d",
			other->variable->name, other->object->name, event->variable->name,
			event->object->name, event->variable->element, LINE_BYTES),
		    remedy);
		return;
	}
}

void lint_check_false_sharing(struct lint_unit *unit, struct model_function *function)
{
	for (size_t i = 0; i < function->count; i++) {
		check_elements(unit, function, i);
		check_members(unit, function, i);
	}
}
