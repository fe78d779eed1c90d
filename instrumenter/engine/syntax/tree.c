/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the functions of a text into trees: parses it with libclang, finds the user's own
 * definitions, and records what libclang reports as errors. Of the directives outside functions
 * only `threadprivate` counts.
 */
#include "tree.h"

#include "clause-table.h"
#include "function-cursors.h"
#include "parser.h"
#include "tree-nodes.h"
#include "tree-variables.h"

#include <clang-c/Index.h>
#include <string.h>

struct search {
	struct tree_unit *unit;
	struct tree_pragmas pragmas;
};

static void note_threadprivate(struct tree_unit *unit, const struct inst_pragma *pragma)
{
	struct directive_use use = directive_read(unit->arena, pragma->words);
	struct clause_list clauses;
	size_t at = 0, begin, end;

	if (!directive_is(&use, CONSTRUCT_THREADPRIVATE))
		return;
	clauses = clauses_read(unit->arena, use.clauses);
	if (clauses.count == 0 || clauses.clauses[0].arguments == NULL)
		return;
	while (clause_next_item(clauses.clauses[0].arguments, &at, &begin, &end)) {
		*ARENA_ADD(unit->arena, unit->threadprivate, unit->threadprivate_count,
		    unit->threadprivate_room) =
		    arena_copy(unit->arena, clauses.clauses[0].arguments + begin, end - begin);
	}
}

/* Sets the parents of nodes and constructs; a lambda starts without a construct around it. */
static void link_constructs(struct tree *node, struct tree_construct *around)
{
	if (node == NULL)
		return;
	if (node->kind == TREE_CONSTRUCT) {
		node->construct->parent = around;
		around = node->construct;
	}
	if (node->kind == TREE_LAMBDA)
		around = NULL;
	for (size_t i = 0; i < node->count; i++)
		link_constructs(node->children[i], around);
}

struct parts {
	struct search *search;
	struct tree_function function;
};

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct parts *parts = data;
	struct tree_unit *unit = parts->search->unit;
	struct tree_function *function = &parts->function;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_ParmDecl) {
		*ARENA_ADD(unit->arena, function->parameters, function->parameter_count,
		    function->parameter_room) = tree_variable_of(unit, cursor, function->end);
	} else if (kind == CXCursor_CompoundStmt) {
		function->body = tree_read_body(&parts->search->pragmas, cursor);
		return CXChildVisit_Break;
	}
	return CXChildVisit_Continue;
}

static void read_function(struct search *search, CXCursor cursor)
{
	struct tree_unit *unit = search->unit;
	struct parts parts = {.search = search};
	struct tree_function *function = &parts.function;
	CXSourceRange range = function_extent(cursor);

	function->begin = tree_offset(clang_getRangeStart(range));
	function->end = tree_offset(clang_getRangeEnd(range));
	/* Directives before the function are in no function. */
	while (search->pragmas.next < unit->scan->pragma_count &&
	       unit->scan->pragmas[search->pragmas.next].begin < function->begin)
		search->pragmas.next++;
	function->name = tree_take_string(unit->arena, clang_getCursorSpelling(cursor));
	function->offset = tree_offset(clang_getCursorLocation(clang_getCanonicalCursor(cursor)));
	clang_visitChildren(cursor, visit_part, &parts);
	if (function->body == NULL)
		return;
	link_constructs(function->body, NULL);
	*ARENA_ADD(unit->arena, unit->functions, unit->function_count, unit->function_room) =
	    *function;
}

static enum CXChildVisitResult visit_declaration(
    CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct search *search = data;
	size_t end = tree_offset(clang_getRangeEnd(function_extent(cursor)));

	(void)parent;
	if (end == 0)
		return CXChildVisit_Continue;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_Namespace:
	case CXCursor_LinkageSpec:
	case CXCursor_StructDecl:
	case CXCursor_ClassDecl:
	case CXCursor_ClassTemplate:
	case CXCursor_ClassTemplatePartialSpecialization:
	case CXCursor_UnexposedDecl:
		return CXChildVisit_Recurse;
	case CXCursor_FunctionDecl:
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
	case CXCursor_Destructor:
	case CXCursor_ConversionFunction:
	case CXCursor_FunctionTemplate:
		if (clang_isCursorDefinition(cursor) &&
		    *scan_place(search->unit->scan, end - 1).flags != '3')
			read_function(search, cursor);
		return CXChildVisit_Continue;
	default:
		return CXChildVisit_Continue;
	}
}

/*
 * Errors about calls of undeclared functions: other compilers accept these, and the tree is the
 * same.
 */
static bool is_harmless(const char *text)
{
	return strstr(text, "implicit function declarations") != NULL ||
	       strstr(text, "implicit int") != NULL;
}

/*
 * Collects errors in the user's files. Errors in system headers only come from another compiler's
 * dialect.
 */
static void collect_errors(struct tree_unit *unit, CXTranslationUnit parsed)
{
	unsigned count = clang_getNumDiagnostics(parsed);

	for (unsigned i = 0; i < count; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(parsed, i);
		size_t offset = tree_offset(clang_getDiagnosticLocation(diagnostic));
		const char *text =
		    tree_take_string(unit->arena, clang_getDiagnosticSpelling(diagnostic));

		if (!is_harmless(text) &&
		    clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && offset > 0 &&
		    *scan_place(unit->scan, offset).flags != '3') {
			*ARENA_ADD(unit->arena, unit->errors, unit->error_count, unit->error_room) =
			    (struct tree_error){offset, text};
			for (size_t j = 0; j < unit->function_count; j++)
				unit->functions[j].faulty |= offset >= unit->functions[j].begin &&
							     offset < unit->functions[j].end;
		}
		clang_disposeDiagnostic(diagnostic);
	}
}

void tree_read(struct tree_unit *unit)
{
	const struct inst_input *input = unit->input;
	const char *name = input->cplusplus ? "input.cc" : "input.c";
	struct CXUnsavedFile file = {name, input->text, input->length};
	struct search search = {.unit = unit, .pragmas = {.unit = unit}};
	CXTranslationUnit parsed = NULL;
	int count;
	const char **arguments = parser_arguments(unit->arena, input, &count);
	CXIndex index = clang_createIndex(0, 0);
	enum CXErrorCode code = clang_parseTranslationUnit2(
	    index, name, arguments, count, &file, 1, CXTranslationUnit_KeepGoing, &parsed);

	for (size_t i = 0; i < unit->scan->pragma_count; i++)
		if (!unit->scan->pragmas[i].user)
			note_threadprivate(unit, &unit->scan->pragmas[i]);
	if (code == CXError_Success) {
		clang_visitChildren(
		    clang_getTranslationUnitCursor(parsed), visit_declaration, &search);
		collect_errors(unit, parsed);
		clang_disposeTranslationUnit(parsed);
	} else {
		unit->failure = parser_error(code);
	}
	clang_disposeIndex(index);
}
