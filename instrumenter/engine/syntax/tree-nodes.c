/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies libclang's statements and expressions into the tree. libclang does not report which
 * operator an expression has or which parts of a `for` are missing. The tokens between the parts
 * show it; they are plain, because the text is preprocessed.
 */
#include "tree-nodes.h"

#include "lexer.h"
#include "tree-variables.h"

#include <stdlib.h>
#include <string.h>

/* The state while one body is read. */
struct reader {
	struct tree_unit *unit;
	struct tree_pragmas *pragmas;
	size_t scope_end;                   /* of the innermost block */
	const struct inst_pragma *sections; /* the `sections` whose block comes next */
};

struct cursors {
	CXCursor *all;
	size_t count, room;
	struct inst_arena *arena;
};

static struct tree *read_node(struct reader *reader, CXCursor cursor);

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct cursors *cursors = data;

	(void)parent;
	*ARENA_ADD(cursors->arena, cursors->all, cursors->count, cursors->room) = cursor;
	return CXChildVisit_Continue;
}

static struct cursors children_of(struct reader *reader, CXCursor cursor)
{
	struct cursors cursors = {.arena = reader->unit->arena};

	clang_visitChildren(cursor, collect, &cursors);
	return cursors;
}

static size_t begin_of(CXCursor cursor)
{
	return tree_offset(clang_getRangeStart(clang_getCursorExtent(cursor)));
}

static size_t end_of(CXCursor cursor)
{
	return tree_offset(clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

static bool is_value(CXCursor cursor)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	return clang_isExpression(kind) || clang_isStatement(kind) || kind == CXCursor_VarDecl;
}

/* The punctuators in the range, as one word. */
static const char *operator_between(struct reader *reader, size_t begin, size_t end)
{
	struct inst_buffer word = {.arena = reader->unit->arena};
	struct lexer lexer;
	struct token token;

	buffer_add(&word, "", 0);
	lexer_init(&lexer, reader->unit->input->text, end, begin);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END)
		if (token.kind == TOKEN_PUNCTUATOR && token.punctuator != ')' &&
		    token.punctuator != '(')
			buffer_add(&word, &token.punctuator, 1);
	return word.data;
}

static struct tree *new_node(struct reader *reader, enum tree_kind kind, CXCursor cursor)
{
	return tree_new(reader->unit, kind, begin_of(cursor), end_of(cursor));
}

static void add_all(struct reader *reader, struct tree *node, CXCursor cursor)
{
	struct cursors cursors = children_of(reader, cursor);

	for (size_t i = 0; i < cursors.count; i++)
		if (is_value(cursors.all[i]) ||
		    clang_getCursorKind(cursors.all[i]) == CXCursor_LambdaExpr)
			tree_add(reader->unit, node, read_node(reader, cursors.all[i]));
}

/* Adds a statement that is a body or part of a block, after its directives. */
static void add_statement(struct reader *reader, struct tree_place *place, CXCursor cursor)
{
	tree_place_directives(reader->pragmas, place, begin_of(cursor));
	reader->sections = tree_sections_of(place->waiting);
	struct tree *statement = read_node(reader, cursor);
	reader->sections = NULL;
	tree_place_statement(reader->pragmas, place, statement);
}

/* Adds the body of a statement, in a block of its own that also holds its directives. */
static void add_body(struct reader *reader, struct tree *node, CXCursor cursor)
{
	struct tree *list = new_node(reader, TREE_BLOCK, cursor);
	struct tree_place place = {.list = list};

	tree_add(reader->unit, node, list);
	add_statement(reader, &place, cursor);
}

static struct tree *read_block(struct reader *reader, CXCursor cursor)
{
	struct tree *block = new_node(reader, TREE_BLOCK, cursor);
	struct tree_place place = {.list = block, .sections = reader->sections};
	struct cursors cursors = children_of(reader, cursor);
	size_t outer = reader->scope_end;

	reader->sections = NULL;
	reader->scope_end = block->end;
	for (size_t i = 0; i < cursors.count; i++)
		add_statement(reader, &place, cursors.all[i]);
	tree_place_directives(reader->pragmas, &place, block->end);
	reader->scope_end = outer;
	return block;
}

