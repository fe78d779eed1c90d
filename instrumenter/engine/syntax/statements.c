/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds statements with libclang. The text is parsed without -fopenmp: with it, libclang's C
 * interface does not enter the bodies of OpenMP regions, and half of the pragmas would have no
 * statement. Without it the pragmas are comments, and each belongs to the statement after it.
 *
 * The headers are those of another compiler. Errors are expected and harmless as long as libclang
 * finds the statements that matter; the token-based delimiter checks this.
 */
#include "statements.h"

#include "directives.h"
#include "function-cursors.h"
#include "header-names.h"
#include "parser.h"
#include "shared/search.h"

#include <clang-c/Index.h>
#include <stdlib.h>
#include <string.h>

struct visit {
	const struct inst_scan *scan;
	const char *text;
	struct location_result *result;
	CXFile file;
	CXCursor *functions; /* per pragma, the innermost named function around it */
	/*
	 * Offsets for which a cursor has to be entered, ascending: pragmas, their statements,
	 * locks.
	 */
	size_t *points;
	size_t point_count;
	struct inst_arena *arena;
	bool functions_wanted;
	bool cplusplus;
	bool forced_includes; /* the user's flags make the preprocessor read files first */
};

/* The first index of an ascending array whose value is at least `value`. */
static size_t lower_bound(const size_t *values, size_t count, size_t value)
{
	size_t at;

	SEARCH(at, count, values[at] < value);
	return at;
}

/* The offset of a location in the text; false if it is in another file. */
static bool text_offset(const struct visit *visit, CXSourceLocation location, size_t *offset)
{
	CXFile file;
	unsigned value;

	clang_getFileLocation(location, &file, NULL, NULL, &value);
	*offset = value;
	return file != NULL && clang_File_isEqual(file, visit->file);
}

static bool is_in_argument(CXSourceLocation location)
{
	unsigned in_file, expanded;

	clang_getFileLocation(location, NULL, NULL, NULL, &in_file);
	clang_getExpansionLocation(location, NULL, NULL, NULL, &expanded);
	return in_file != expanded;
}

static bool is_labelling(enum CXCursorKind kind)
{
	return kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt ||
	       kind == CXCursor_LabelStmt;
}

static bool is_function(enum CXCursorKind kind)
{
	return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
	       kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
	       kind == CXCursor_FunctionTemplate || kind == CXCursor_ConversionFunction ||
	       kind == CXCursor_LambdaExpr;
}

/*
 * For a cursor that begins at the `next` of some pragmas: the outermost such cursor is their
 * statement.
 */
static void note_statement(
    struct visit *visit, CXCursor cursor, CXSourceLocation start, size_t begin, size_t end)
{
	const struct inst_scan *scan = visit->scan;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	size_t at;

	SEARCH(at, scan->pragma_count, scan->pragmas[at].next < begin);
	for (; at < scan->pragma_count && scan->pragmas[at].next == begin; at++) {
		struct located *located = &visit->result->located[at];

		if (located->found)
			continue;
		located->found = true;
		located->end = end;
		located->loop = kind == CXCursor_ForStmt || kind == CXCursor_CXXForRangeStmt;
		located->in_argument = is_in_argument(start);
	}
}

/* For a cursor that contains pragmas: the innermost such cursor is where they stand. */
static void note_surroundings(
    struct visit *visit, CXCursor cursor, CXCursor parent, size_t begin, size_t end)
{
	const struct inst_scan *scan = visit->scan;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	bool block = kind == CXCursor_CompoundStmt ||
		     (is_labelling(kind) && (clang_getCursorKind(parent) == CXCursor_CompoundStmt ||
						is_labelling(clang_getCursorKind(parent))));
	bool inlined = kind == CXCursor_FunctionDecl && clang_Cursor_isFunctionInlined(cursor) &&
		       clang_Cursor_getStorageClass(cursor) != CX_SC_Static;
	size_t at;

