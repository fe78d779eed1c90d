/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compiler's options, as far as a wrapper has to distinguish them. The table determines the
 * behaviour. An option without a row is one word and goes to every step, which is right for nearly
 * all -f, -m, -O, -W and -g. An option needs a row if it takes the next word, belongs to only one
 * step, or means that the command is not a compilation. From the manuals of gcc 12 and clang 19.
 *
 * A command is left unchanged in two cases. With ARGUMENT_UNTOUCHED it makes no code, so nothing is
 * lost. With ARGUMENT_UNREADABLE it makes code in a way that the steps cannot follow, and the user
 * is warned with the reason in `why`.
 */
#include "arguments.h"

#include <stdbool.h>
#include <string.h>

enum shape {
	ALONE,    /* exactly this word */
	JOINED,   /* begins with it; the rest, perhaps nothing, is its value */
	SEPARATE, /* exactly this word; the next word is its value */
	EITHER,   /* -Idir or -I dir */
};

/*
 * The first matching row counts, so a longer name comes before a shorter one with which it begins.
 */
static const struct rule {
	const char *name;
	enum shape shape;
	enum argument_role role;
	const char *why; /* ARGUMENT_UNREADABLE: follows the option's name in the warning */
} rules[] = {
    /* What to do */
    {"-c", ALONE, ARGUMENT_TO_OBJECT},
    {"-S", ALONE, ARGUMENT_TO_ASSEMBLY},
    {"-o", EITHER, ARGUMENT_OUTPUT},
    {"-x", EITHER, ARGUMENT_LANGUAGE},
    {"-E", ALONE, ARGUMENT_UNTOUCHED},
    {"-fsyntax-only", ALONE, ARGUMENT_UNTOUCHED},
    {"-###", ALONE, ARGUMENT_UNTOUCHED},
    {"-cc1", JOINED, ARGUMENT_UNREADABLE, "is the compiler's inside"},
    {"-emit-ast", ALONE, ARGUMENT_UNREADABLE, "keeps a syntax tree for a later compilation"},
    {"-emit-llvm", ALONE, ARGUMENT_LLVM},
    {"-fpreprocessed", ALONE, ARGUMENT_PREPROCESSED},
    {"-fdirectives-only", ALONE, ARGUMENT_UNREADABLE, "leaves macros unexpanded"},
    {"-wrapper", SEPARATE, ARGUMENT_UNREADABLE, "puts another program before the compiler's parts"},
    {"-print-", JOINED, ARGUMENT_UNTOUCHED},
    {"-dumpbase-ext", SEPARATE, ARGUMENT_FLAG},
    {"-dumpbase", SEPARATE, ARGUMENT_FLAG},
    {"-dumpdir", SEPARATE, ARGUMENT_FLAG},
    {"-dA", ALONE, ARGUMENT_FLAG},
    {"-dp", ALONE, ARGUMENT_FLAG},
    {"-dump", JOINED, ARGUMENT_UNTOUCHED}, /* -dumpmachine, -dumpversion, -dumpspecs */
    {"-dM", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-dD", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-dN", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-dI", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-dU", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-d", JOINED, ARGUMENT_SIDE_FILES}, /* -da ...: dumps of the compiler's passes */
    {"-help", ALONE, ARGUMENT_UNTOUCHED},
    {"--help", JOINED, ARGUMENT_UNTOUCHED},
    {"--target-help", ALONE, ARGUMENT_UNTOUCHED},
    {"--version", ALONE, ARGUMENT_UNTOUCHED},
    {"--print-", JOINED, ARGUMENT_UNTOUCHED},
    {"--analyze", ALONE, ARGUMENT_UNTOUCHED},
    {"--precompile", ALONE, ARGUMENT_TO_MODULE},
    {"-fmodule-output", JOINED, ARGUMENT_MODULE_OUTPUT},
    {"-", ALONE, ARGUMENT_INPUT},

    /* gcc's long spellings */
    {"--assemble", ALONE, ARGUMENT_TO_ASSEMBLY},
    {"--compile", ALONE, ARGUMENT_TO_OBJECT},
    {"--preprocess", ALONE, ARGUMENT_UNTOUCHED},
    {"--output=", JOINED, ARGUMENT_OUTPUT},
    {"--output", SEPARATE, ARGUMENT_OUTPUT},
    {"--language=", JOINED, ARGUMENT_LANGUAGE},
    {"--language", SEPARATE, ARGUMENT_LANGUAGE},
    {"--include-directory-after", SEPARATE, ARGUMENT_PREPROCESS},
    {"--include-directory=", JOINED, ARGUMENT_PREPROCESS},
    {"--include-directory", SEPARATE, ARGUMENT_PREPROCESS},
    {"--include=", JOINED, ARGUMENT_PREPROCESS},
    {"--include", SEPARATE, ARGUMENT_PREPROCESS},
    {"--imacros=", JOINED, ARGUMENT_PREPROCESS},
    {"--imacros", SEPARATE, ARGUMENT_PREPROCESS},
    {"--define-macro=", JOINED, ARGUMENT_PREPROCESS},
    {"--define-macro", SEPARATE, ARGUMENT_PREPROCESS},
    {"--undefine-macro=", JOINED, ARGUMENT_PREPROCESS},
    {"--undefine-macro", SEPARATE, ARGUMENT_PREPROCESS},
    {"--no-line-commands", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"--dependencies", ALONE, ARGUMENT_UNTOUCHED},
    {"--user-dependencies", ALONE, ARGUMENT_UNTOUCHED},
    {"--write-dependencies", ALONE, ARGUMENT_DEPENDENCY},
    {"--write-user-dependencies", ALONE, ARGUMENT_DEPENDENCY},
    {"--library-directory", SEPARATE, ARGUMENT_LINK},
    {"--for-linker", SEPARATE, ARGUMENT_LINK},
    {"--for-assembler", SEPARATE, ARGUMENT_FLAG},
    {"--entry", SEPARATE, ARGUMENT_LINK},
    {"--prefix", SEPARATE, ARGUMENT_FLAG},

    /* OpenMP */
    {"-fopenmp-targets=", JOINED, ARGUMENT_UNREADABLE, "has each device preprocess for itself"},
    {"--offload-arch=", JOINED, ARGUMENT_UNREADABLE, "has each device preprocess for itself"},
    {"-Wp,-fopenmp", ALONE, ARGUMENT_HIDDEN_OPENMP},
    {"-fopenmp", ALONE, ARGUMENT_OPENMP},
    {"-fopenmp=", JOINED, ARGUMENT_OPENMP},
    {"-qopenmp", ALONE, ARGUMENT_OPENMP},
    {"-fiopenmp", ALONE, ARGUMENT_OPENMP},
    {"-fno-openmp", ALONE, ARGUMENT_NO_OPENMP},

    /* Preprocessing */
    {"-C", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-CC", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-P", ALONE, ARGUMENT_NOT_PREPROCESS},
    {"-include-pch", SEPARATE, ARGUMENT_PREPROCESS},
    {"-include", EITHER, ARGUMENT_PREPROCESS},
    {"-imacros", EITHER, ARGUMENT_PREPROCESS},
    {"-idirafter", EITHER, ARGUMENT_PREPROCESS},
    {"-iprefix", EITHER, ARGUMENT_PREPROCESS},
    {"-iquote", EITHER, ARGUMENT_PREPROCESS},
    {"-isysroot", EITHER, ARGUMENT_FLAG},
    {"-isystem", EITHER, ARGUMENT_PREPROCESS},
    {"-cxx-isystem", EITHER, ARGUMENT_PREPROCESS},
    {"-iwithprefixbefore", EITHER, ARGUMENT_PREPROCESS},
    {"-iwithprefix", EITHER, ARGUMENT_PREPROCESS},
    {"-imultilib", SEPARATE, ARGUMENT_PREPROCESS},
    {"-iplugindir=", JOINED, ARGUMENT_FLAG},
    {"-I", EITHER, ARGUMENT_PREPROCESS},
    {"-D", EITHER, ARGUMENT_PREPROCESS},
    {"-U", EITHER, ARGUMENT_PREPROCESS},
    {"-H", ALONE, ARGUMENT_PREPROCESS},
    {"-undef", ALONE, ARGUMENT_PREPROCESS},
    {"-nostdinc", JOINED, ARGUMENT_PREPROCESS},
    {"-traditional-cpp", ALONE, ARGUMENT_PREPROCESS},
    {"-Wp,-MD", JOINED, ARGUMENT_WP_DEPENDENCY},
    {"-Wp,-MMD", JOINED, ARGUMENT_WP_DEPENDENCY},
    {"-Wp,", JOINED, ARGUMENT_PREPROCESS},
    {"-Xpreprocessor", SEPARATE, ARGUMENT_PREPROCESS},
    {"-MJ", EITHER, ARGUMENT_PREPROCESS},
    {"-MD", ALONE, ARGUMENT_DEPENDENCY},
    {"-MMD", ALONE, ARGUMENT_DEPENDENCY},
    {"-MP", ALONE, ARGUMENT_DEPENDENCY},
    {"-MV", ALONE, ARGUMENT_DEPENDENCY},
    {"-MF", EITHER, ARGUMENT_DEPENDENCY_FILE},
    {"-MT", EITHER, ARGUMENT_DEPENDENCY_TARGET},
    {"-MQ", EITHER, ARGUMENT_DEPENDENCY_TARGET},
    {"-MG", ALONE, ARGUMENT_DEPENDENCY},
    {"-M", JOINED, ARGUMENT_UNTOUCHED}, /* -M, -MM */

    /* Compiling */
    {"-Werror=", JOINED, ARGUMENT_WARNING_ERROR},
    {"-Werror", ALONE, ARGUMENT_WARNING_ERROR},
    {"-Wfatal-errors", ALONE, ARGUMENT_WARNING_ERROR},
    {"-pedantic-errors", ALONE, ARGUMENT_WARNING_ERROR},
    {"-g3", ALONE, ARGUMENT_MACRO_DEBUG},
    {"-ggdb3", ALONE, ARGUMENT_MACRO_DEBUG},
    {"--coverage", ALONE, ARGUMENT_SIDE_FILES},
    {"-coverage", ALONE, ARGUMENT_SIDE_FILES},
    {"-ftest-coverage", ALONE, ARGUMENT_SIDE_FILES},
    {"-fprofile-arcs", ALONE, ARGUMENT_SIDE_FILES},
    {"-fprofile-generate", JOINED, ARGUMENT_SIDE_FILES},
    {"-fprofile-use", JOINED, ARGUMENT_SIDE_FILES},
    {"-gsplit-dwarf", JOINED, ARGUMENT_SIDE_FILES},
    {"-fstack-usage", ALONE, ARGUMENT_SIDE_FILES},
    {"-fcallgraph-info", JOINED, ARGUMENT_SIDE_FILES},
    {"-fdump-", JOINED, ARGUMENT_SIDE_FILES},
    {"-ftime-trace", JOINED, ARGUMENT_SIDE_FILES},
    {"-save-temps", JOINED, ARGUMENT_SAVE_TEMPS},
    {"--save-temps", JOINED, ARGUMENT_SAVE_TEMPS},
    {"--param=", JOINED, ARGUMENT_FLAG},
    {"--param", SEPARATE, ARGUMENT_FLAG},
    {"--sysroot=", JOINED, ARGUMENT_FLAG},
    {"--sysroot", SEPARATE, ARGUMENT_FLAG},
    {"--config", SEPARATE, ARGUMENT_FLAG},
    {"-Wa,", JOINED, ARGUMENT_FLAG},
    {"-Xassembler", SEPARATE, ARGUMENT_FLAG},
    {"-Xclang", SEPARATE, ARGUMENT_FLAG},
    {"-Xopenmp-target", SEPARATE, ARGUMENT_FLAG},
    {"-mllvm", SEPARATE, ARGUMENT_FLAG},
    {"-aux-info", SEPARATE, ARGUMENT_FLAG},
    {"-arch", SEPARATE, ARGUMENT_FLAG},
    {"-target", SEPARATE, ARGUMENT_FLAG},
    {"-gcc-toolchain", SEPARATE, ARGUMENT_FLAG},
    {"-B", EITHER, ARGUMENT_FLAG},

    /* Linking */
    {"-Wl,-r", ALONE, ARGUMENT_RELOCATABLE},
    {"-Wl,-i", ALONE, ARGUMENT_RELOCATABLE},
    {"-Wl,--relocatable", ALONE, ARGUMENT_RELOCATABLE},
    {"-Wl,", JOINED, ARGUMENT_LINK},
    {"-Xlinker", SEPARATE, ARGUMENT_LINK},
    {"-L", EITHER, ARGUMENT_LINK},
    {"-l", EITHER, ARGUMENT_LIBRARY},
    {"-T", EITHER, ARGUMENT_LINK},
    {"-u", EITHER, ARGUMENT_LINK},
    {"-z", EITHER, ARGUMENT_LINK},
    {"-e", EITHER, ARGUMENT_LINK},
    {"-framework", SEPARATE, ARGUMENT_LINK},
    {"-r", ALONE, ARGUMENT_RELOCATABLE},
    {"-s", ALONE, ARGUMENT_LINK},
    {"-shared", JOINED, ARGUMENT_LINK},
    {"-static", JOINED, ARGUMENT_LINK},
    {"-symbolic", ALONE, ARGUMENT_LINK},
    {"-rdynamic", ALONE, ARGUMENT_LINK},
    {"-pie", ALONE, ARGUMENT_LINK},
    {"-no-pie", ALONE, ARGUMENT_LINK},
    {"-nostdlib", JOINED, ARGUMENT_LINK},
    {"-nostartfiles", ALONE, ARGUMENT_LINK},
    {"-nodefaultlibs", ALONE, ARGUMENT_LINK},
    {"-nolibc", ALONE, ARGUMENT_LINK},
};

static bool rule_fits(const struct rule *rule, const char *word)
{
	size_t length = strlen(rule->name);

	if (strncmp(word, rule->name, length) != 0)
		return false;
	return word[length] == '\0' || rule->shape == JOINED || rule->shape == EITHER;
}

/* The role of an option that passes its value to a part of the compiler. */
static enum argument_role role_of_value(const struct rule *rule, const char *value)
{
	if (strcmp(value, "-fopenmp") == 0 &&
	    (strcmp(rule->name, "-Xpreprocessor") == 0 || strcmp(rule->name, "-Xclang") == 0))
		return ARGUMENT_HIDDEN_OPENMP;
	if (strcmp(rule->name, "-Xlinker") == 0 &&
	    (strcmp(value, "-r") == 0 || strcmp(value, "--relocatable") == 0))
		return ARGUMENT_RELOCATABLE;
	return rule->role;
}

struct argument argument_read(const char *word, const char *next)
{
	if (word[0] != '-')
		return (struct argument){ARGUMENT_INPUT, 1, word, NULL};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const struct rule *rule = &rules[i];
		if (!rule_fits(rule, word))
			continue;
		const char *rest = word + strlen(rule->name);
		bool separate = rule->shape == SEPARATE || (rule->shape == EITHER && *rest == '\0');
		if (separate && next == NULL) /* the compiler will reject it */
			return (struct argument){ARGUMENT_UNTOUCHED, 1, NULL, NULL};
		if (separate)
			return (struct argument){role_of_value(rule, next), 2, next, rule->why};
		if (rule->role == ARGUMENT_INPUT)
			return (struct argument){rule->role, 1, word, NULL};
		return (struct argument){
		    rule->role, 1, rule->shape == ALONE ? NULL : rest, rule->why};
	}
	return (struct argument){ARGUMENT_FLAG, 1, NULL, NULL};
}