/* Offsets of what separates the parts inside a statement's parentheses. */
struct parts {
	size_t semicolons[2], close;
};

static struct parts find_parts(struct reader *reader, size_t begin, size_t end)
{
	struct parts parts = {{end, end}, end};
	struct lexer lexer;
	struct token token;
	size_t depth = 0, seen = 0;

	lexer_init(&lexer, reader->unit->input->text, end, begin);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token.punctuator == '(' || token.punctuator == '{' || token.punctuator == '[')
			depth++;
		else if (token.punctuator == ')' || token.punctuator == '}' ||
			 token.punctuator == ']')
			depth--;
		if (depth == 0 && token.punctuator == ')') {
			parts.close = token.begin;
			break;
		}
		if (depth == 1 && token.punctuator == ';' && seen < 2)
			parts.semicolons[seen++] = token.begin;
	}
	return parts;
}

static struct tree *read_for(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_FOR, cursor);
	struct parts parts = find_parts(reader, node->begin, node->end);
	struct cursors cursors = children_of(reader, cursor);
	struct tree *head[3] = {NULL, NULL, NULL};
	size_t outer = reader->scope_end, at = 0;

	reader->scope_end = node->end;
	for (; at < cursors.count && begin_of(cursors.all[at]) < parts.close; at++) {
		size_t begin = begin_of(cursors.all[at]);
		head[begin < parts.semicolons[0]   ? 0
		     : begin < parts.semicolons[1] ? 1
						   : 2] = read_node(reader, cursors.all[at]);
	}
	for (size_t i = 0; i < 3; i++)
		tree_add(reader->unit, node, head[i]);
	if (at < cursors.count)
		add_body(reader, node, cursors.all[at]);
	else
		tree_add(
		    reader->unit, node, tree_new(reader->unit, TREE_BLOCK, node->end, node->end));
	reader->scope_end = outer;
	return node;
}

/* if, while, switch: first the contents of the parentheses, then the bodies. */
static struct tree *read_conditional(struct reader *reader, enum tree_kind kind, CXCursor cursor)
{
	struct tree *node = new_node(reader, kind, cursor);
	struct parts parts = find_parts(reader, node->begin, node->end);
	struct cursors cursors = children_of(reader, cursor);
	struct tree *condition = tree_new(reader->unit, TREE_OTHER, node->begin, parts.close);
	size_t outer = reader->scope_end, at = 0;

	reader->scope_end = node->end;
	for (; at < cursors.count && begin_of(cursors.all[at]) < parts.close; at++)
		tree_add(reader->unit, condition, read_node(reader, cursors.all[at]));
	tree_add(reader->unit, node, condition->count == 1 ? condition->children[0] : condition);
	for (; at < cursors.count && node->count < 3; at++)
		add_body(reader, node, cursors.all[at]);
	while (node->count < (kind == TREE_IF ? 3u : 2u))
		tree_add(reader->unit, node, NULL);
	reader->scope_end = outer;
	return node;
}

static struct tree *read_do(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_DO, cursor);
	struct cursors cursors = children_of(reader, cursor);

	if (cursors.count != 2)
		return new_node(reader, TREE_OTHER, cursor);
	add_body(reader, node, cursors.all[0]);
	tree_add(reader->unit, node, read_node(reader, cursors.all[1]));
	return node;
}

/* C++'s range-for: the variable, the range, and last the body. */
static struct tree *read_range(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_RANGE, cursor);
	struct cursors cursors = children_of(reader, cursor);
	struct tree *head = tree_new(reader->unit, TREE_OTHER, node->begin, node->begin);
	size_t outer = reader->scope_end;

	reader->scope_end = node->end;
	tree_add(reader->unit, node, head);
	for (size_t i = 0; i + 1 < cursors.count; i++)
		if (is_value(cursors.all[i]))
			tree_add(reader->unit, head, read_node(reader, cursors.all[i]));
	if (cursors.count > 0)
		add_body(reader, node, cursors.all[cursors.count - 1]);
	reader->scope_end = outer;
	return node;
}

