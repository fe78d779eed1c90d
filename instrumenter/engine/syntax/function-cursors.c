/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads names and bodies of functions from libclang's cursors. Does not decide whether a function
 * is instrumented.
 */
#include "function-cursors.h"

#include "delimiter.h"
#include "lexer.h"

#include <string.h>

/* Copies a libclang string and disposes of it. */
static const char *take_string(struct inst_arena *arena, CXString string)
{
	const char *text = clang_getCString(string);
	const char *copy = text != NULL ? arena_copy(arena, text, strlen(text)) : "";

	clang_disposeString(string);
	return copy;
}

/* The scope in which the cursor is declared, as `N::C::`. */
static const char *scope_of(struct inst_arena *arena, CXCursor cursor)
{
	const char *scope = "";

	for (CXCursor in = clang_getCursorSemanticParent(cursor);
	     !clang_Cursor_isNull(in) && !clang_isTranslationUnit(clang_getCursorKind(in)) &&
	     !clang_isInvalid(clang_getCursorKind(in));
	     in = clang_getCursorSemanticParent(in)) {
		const char *name = take_string(arena, clang_getCursorSpelling(in));

		if (clang_getCursorKind(in) == CXCursor_LinkageSpec)
			continue;
		if (*name == '\0')
			name = clang_getCursorKind(in) == CXCursor_Namespace
				   ? "(anonymous namespace)"
				   : "(anonymous)";
		scope = arena_format(arena, "%s::%s", name, scope);
	}
	return scope;
}

/* The members of a class and of its bases. */
struct member_search {
	struct inst_buffer names;
	int depth; /* limits the recursion: a template may be its own base with other arguments */
};

static CXCursor base_class(CXCursor base);

static enum CXChildVisitResult add_members(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct member_search *search = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_FieldDecl)
		buffer_format(&search->names, ", %s",
		    take_string(search->names.arena, clang_getCursorSpelling(cursor)));
	else if (kind == CXCursor_CXXBaseSpecifier && search->depth < 16) {
		search->depth++;
		clang_visitChildren(base_class(cursor), add_members, search);
		search->depth--;
	} else if (clang_Cursor_isAnonymousRecordDecl(cursor))
		return CXChildVisit_Recurse;
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult find_template(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_TemplateRef)
		return CXChildVisit_Continue;
	*(CXCursor *)data = clang_getCursorReferenced(cursor);
	return CXChildVisit_Break;
}

/* The class of a base specifier, or its template if the arguments are not known yet. */
static CXCursor base_class(CXCursor base)
{
	CXCursor template = clang_getNullCursor();

	clang_visitChildren(base, find_template, &template);
	return clang_Cursor_isNull(template) ? clang_getTypeDeclaration(clang_getCursorType(base))
					     : template;
}

const char *function_members(struct inst_arena *arena, CXCursor function)
{
	struct member_search search = {.names = {.arena = arena}};
	CXCursor class = clang_getCursorSemanticParent(function);

	switch (clang_getCursorKind(class)) {
	case CXCursor_StructDecl:
	case CXCursor_ClassDecl:
	case CXCursor_UnionDecl:
	case CXCursor_ClassTemplate:
	case CXCursor_ClassTemplatePartialSpecialization:
		clang_visitChildren(class, add_members, &search);
		return search.names.data;
	default:
		return NULL;
	}
}

struct body_search {
	CXCursor body;
	bool found;
};

/* Finds the body, perhaps inside a `try`. Parameters and initialisers come before it. */
static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct body_search *search = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_CXXTryStmt)
		return CXChildVisit_Recurse;
	if (kind == CXCursor_CompoundStmt) {
		search->body = cursor;
		search->found = true;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Continue;
}

/*
 * The offset of a location that lies in the file itself and comes from no macro; false for others.
 */