	SEARCH(at, scan->pragma_count, scan->pragmas[at].begin <= begin);
	for (; at < scan->pragma_count && scan->pragmas[at].begin < end; at++) {
		struct located *located = &visit->result->located[at];

		located->in_block = block;
		if (kind == CXCursor_CompoundStmt) {
			located->in_function = true;
			located->block_begin = begin;
			located->block_end = end;
			located->block_of_function = is_function(clang_getCursorKind(parent));
			located->block_of_switch =
			    clang_getCursorKind(parent) == CXCursor_SwitchStmt;
		}
		if (is_function(kind))
			located->in_inline = inlined;
		if (is_function(kind) && kind != CXCursor_LambdaExpr)
			visit->functions[at] = cursor;
	}
}

/* For a reference: confirms the lock routine at its place. */
static void note_reference(struct visit *visit, CXCursor cursor)
{
	CXCursor target = clang_getCursorReferenced(cursor);
	size_t offset;

	if (clang_getCursorKind(target) != CXCursor_FunctionDecl ||
	    clang_getCursorLinkage(target) != CXLinkage_External ||
	    !clang_Cursor_isNull(clang_getCursorDefinition(target)) ||
	    !text_offset(visit, clang_getCursorLocation(cursor), &offset))
		return;
	for (size_t i = 0; i < visit->result->lock_count; i++)
		if (visit->result->locks[i].offset == offset)
			visit->result->locks[i].confirmed = true;
}

/*
 * Keeps the start of the file-scope declaration that contains the first reference to a lock
 * routine: a declaration that is added there can use the routines' types.
 */
static void note_file_scope(struct visit *visit, CXCursor cursor, size_t begin, size_t end)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || clang_isAttribute(kind))
		return;
	for (size_t i = 0; i < visit->result->lock_count; i++) {
		const struct lock_name *lock = &visit->result->locks[i];

		if (!lock->confirmed)
			continue;
		if (lock->offset >= begin && lock->offset < end &&
		    visit->result->lock_declaration == 0)
			visit->result->lock_declaration = begin;
		return;
	}
}

static void add_function(struct visit *visit, struct function_body function)
{
	struct location_result *result = visit->result;

	*ARENA_ADD(visit->arena, result->functions, result->function_count, result->function_room) =
	    function;
}

/*
 * May the cursor contain definitions of functions that the caller wants? A system header's
 * declaration is recognised by its end, because it may begin with a macro of a system header, such
 * as gcc's `bool`.
 */
static bool holds_functions(const struct visit *visit, enum CXCursorKind kind, size_t end)
{
	if (!visit->functions_wanted || *scan_place(visit->scan, end - 1).flags == '3')
		return false;
	/* Statements may contain local classes, which can have functions only in C++. */
	return clang_isDeclaration(kind) || visit->cplusplus;
}

static enum CXChildVisitResult visit_cursor(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct visit *visit = data;
	CXSourceRange range = function_extent(cursor);
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	enum CXCursorKind parent_kind = clang_getCursorKind(parent);
	size_t begin, end, point;

	if (!text_offset(visit, clang_getRangeStart(range), &begin) ||
	    !text_offset(visit, clang_getRangeEnd(range), &end) || end <= begin)
		/*
		 * INST_SOURCE: from another file, unless that file is included inside a construct.
		 */
		return clang_isTranslationUnit(parent_kind) ? CXChildVisit_Continue
							    : CXChildVisit_Recurse;
	point = lower_bound(visit->points, visit->point_count, begin);
	if (holds_functions(visit, kind, end)) {
		struct function_body function;

		if (is_function(kind) && kind != CXCursor_LambdaExpr &&
		    function_describe(visit->arena, cursor, visit->file, visit->text, &function))
			add_function(visit, function);
	} else if (point == visit->point_count || visit->points[point] >= end) {
		return CXChildVisit_Continue;
	}
	if (clang_isStatement(kind) || clang_isExpression(kind) || clang_isDeclaration(kind)) {
		note_statement(visit, cursor, clang_getRangeStart(range), begin, end);
		note_surroundings(visit, cursor, parent, begin, end);
	}
	if (kind == CXCursor_DeclRefExpr)
		note_reference(visit, cursor);
	clang_visitChildren(cursor, visit_cursor, visit);
	if (clang_isTranslationUnit(parent_kind) || parent_kind == CXCursor_Namespace ||
	    parent_kind == CXCursor_LinkageSpec)
		note_file_scope(visit, cursor, begin, end);
	return CXChildVisit_Continue;
}