static struct tree *read_label(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_LABEL, cursor);
	struct cursors cursors = children_of(reader, cursor);

	if (clang_getCursorKind(cursor) == CXCursor_LabelStmt)
		node->name = tree_take_string(reader->unit->arena, clang_getCursorSpelling(cursor));
	/* The value of a case comes before its statement. */
	if (cursors.count > 0)
		add_body(reader, node, cursors.all[cursors.count - 1]);
	return node;
}

static struct tree *read_variable(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_VARIABLE, cursor);
	CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);

	node->variable = tree_variable_of(reader->unit, cursor, reader->scope_end);
	node->begin = tree_offset(clang_getCursorLocation(cursor));
	if (!clang_Cursor_isNull(initialiser) && !clang_isInvalid(clang_getCursorKind(initialiser)))
		tree_add(reader->unit, node, read_node(reader, initialiser));
	return node;
}

/* The name of a variable or of a constant. */
static struct tree *read_name(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_NAME, cursor);
	CXCursor target = clang_getCursorReferenced(cursor);

	if (clang_getCursorKind(target) == CXCursor_EnumConstantDecl) {
		node->kind = TREE_NUMBER;
		node->value = clang_getEnumConstantDeclValue(target);
		return node;
	}
	node->name = tree_take_string(reader->unit->arena, clang_getCursorSpelling(cursor));
	node->variable = tree_variable_of(reader->unit, target, reader->scope_end);
	return node;
}

static struct tree *read_number(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_NUMBER, cursor);
	const char *text = reader->unit->input->text + node->begin;
	size_t length = node->end - node->begin;
	char digits[32];

	if (length >= sizeof digits)
		length = sizeof digits - 1;
	memcpy(digits, text, length);
	digits[length] = '\0';
	node->value =
	    strncmp(digits, "0b", 2) == 0 ? strtoll(digits + 2, NULL, 2) : strtoll(digits, NULL, 0);
	return node;
}

/* true or 'x': libclang reports its value. */
static struct tree *read_literal(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_NUMBER, cursor);
	CXEvalResult result = clang_Cursor_Evaluate(cursor);

	if (result == NULL || clang_EvalResult_getKind(result) != CXEval_Int)
		node->kind = TREE_OTHER;
	else
		node->value = clang_EvalResult_getAsLongLong(result);
	if (result != NULL)
		clang_EvalResult_dispose(result);
	return node;
}

static struct tree *read_member(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_MEMBER, cursor);
	struct cursors cursors = children_of(reader, cursor);
	size_t end = node->begin;

	node->name = tree_take_string(reader->unit->arena, clang_getCursorSpelling(cursor));
	if (cursors.count > 0 && clang_isExpression(clang_getCursorKind(cursors.all[0]))) {
		tree_add(reader->unit, node, read_node(reader, cursors.all[0]));
		end = end_of(cursors.all[0]);
	}
	node->arrow =
	    node->count == 0 || strncmp(operator_between(reader, end, node->end), "->", 2) == 0;
	return node;
}

static struct tree *read_unary(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_UNARY, cursor);
	struct cursors cursors = children_of(reader, cursor);

	if (cursors.count != 1)
		return new_node(reader, TREE_OTHER, cursor);
	node->postfix = begin_of(cursors.all[0]) == node->begin;
	node->name = node->postfix
			 ? operator_between(reader, end_of(cursors.all[0]), node->end)
			 : operator_between(reader, node->begin, begin_of(cursors.all[0]));
	tree_add(reader->unit, node, read_node(reader, cursors.all[0]));
	return node;
}

static bool is_assignment(const char *name)
{
	size_t length = strlen(name);

	return length > 0 && name[length - 1] == '=' && strcmp(name, "==") != 0 &&
	       strcmp(name, "!=") != 0 && strcmp(name, "<=") != 0 && strcmp(name, ">=") != 0;
}