static bool plain_offset(CXSourceLocation location, CXFile file, size_t *offset)
{
	CXFile found, spelled;
	unsigned at, spelling;

	clang_getFileLocation(location, &found, NULL, NULL, &at);
	clang_getSpellingLocation(location, &spelled, NULL, NULL, &spelling);
	*offset = at;
	return found != NULL && spelled != NULL && clang_File_isEqual(found, file) &&
	       clang_File_isEqual(spelled, file) && at == spelling;
}

static bool has_extent(CXCursor cursor)
{
	CXFile file;

	clang_getFileLocation(
	    clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL, NULL, NULL);
	return file != NULL;
}

CXSourceRange function_extent(CXCursor cursor)
{
	struct body_search search = {.found = false};

	if (clang_getCursorKind(cursor) == CXCursor_FunctionTemplate && !has_extent(cursor))
		clang_visitChildren(cursor, find_body, &search);
	return search.found ? clang_getRange(clang_getCursorLocation(cursor),
				  clang_getRangeEnd(clang_getCursorExtent(search.body)))
			    : clang_getCursorExtent(cursor);
}

/* Where the declaration around the offset begins: after the previous statement or block. */
static size_t declaration_begin(const char *text, size_t offset)
{
	while (offset > 0 && strchr(";{}", text[offset - 1]) == NULL)
		offset--;
	return offset;
}

bool function_describe(struct inst_arena *arena, CXCursor cursor, CXFile file, const char *text,
    struct function_body *function)
{
	struct body_search search = {.found = false};
	CXSourceRange range;
	const char *spelling, *display, *scope;

	if (!clang_isCursorDefinition(cursor))
		return false;
	clang_visitChildren(cursor, find_body, &search);
	if (!search.found)
		return false;
	range = clang_getCursorExtent(search.body);
	if (!plain_offset(clang_getRangeStart(range), file, &function->body) ||
	    !plain_offset(clang_getRangeEnd(range), file, &function->end) ||
	    !plain_offset(clang_getRangeStart(function_extent(cursor)), file, &function->begin) ||
	    function->begin > function->body || function->body + 2 > function->end)
		return false;
	if (!has_extent(cursor))
		function->begin = declaration_begin(text, function->begin);
	scope = scope_of(arena, cursor);
	spelling = take_string(arena, clang_getCursorSpelling(cursor));
	display = take_string(arena, clang_getCursorDisplayName(cursor));
	function->name = arena_format(arena, "%s%s", scope, spelling);
	function->signature = arena_format(arena, "%s%s", scope, display);
	function->mangled = take_string(arena, clang_Cursor_getMangling(cursor));
	function->in_inline = clang_Cursor_isFunctionInlined(cursor) &&
			      clang_Cursor_getStorageClass(cursor) != CX_SC_Static;
	return true;
}

bool function_describe_nested(struct inst_arena *arena, const struct inst_input *input,
    CXDiagnostic diagnostic, size_t offset, struct function_body *function)
{
	const char *says = take_string(arena, clang_getDiagnosticSpelling(diagnostic));
	size_t begin, depth = 0, open = 0;
	struct lexer lexer;
	struct token token, previous = {TOKEN_END, 0, 0, 0}, name = previous;

	if (strstr(says, "function definition is not allowed here") == NULL ||
	    offset >= input->length || input->text[offset] != '{')
		return false;
	begin = declaration_begin(input->text, offset);
	lexer_init(&lexer, input->text, offset, begin);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token.punctuator == '(' && depth++ == 0 && previous.kind == TOKEN_IDENTIFIER &&
		    open++ == 0)
			name = previous;
		if (token.punctuator == ')' && depth > 0)
			depth--;
		previous = token;
	}
	function->begin = begin;
	function->body = offset;
	function->end = block_end(input->text, input->length, offset);
	if (name.kind != TOKEN_IDENTIFIER || function->end == 0)
		return false;
	function->name = arena_copy(arena, input->text + name.begin, name.end - name.begin);
	function->signature = function->name;
	function->mangled = function->name;
	function->in_inline = false;
	return true;
}