/* Suffixes of source files as the compilers interpret them; any other file goes to the linker. */
static const struct {
	const char *suffix;
	enum language language;
} suffixes[] = {
    {".c", LANGUAGE_C},
    {".i", LANGUAGE_C_PREPROCESSED},
    {".C", LANGUAGE_CXX},
    {".cc", LANGUAGE_CXX},
    {".cp", LANGUAGE_CXX},
    {".cxx", LANGUAGE_CXX},
    {".cpp", LANGUAGE_CXX},
    {".CPP", LANGUAGE_CXX},
    {".c++", LANGUAGE_CXX},
    {".CC", LANGUAGE_CXX}, /* only clang knows this and the next two */
    {".CXX", LANGUAGE_CXX},
    {".C++", LANGUAGE_CXX},
    {".ii", LANGUAGE_CXX_PREPROCESSED},
    {".h", LANGUAGE_HEADER},
    {".H", LANGUAGE_HEADER},
    {".hh", LANGUAGE_HEADER},
    {".hp", LANGUAGE_HEADER},
    {".hxx", LANGUAGE_HEADER},
    {".hpp", LANGUAGE_HEADER},
    {".HPP", LANGUAGE_HEADER},
    {".h++", LANGUAGE_HEADER},
    {".tcc", LANGUAGE_HEADER},
    {".s", LANGUAGE_OTHER},
    {".S", LANGUAGE_OTHER},
    {".sx", LANGUAGE_OTHER},
    {".m", LANGUAGE_FOREIGN},
    {".mm", LANGUAGE_FOREIGN},
    {".M", LANGUAGE_FOREIGN},
    {".mi", LANGUAGE_FOREIGN},
    {".mii", LANGUAGE_FOREIGN},
    {".f", LANGUAGE_FORTRAN},
    {".for", LANGUAGE_FORTRAN},
    {".ftn", LANGUAGE_FORTRAN},
    {".F", LANGUAGE_FORTRAN},
    {".FOR", LANGUAGE_FORTRAN},
    {".fpp", LANGUAGE_FORTRAN},
    {".FPP", LANGUAGE_FORTRAN},
    {".FTN", LANGUAGE_FORTRAN},
    {".f90", LANGUAGE_FORTRAN},
    {".F90", LANGUAGE_FORTRAN},
    {".f95", LANGUAGE_FORTRAN},
    {".F95", LANGUAGE_FORTRAN},
    {".f03", LANGUAGE_FORTRAN},
    {".F03", LANGUAGE_FORTRAN},
    {".f08", LANGUAGE_FORTRAN},
    {".F08", LANGUAGE_FORTRAN},
    {".go", LANGUAGE_FOREIGN},
    {".d", LANGUAGE_FOREIGN},
    {".adb", LANGUAGE_FOREIGN},
    {".ads", LANGUAGE_FOREIGN},
    {".ll", LANGUAGE_OTHER},
    {".bc", LANGUAGE_OTHER},
    {".cu", LANGUAGE_FOREIGN},
    {".ast", LANGUAGE_FOREIGN},
    {".pcm", LANGUAGE_OTHER},
    {".cppm", LANGUAGE_MODULE},
    {".ccm", LANGUAGE_MODULE},
    {".cxxm", LANGUAGE_MODULE},
    {".c++m", LANGUAGE_MODULE},
    {".f23", LANGUAGE_FORTRAN},
    {".F23", LANGUAGE_FORTRAN},
    {".ixx", LANGUAGE_MODULE},
};

