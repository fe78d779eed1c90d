/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads variables from libclang's declarations: their scope, and what kind of objects they are. The
 * place of its first declaration identifies a variable, so that it has one record however often it
 * is declared and named.
 */
#include "tree-variables.h"

#include <string.h>

const char *tree_take_string(struct inst_arena *arena, CXString string)
{
	const char *text = clang_getCString(string);
	const char *copy = text != NULL ? arena_copy(arena, text, strlen(text)) : "";

	clang_disposeString(string);
	return copy;
}

size_t tree_offset(CXSourceLocation location)
{
	CXFile file;
	unsigned offset;

	clang_getFileLocation(location, &file, NULL, NULL, &offset);
	return file != NULL ? offset : 0;
}

static enum variable_shape shape_of(CXType type)
{
	switch (type.kind) {
	case CXType_Pointer:
		return SHAPE_POINTER;
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
	case CXType_VariableArray:
	case CXType_DependentSizedArray:
		return SHAPE_ARRAY;
	case CXType_Record:
		return SHAPE_RECORD;
	case CXType_Enum:
	case CXType_Complex:
		return SHAPE_ARITHMETIC;
	default:
		return type.kind >= CXType_Bool && type.kind <= CXType_LongDouble ? SHAPE_ARITHMETIC
										  : SHAPE_OTHER;
	}
}

static bool is_integer(enum CXTypeKind kind)
{
	return (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
}

static enum variable_scope scope_of(CXCursor declaration)
{
	CXCursor parent = clang_getCursorSemanticParent(declaration);
	enum CX_StorageClass storage = clang_Cursor_getStorageClass(declaration);

	if (clang_getCursorKind(declaration) == CXCursor_ParmDecl)
		return SCOPE_PARAMETER;
	if (storage == CX_SC_Extern)
		return SCOPE_FILE;
	switch (clang_getCursorKind(parent)) {
	case CXCursor_TranslationUnit:
	case CXCursor_Namespace:
	case CXCursor_LinkageSpec:
	case CXCursor_StructDecl:
	case CXCursor_ClassDecl:
	case CXCursor_ClassTemplate:
	case CXCursor_UnionDecl:
		return SCOPE_FILE;
	default:
		return storage == CX_SC_Static ? SCOPE_STATIC : SCOPE_LOCAL;
	}
}

/* 0: not known here. */
static size_t element_of(CXType type)
{
	const enum variable_shape shape = shape_of(type);
	long long size = -1;

	if (shape == SHAPE_ARRAY)
		size = clang_Type_getSizeOf(clang_getArrayElementType(type));
	else if (shape == SHAPE_POINTER)
		size = clang_Type_getSizeOf(clang_getPointeeType(type));
	else if (shape == SHAPE_RECORD)
		size = clang_Type_getSizeOf(type);
	return size > 0 ? (size_t)size : 0;
}

static void describe_type(
    struct inst_arena *arena, CXCursor declaration, struct tree_variable *variable)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(declaration));
	const char *spelling = tree_take_string(arena, clang_getTypeSpelling(type));

	variable->reference =
	    type.kind == CXType_LValueReference || type.kind == CXType_RValueReference;
	if (variable->reference)
		type = clang_getCanonicalType(clang_getPointeeType(type));
	variable->shape = shape_of(type);
	variable->element = element_of(type);
	variable->integer = is_integer(type.kind);
	variable->atomic =
	    strstr(spelling, "atomic") != NULL || strstr(spelling, "_Atomic") != NULL;
	while (shape_of(type) == SHAPE_ARRAY)
		type = clang_getCanonicalType(clang_getArrayElementType(type));
	variable->constant = clang_isConstQualifiedType(type);
	variable->changing = clang_isVolatileQualifiedType(type);
}

static bool is_listed(const struct tree_unit *unit, const char *name)
{
	for (size_t i = 0; i < unit->threadprivate_count; i++)
		if (strcmp(unit->threadprivate[i], name) == 0)
			return true;
	return false;
}

struct tree_variable *tree_variable_of(
    struct tree_unit *unit, CXCursor declaration, size_t scope_end)
{
	enum CXCursorKind kind = clang_getCursorKind(declaration);
	CXCursor first = clang_getCanonicalCursor(declaration);
	size_t offset = tree_offset(clang_getCursorLocation(first));
	struct tree_variable **bucket =
	    &unit->variables[offset % (sizeof unit->variables / sizeof *unit->variables)];
	struct tree_variable *variable;

	if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl)
		return NULL;
	for (variable = *bucket; variable != NULL; variable = variable->next)
		if (variable->offset == offset)
			return variable;
	variable = arena_allocate(unit->arena, sizeof *variable);
	variable->name = tree_take_string(unit->arena, clang_getCursorSpelling(declaration));
	variable->offset = offset;
	variable->scope_end = scope_end;
	variable->scope = scope_of(first);
	variable->per_thread = clang_getCursorTLSKind(first) != CXTLS_None;
	describe_type(unit->arena, declaration, variable);
	variable->initialised =
	    variable->shape == SHAPE_OTHER ||
	    (variable->shape == SHAPE_RECORD && unit->input->cplusplus) ||
	    !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(declaration));
	variable->threadprivate =
	    (variable->scope == SCOPE_FILE || variable->scope == SCOPE_STATIC) &&
	    is_listed(unit, variable->name);
	variable->next = *bucket;
	*bucket = variable;
	return variable;
}