static struct tree *read_binary(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_BINARY, cursor);
	struct cursors cursors = children_of(reader, cursor);

	if (cursors.count != 2)
		return new_node(reader, TREE_OTHER, cursor);
	node->name = operator_between(reader, end_of(cursors.all[0]), begin_of(cursors.all[1]));
	if (is_assignment(node->name))
		node->kind = TREE_ASSIGN;
	tree_add(reader->unit, node, read_node(reader, cursors.all[0]));
	tree_add(reader->unit, node, read_node(reader, cursors.all[1]));
	return node;
}

/* May the function change this argument? */
static bool changes_argument(CXCursor function, int argument, int more)
{
	CXType type;

	if (clang_isInvalid(clang_getCursorKind(function)))
		return true;
	if (argument < more) /* the object of an operator */
		return !clang_CXXMethod_isConst(function);
	type = clang_getArgType(clang_getCursorType(function), (unsigned)(argument - more));
	return type.kind == CXType_RValueReference ||
	       (type.kind == CXType_LValueReference &&
		   !clang_isConstQualifiedType(clang_getPointeeType(type)));
}

static void read_arguments(struct reader *reader, struct tree *node, CXCursor cursor)
{
	CXCursor function = clang_getCursorReferenced(cursor);
	int count = clang_Cursor_getNumArguments(cursor);
	int wanted = clang_getNumArgTypes(clang_getCursorType(function));
	bool method = clang_getCursorKind(function) == CXCursor_CXXMethod;
	int more = method && wanted >= 0 && count > wanted ? count - wanted : 0;

	for (int i = 0; i < count; i++) {
		CXCursor argument = clang_Cursor_getArgument(cursor, (unsigned)i);
		tree_add(reader->unit, node, read_node(reader, argument));
		if (reader->unit->input->cplusplus && i < 30 && changes_argument(function, i, more))
			node->references |= 1u << i;
	}
}

/* The first child is the called expression; NULL for operators and constructors. */
static struct tree *read_call(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_CALL, cursor);
	CXCursor function = clang_getCursorReferenced(cursor);
	struct cursors cursors = children_of(reader, cursor);
	struct tree *callee = NULL;
	int count = clang_Cursor_getNumArguments(cursor);

	node->name = tree_take_string(reader->unit->arena, clang_getCursorSpelling(cursor));
	if (!clang_isInvalid(clang_getCursorKind(function)))
		node->target =
		    tree_offset(clang_getCursorLocation(clang_getCanonicalCursor(function)));
	if (count < 0) {
		add_all(reader, node, cursor);
		node->kind = TREE_OTHER;
		return node;
	}
	if (cursors.count > 0 && clang_isExpression(clang_getCursorKind(cursors.all[0])) &&
	    (count == 0 ||
		!clang_equalCursors(cursors.all[0], clang_Cursor_getArgument(cursor, 0))) &&
	    (int)cursors.count > count)
		callee = read_node(reader, cursors.all[0]);
	tree_add(reader->unit, node, callee);
	read_arguments(reader, node, cursor);
	return node;
}

static struct tree *read_cast(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_CAST, cursor);
	struct cursors cursors = children_of(reader, cursor);

	for (size_t i = cursors.count; i > 0; i--)
		if (clang_isExpression(clang_getCursorKind(cursors.all[i - 1]))) {
			tree_add(reader->unit, node, read_node(reader, cursors.all[i - 1]));
			return node;
		}
	node->kind = TREE_OTHER;
	return node;
}

static struct tree *read_lambda(struct reader *reader, CXCursor cursor)
{
	struct tree *node = new_node(reader, TREE_LAMBDA, cursor);
	struct cursors cursors = children_of(reader, cursor);
	struct tree_unit *unit = reader->unit;

	for (size_t i = 0; i < cursors.count; i++) {
		if (clang_getCursorKind(cursors.all[i]) != CXCursor_CompoundStmt)
			continue;
		struct tree *body = read_block(reader, cursors.all[i]);
		tree_add(unit, node, body);
		*ARENA_ADD(unit->arena, unit->functions, unit->function_count,
		    unit->function_room) = (struct tree_function){.name = "",
		    .begin = node->begin,
		    .end = node->end,
		    .body = body,
		    .lambda = true};
	}
	return node;
}

/*
 * Implicit conversions and parentheses have one child; other nodes of this kind may have none or
 * several.
 */