static int compare_offsets(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

static void collect_points(struct inst_arena *arena, struct visit *visit)
{
	const struct inst_scan *scan = visit->scan;
	const struct location_result *result = visit->result;

	visit->points = arena_allocate(
	    arena, (2 * scan->pragma_count + result->lock_count + 1) * sizeof *visit->points);
	for (size_t i = 0; i < scan->pragma_count; i++) {
		visit->points[visit->point_count++] = scan->pragmas[i].begin;
		visit->points[visit->point_count++] = scan->pragmas[i].next;
	}
	for (size_t i = 0; i < result->lock_count; i++)
		visit->points[visit->point_count++] = result->locks[i].offset;
	qsort(visit->points, visit->point_count, sizeof *visit->points, compare_offsets);
}

/*
 * Copies the functions' names and their classes' members, because the cursors live only as long as
 * the translation unit.
 */
static void name_functions(struct inst_arena *arena, struct visit *visit)
{
	for (size_t i = 0; i < visit->scan->pragma_count; i++) {
		CXString name = clang_getCursorSpelling(visit->functions[i]);
		const char *text = clang_getCString(name);

		visit->result->located[i].function =
		    text != NULL ? arena_copy(arena, text, strlen(text)) : "";
		clang_disposeString(name);
		if (i > 0 && clang_equalCursors(visit->functions[i], visit->functions[i - 1]))
			visit->result->located[i].members = visit->result->located[i - 1].members;
		else if (visit->cplusplus)
			visit->result->located[i].members =
			    function_members(arena, visit->functions[i]);
	}
}

static void collect_errors(
    const struct inst_input *input, struct visit *visit, CXTranslationUnit unit)
{
	struct location_result *result = visit->result;
	struct inst_arena *arena = visit->arena;
	struct function_body function;
	unsigned count = clang_getNumDiagnostics(unit);

	result->errors = arena_allocate(arena, (count + 1) * sizeof *result->errors);
	for (unsigned i = 0; i < count; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
		size_t offset;

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
		    text_offset(visit, clang_getDiagnosticLocation(diagnostic), &offset)) {
			result->errors[result->error_count++] = offset;
			if (visit->functions_wanted &&
			    function_describe_nested(arena, input, diagnostic, offset, &function))
				add_function(visit, function);
		}
		clang_disposeDiagnostic(diagnostic);
	}
	if (result->error_count > 1)
		qsort(result->errors, result->error_count, sizeof *result->errors, compare_offsets);
}

bool holds_error(const struct location_result *result, size_t begin, size_t end)
{
	size_t first = lower_bound(result->errors, result->error_count, begin);

	return first < result->error_count && result->errors[first] < end;
}

static bool is_forced_include(const char *argument)
{
	return strncmp(argument, "-include", 8) == 0 || strncmp(argument, "-imacros", 8) == 0 ||
	       strncmp(argument, "--include", 9) == 0 || strncmp(argument, "--imacros", 9) == 0;
}

/* Collects the program's macro names and file-scope names that may conflict with pomp.h. */
static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct visit *visit = data;
	struct location_result *result = visit->result;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	CXString spelling = clang_getCursorSpelling(cursor);
	const char *name = clang_getCString(spelling);
	bool macro = kind == CXCursor_MacroDefinition, in_front = false;
	CXFile file;

	(void)parent;
	clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
	if (macro)
		in_front = file == NULL ||
			   (visit->forced_includes && !clang_File_isEqual(file, visit->file));
	if ((macro || clang_isDeclaration(kind)) && name != NULL &&
	    may_conflict_with_header(name, in_front)) {
		*ARENA_ADD(visit->arena, result->names, result->name_count, result->name_room) =
		    arena_copy(visit->arena, name, strlen(name));
	}
	clang_disposeString(spelling);
	return kind == CXCursor_EnumDecl || kind == CXCursor_LinkageSpec ||
		       kind == CXCursor_UnexposedDecl
		   ? CXChildVisit_Recurse
		   : CXChildVisit_Continue;
}