enum language language_of_file(const char *name, int cxx_driver)
{
	const char *base = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
	const char *dot = strrchr(base, '.');

	for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (strcmp(dot, suffixes[i].suffix) == 0)
			return suffixes[i].language == LANGUAGE_C && cxx_driver
				   ? LANGUAGE_CXX
				   : suffixes[i].language;
	return LANGUAGE_LINKER;
}

enum language language_of_option(const char *value)
{
	static const struct {
		const char *name;
		enum language language;
	} names[] = {
	    {"none", LANGUAGE_LINKER},
	    {"c", LANGUAGE_C},
	    {"c++", LANGUAGE_CXX},
	    {"cpp-output", LANGUAGE_C_PREPROCESSED},
	    {"c++-cpp-output", LANGUAGE_CXX_PREPROCESSED},
	    {"c-header", LANGUAGE_HEADER},
	    {"c++-header", LANGUAGE_HEADER},
	    {"c++-system-header", LANGUAGE_HEADER},
	    {"c++-user-header", LANGUAGE_HEADER},
	    {"c++-module", LANGUAGE_MODULE},
	    {"assembler", LANGUAGE_OTHER},
	    {"assembler-with-cpp", LANGUAGE_OTHER},
	    {"ir", LANGUAGE_OTHER},
	    {"lto", LANGUAGE_OTHER},
	    {"f77", LANGUAGE_FORTRAN},
	    {"f77-cpp-input", LANGUAGE_FORTRAN},
	    {"f95", LANGUAGE_FORTRAN},
	    {"f95-cpp-input", LANGUAGE_FORTRAN},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(value, names[i].name) == 0)
			return names[i].language;
	return LANGUAGE_FOREIGN;
}
