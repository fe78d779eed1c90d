/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of warnings. For gcc it lists the warnings that are the same from -fsyntax-only and
 * from a whole compilation (test/wrapper/warning-table.py checks this); any other is assumed to
 * need the optimiser. clang finishes all its analyses before it generates code, so for clang the
 * exceptions are listed.
 */
#include "warnings.h"

#include <stdbool.h>
#include <string.h>

static const char *const gcc_parser[] = {
    "absolute-value",
    "address",
    "array-compare",
    "array-parameter",
    "attributes",
    "bad-function-cast",
    "bool-compare",
    "bool-operation",
    "builtin-declaration-mismatch",
    "c++-compat",
    "cast-qual",
    "catch-value",
    "char-subscripts",
    "class-memaccess",
    "comment",
    "conversion",
    "cpp",
    "ctor-dtor-privacy",
    "dangling-else",
    "date-time",
    "declaration-after-statement",
    "delete-non-virtual-dtor",
    "deprecated-copy",
    "deprecated-declarations",
    "discarded-qualifiers",
    "div-by-zero",
    "double-promotion",
    "duplicated-branches",
    "duplicated-cond",
    "effc++",
    "empty-body",
    "endif-labels",
    "enum-compare",
    "expansion-to-defined",
    "extra-semi",
    "float-conversion",
    "float-equal",
    "format-extra-args",
    "format-nonliteral",
    "format-security",
    "format-zero-length",
    "format",
    "ignored-qualifiers",
    "implicit-function-declaration",
    "incompatible-pointer-types",
    "int-conversion",
    "int-in-bool-context",
    "int-to-pointer-cast",
    "jump-misses-init",
    "logical-not-parentheses",
    "logical-op",
    "long-long",
    "main",
    "memset-elt-size",
    "memset-transposed-args",
    "misleading-indentation",
    "missing-braces",
    "missing-declarations",
    "missing-field-initializers",
    "missing-prototypes",
    "multichar",
    "multistatement-macros",
    "nested-externs",
    "non-virtual-dtor",
    "old-style-cast",
    "old-style-definition",
    "overflow",
    "overloaded-virtual",
    "override-init",
    "packed",
    "padded",
    "parentheses",
    "pedantic",
    "pessimizing-move",
    "pointer-arith",
    "pointer-sign",
    "pointer-to-int-cast",
    "range-loop-construct",
    "redundant-decls",
    "redundant-move",
    "register",
    "reorder",
    "sequence-point",
    "shadow",
    "shift-count-negative",
    "shift-count-overflow",
    "shift-negative-value",
    "sign-compare",
    "sign-conversion",
    "sign-promo",
    "sizeof-array-argument",
    "sizeof-pointer-div",
    "sizeof-pointer-memaccess",
    "strict-prototypes",
    "suggest-override",
    "switch",
    "switch-default",
    "switch-enum",
    "switch-outside-range",
    "tautological-compare",
    "terminate",
    "trigraphs",
    "type-limits",
    "undef",
    "unknown-pragmas",
    "unsuffixed-float-constants",
    "unused-but-set-parameter",
    "unused-but-set-variable",
    "unused-label",
    "unused-local-typedefs",
    "unused-macros",
    "unused-parameter",
    "unused-value",
    "useless-cast",
    "variadic-macros",
    "vla",
    "vla-parameter",
    "volatile",
    "write-strings",
    "zero-as-null-pointer-constant",
};

/* Found when the whole file is known; unused-variable only for variables outside functions. */
static const char *const gcc_calls[] = {
    "implicit-fallthrough",
    "return-type",
    "unused-const-variable",
    "unused-function",
    "unused-result",
    "unused-variable",
};

static const char *const clang_optimiser[] = {
    "backend-plugin",
    "frame-larger-than",
    "inline-asm",
    "pass-failed",
    "source-mgr",
};

static bool is_among(const char *const *names, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
			return true;
	return false;
}

#define IS_AMONG(names, name, length) is_among(names, sizeof(names) / sizeof *(names), name, length)

enum warning_origin warning_origin(enum compiler_kind kind, const char *name, size_t length)
{
	/*
	 * "pass-failed=transform-warning", "format=". gcc 13 adds an equals sign to some names that
	 * had none before, such as "overloaded-virtual=".
	 */
	const char *equals = memchr(name, '=', length);

	length = equals != NULL ? (size_t)(equals - name) : length;
	if (kind == COMPILER_CLANG)
		return IS_AMONG(clang_optimiser, name, length) ? WARNING_BY_OPTIMISER
							       : WARNING_BY_PARSER;
	if (kind != COMPILER_GCC)
		return WARNING_BY_OPTIMISER;
	if (IS_AMONG(gcc_parser, name, length))
		return WARNING_BY_PARSER;
	return IS_AMONG(gcc_calls, name, length) ? WARNING_BY_CALLS : WARNING_BY_OPTIMISER;
}
