/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments for libclang. They disable OpenMP and warnings, and provide gcc's types that C
 * headers use.
 */
#include "parser.h"

#include <string.h>

/* Does libclang find clang's own headers if the system's are not searched? */
static bool finds_own_headers(void)
{
	static const char *const arguments[] = {"-x", "c", "-nostdlibinc", "-w"};
	static const char text[] = "#include <stddef.h>\nsize_t size;\n";
	struct CXUnsavedFile file = {"headers.c", text, sizeof text - 1};
	CXIndex index = clang_createIndex(0, 0);
	CXTranslationUnit unit = NULL;
	bool found =
	    clang_parseTranslationUnit2(index, file.Filename, arguments,
		sizeof arguments / sizeof *arguments, &file, 1, 0, &unit) == CXError_Success;

	if (found) {
		found = clang_getNumDiagnostics(unit) == 0;
		clang_disposeTranslationUnit(unit);
	}
	clang_disposeIndex(index);
	return found;
}

const char **parser_arguments(struct inst_arena *arena, const struct inst_input *input, int *count)
{
	static const char *const ours[] = {
	    "-w",
	    "-ferror-limit=0",
	    "-fbracket-depth=100000",
	    "-fno-openmp",
	};
	/* gcc's types in glibc's headers; in C++ the headers declare them themselves. */
	static const char *const shims[] = {
	    "-D_Float128=__float128",
	    "-D_Float32=float",
	    "-D_Float64=double",
	    "-D_Float32x=double",
	    "-D_Float64x=long double",
	};
	const size_t own = sizeof ours / sizeof *ours, more = sizeof shims / sizeof *shims;
	const char **arguments = arena_allocate(
	    arena, (input->clang_argument_count + own + more + 8) * sizeof *arguments);
	int used = 0;

	arguments[used++] = "-x";
	arguments[used++] = input->cplusplus ? "c++" : "c";
	for (size_t i = 0; i < input->clang_argument_count; i++)
		if (strncmp(input->clang_arguments[i], "-fopenmp", strlen("-fopenmp")) != 0)
			arguments[used++] = input->clang_arguments[i];
	for (size_t i = 0; i < own; i++)
		arguments[used++] = ours[i];
	if (input->form == INST_SOURCE && input->clang_headers != NULL && !finds_own_headers()) {
		arguments[used++] = "-resource-dir";
		arguments[used++] = input->clang_headers;
	}
	if (input->form == INST_PREPROCESSED || input->predefined != NULL)
		arguments[used++] =
		    "-undef"; /* macros are already expanded, or are defined by the compiler */
	if (input->form == INST_SOURCE && input->predefined != NULL) {
		arguments[used++] = "-imacros";
		arguments[used++] = input->predefined;
	} else if (input->form == INST_SOURCE) {
		arguments[used++] = "-D_OPENMP=201511"; /* code inside #ifdef _OPENMP counts */
	}
	for (size_t i = 0; i < more && !input->cplusplus; i++)
		arguments[used++] = shims[i];
	*count = used;
	return arguments;
}

const char *parser_error(enum CXErrorCode code)
{
	switch (code) {
	case CXError_Crashed:
		return "libclang crashed while parsing";
	case CXError_InvalidArguments:
		return "libclang rejected its arguments";
	default:
		return "libclang could not parse the text";
	}
}