static struct tree *read_wrapper(struct reader *reader, CXCursor cursor)
{
	struct cursors cursors = children_of(reader, cursor);
	struct tree *node;

	if (cursors.count == 1 && is_value(cursors.all[0]))
		return read_node(reader, cursors.all[0]);
	node = new_node(reader, TREE_OTHER, cursor);
	add_all(reader, node, cursor);
	return node;
}

static struct tree *read_list(struct reader *reader, enum tree_kind kind, CXCursor cursor)
{
	struct tree *node = new_node(reader, kind, cursor);

	add_all(reader, node, cursor);
	return node;
}

static struct tree *read_statement(struct reader *reader, CXCursor cursor)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_CompoundStmt:
		return read_block(reader, cursor);
	case CXCursor_IfStmt:
		return read_conditional(reader, TREE_IF, cursor);
	case CXCursor_WhileStmt:
		return read_conditional(reader, TREE_WHILE, cursor);
	case CXCursor_SwitchStmt:
		return read_conditional(reader, TREE_SWITCH, cursor);
	case CXCursor_ForStmt:
		return read_for(reader, cursor);
	case CXCursor_CXXForRangeStmt:
		return read_range(reader, cursor);
	case CXCursor_DoStmt:
		return read_do(reader, cursor);
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
	case CXCursor_LabelStmt:
		return read_label(reader, cursor);
	case CXCursor_ReturnStmt:
		return read_list(reader, TREE_RETURN, cursor);
	case CXCursor_BreakStmt:
		return new_node(reader, TREE_BREAK, cursor);
	case CXCursor_ContinueStmt:
		return new_node(reader, TREE_CONTINUE, cursor);
	case CXCursor_GotoStmt:
	case CXCursor_IndirectGotoStmt:
		return new_node(reader, TREE_GOTO, cursor);
	case CXCursor_DeclStmt:
		return read_list(reader, TREE_DECLARE, cursor);
	case CXCursor_GCCAsmStmt:
		return read_list(reader, TREE_ASSEMBLER, cursor);
	default:
		return read_wrapper(reader, cursor);
	}
}

static struct tree *read_node(struct reader *reader, CXCursor cursor)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_VarDecl:
		return read_variable(reader, cursor);
	case CXCursor_DeclRefExpr:
		return read_name(reader, cursor);
	case CXCursor_MemberRefExpr:
		return read_member(reader, cursor);
	case CXCursor_ArraySubscriptExpr:
		return read_list(reader, TREE_INDEX, cursor);
	case CXCursor_CallExpr:
		return read_call(reader, cursor);
	case CXCursor_UnaryOperator:
		return read_unary(reader, cursor);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return read_binary(reader, cursor);
	case CXCursor_ConditionalOperator:
		return read_list(reader, TREE_CONDITIONAL, cursor);
	case CXCursor_CStyleCastExpr:
	case CXCursor_CXXStaticCastExpr:
	case CXCursor_CXXReinterpretCastExpr:
	case CXCursor_CXXConstCastExpr:
	case CXCursor_CXXFunctionalCastExpr:
		return read_cast(reader, cursor);
	case CXCursor_IntegerLiteral:
		return read_number(reader, cursor);
	case CXCursor_CXXBoolLiteralExpr:
	case CXCursor_CharacterLiteral:
		return read_literal(reader, cursor);
	case CXCursor_CXXNullPtrLiteralExpr:
	case CXCursor_GNUNullExpr: /* NULL in C++ */
		return new_node(reader, TREE_NUMBER, cursor);
	case CXCursor_UnaryExpr: /* sizeof, alignof */
		return new_node(reader, TREE_UNEVALUATED, cursor);
	case CXCursor_LambdaExpr:
		return read_lambda(reader, cursor);
	default:
		return read_statement(reader, cursor);
	}
}

struct tree *tree_read_body(struct tree_pragmas *pragmas, CXCursor body)
{
	struct reader reader = {
	    .unit = pragmas->unit, .pragmas = pragmas, .scope_end = end_of(body)};

	return read_block(&reader, body);
}