/*
 * Looks for a definition of a symbol that pomp.h's calls use. A file that includes pomp.h and
 * defines one is a measurement library, which must not measure its own code. Clang marks a name
 * that the text gives to the assembler with a leading byte 1.
 */
static enum CXChildVisitResult visit_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct visit *visit = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	CXString name = clang_Cursor_getMangling(cursor);
	const char *text = clang_getCString(name);

	(void)parent;
	if (text != NULL)
		text += *text == '\1';
	if ((kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl) && text != NULL &&
	    directive_calls(text) && clang_isCursorDefinition(cursor) &&
	    clang_getCursorLinkage(cursor) == CXLinkage_External)
		visit->result->error = arena_format(visit->arena,
		    "it defines '%s', the symbol of a call of pomp.h: it is a measurement library",
		    text);
	clang_disposeString(name);
	return kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl
		   ? CXChildVisit_Recurse
		   : CXChildVisit_Continue;
}

static int compare_bodies(const void *left, const void *right)
{
	const struct function_body *a = left, *b = right;

	return (a->body > b->body) - (a->body < b->body);
}

struct location_result locate_statements(struct inst_arena *arena, const struct inst_input *input,
    const struct inst_scan *scan, bool functions)
{
	struct location_result result = {.error = NULL};
	struct visit visit = {.scan = scan,
	    .text = input->text,
	    .result = &result,
	    .arena = arena,
	    .functions_wanted = functions,
	    .cplusplus = input->cplusplus};
	const bool source = input->form == INST_SOURCE;
	const char *name = input->cplusplus ? "input.cc" : "input.c";
	struct CXUnsavedFile file = {.Contents = input->text, .Length = input->length};
	CXTranslationUnit unit = NULL;
	enum CXErrorCode code;
	const char **arguments;
	CXIndex index;
	int count;

	result.located = arena_allocate(arena, (scan->pragma_count + 1) * sizeof *result.located);
	result.locks = find_lock_names(arena, input->text, input->length, &result.lock_count);
	collect_points(arena, &visit);
	visit.functions = arena_allocate(arena, (scan->pragma_count + 1) * sizeof *visit.functions);
	for (size_t i = 0; i < scan->pragma_count; i++) {
		visit.functions[i] = clang_getNullCursor();
		result.located[i].function = "";
	}
	arguments = parser_arguments(arena, input, &count);
	for (size_t i = 0; i < input->clang_argument_count; i++)
		visit.forced_includes |= is_forced_include(input->clang_arguments[i]);
	if (source && strcmp(input->file_name, "-") != 0)
		name = input->file_name;
	file.Filename = name;
	index = clang_createIndex(0, 0);
	code = clang_parseTranslationUnit2(index, name, arguments, count, &file, 1,
	    CXTranslationUnit_KeepGoing |
		(source ? CXTranslationUnit_DetailedPreprocessingRecord : 0),
	    &unit);
	if (code == CXError_Success) {
		visit.file = clang_getFile(unit, name);
		clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_cursor, &visit);
		if (source)
			clang_visitChildren(
			    clang_getTranslationUnitCursor(unit), visit_name, &visit);
		clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_definition, &visit);
		name_functions(arena, &visit);
		collect_errors(input, &visit, unit);
		if (result.function_count > 1)
			qsort(result.functions, result.function_count, sizeof *result.functions,
			    compare_bodies);
		clang_disposeTranslationUnit(unit);
	} else {
		result.error = parser_error(code);
	}
	clang_disposeIndex(index);
	return result;
}
