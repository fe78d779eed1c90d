/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compiler's options, as far as a wrapper has to tell them apart. The table is the behaviour:
 * an option without a row is one word and goes to every step, which is right for nearly all -f, -m,
 * -O, -W and -g; a row is needed when an option takes the next word, or belongs to one step only,
 * or means that the command is not a compilation. From the manuals of gcc 12 and clang 19.
 */
#include "arguments.h"

#include <stdbool.h>
#include <string.h>

enum shape {
	ALONE,    /* exactly this word */
	JOINED,   /* begins so; the rest, perhaps nothing, is its value */
	SEPARATE, /* exactly this word, and the next is its value */
	EITHER,   /* -Idir or -I dir */
};

/* The first row that fits counts, so longer names stand before the shorter ones they begin with. */
static const struct rule {
	const char *name;
	enum shape shape;
	enum argument_role role;
} rules[] = {
    /* What to do */
    {"-c", ALONE, ARGUMENT_TO_OBJECT},
    {"-S", ALONE, ARGUMENT_TO_ASSEMBLY},
    {"-o", EITHER, ARGUMENT_OUTPUT},
    {"-x", EITHER, ARGUMENT_LANGUAGE},
    {"-E", ALONE, ARGUMENT_UNTOUCHED},
    {"-fsyntax-only", ALONE, ARGUMENT_UNTOUCHED},
    {"-###", ALONE, ARGUMENT_UNTOUCHED},
    {"-cc1", JOINED, ARGUMENT_UNTOUCHED},
    {"-emit-ast", ALONE, ARGUMENT_UNTOUCHED},
    {"-emit-llvm", ALONE, ARGUMENT_FLAG},
    {"-fpreprocessed", ALONE, ARGUMENT_UNTOUCHED},
    {"-fdirectives-only", ALONE, ARGUMENT_UNTOUCHED},
    {"-wrapper", SEPARATE, ARGUMENT_UNTOUCHED},
    {"-print-", JOINED, ARGUMENT_UNTOUCHED},
    {"-dumpbase-ext", SEPARATE, ARGUMENT_FLAG},
    {"-dumpbase", SEPARATE, ARGUMENT_FLAG},
    {"-dumpdir", SEPARATE, ARGUMENT_FLAG},
    {"-dA", ALONE, ARGUMENT_FLAG},
    {"-dp", ALONE, ARGUMENT_FLAG},
    {"-d", JOINED, ARGUMENT_UNTOUCHED}, /* -dM, -dumpmachine ... */
    {"-help", ALONE, ARGUMENT_UNTOUCHED},
    {"--help", JOINED, ARGUMENT_UNTOUCHED},
    {"--target-help", ALONE, ARGUMENT_UNTOUCHED},
    {"--version", ALONE, ARGUMENT_UNTOUCHED},
    {"--print-", JOINED, ARGUMENT_UNTOUCHED},
    {"--analyze", ALONE, ARGUMENT_UNTOUCHED},
    {"--precompile", ALONE, ARGUMENT_UNTOUCHED},
    {"-", ALONE, ARGUMENT_UNTOUCHED}, /* standard input can be read only once */

    /* gcc's long spellings, which nobody uses: better untouched than misread */
    {"--assemble", ALONE, ARGUMENT_UNTOUCHED},
    {"--compile", ALONE, ARGUMENT_UNTOUCHED},
    {"--preprocess", ALONE, ARGUMENT_UNTOUCHED},
    {"--output", JOINED, ARGUMENT_UNTOUCHED},
    {"--language", JOINED, ARGUMENT_UNTOUCHED},
    {"--include", JOINED, ARGUMENT_UNTOUCHED},
    {"--imacros", JOINED, ARGUMENT_UNTOUCHED},
    {"--define-macro", JOINED, ARGUMENT_UNTOUCHED},
    {"--undefine-macro", JOINED, ARGUMENT_UNTOUCHED},
    {"--dependencies", ALONE, ARGUMENT_UNTOUCHED},
    {"--user-dependencies", ALONE, ARGUMENT_UNTOUCHED},
    {"--write-dependencies", ALONE, ARGUMENT_UNTOUCHED},
    {"--write-user-dependencies", ALONE, ARGUMENT_UNTOUCHED},

    /* OpenMP */
    {"-fopenmp-targets=", JOINED, ARGUMENT_UNTOUCHED}, /* each device preprocesses for itself */
    {"-fopenmp", ALONE, ARGUMENT_OPENMP},
    {"-fopenmp=", JOINED, ARGUMENT_OPENMP},
    {"-qopenmp", ALONE, ARGUMENT_OPENMP},
    {"-fno-openmp", ALONE, ARGUMENT_NO_OPENMP},

    /* Preprocessing */
    {"-C", ALONE, ARGUMENT_UNTOUCHED},
    {"-CC", ALONE, ARGUMENT_UNTOUCHED},
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
    {"-M", JOINED, ARGUMENT_UNTOUCHED}, /* -M, -MM, -MG */

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

struct argument argument_read(const char *word, const char *next)
{
	if (word[0] != '-')
		return (struct argument){ARGUMENT_INPUT, 1, word};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const struct rule *rule = &rules[i];
		if (!rule_fits(rule, word))
			continue;
		const char *rest = word + strlen(rule->name);
		bool separate = rule->shape == SEPARATE || (rule->shape == EITHER && *rest == '\0');
		if (separate && next == NULL) /* the compiler will complain */
			return (struct argument){ARGUMENT_UNTOUCHED, 1, NULL};
		if (separate)
			return (struct argument){rule->role, 2, next};
		return (struct argument){rule->role, 1, rule->shape == ALONE ? NULL : rest};
	}
	return (struct argument){ARGUMENT_FLAG, 1, NULL};
}

/* Suffixes of source files, as the compilers read them; everything else goes to the linker. */
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
    {".m", LANGUAGE_OTHER},
    {".mm", LANGUAGE_OTHER},
    {".M", LANGUAGE_OTHER},
    {".mi", LANGUAGE_OTHER},
    {".mii", LANGUAGE_OTHER},
    {".f", LANGUAGE_OTHER},
    {".for", LANGUAGE_OTHER},
    {".ftn", LANGUAGE_OTHER},
    {".F", LANGUAGE_OTHER},
    {".FOR", LANGUAGE_OTHER},
    {".fpp", LANGUAGE_OTHER},
    {".FPP", LANGUAGE_OTHER},
    {".FTN", LANGUAGE_OTHER},
    {".f90", LANGUAGE_OTHER},
    {".F90", LANGUAGE_OTHER},
    {".f95", LANGUAGE_OTHER},
    {".F95", LANGUAGE_OTHER},
    {".f03", LANGUAGE_OTHER},
    {".F03", LANGUAGE_OTHER},
    {".f08", LANGUAGE_OTHER},
    {".F08", LANGUAGE_OTHER},
    {".go", LANGUAGE_OTHER},
    {".d", LANGUAGE_OTHER},
    {".adb", LANGUAGE_OTHER},
    {".ads", LANGUAGE_OTHER},
    {".ll", LANGUAGE_OTHER},
    {".bc", LANGUAGE_OTHER},
    {".cu", LANGUAGE_OTHER},
    {".cppm", LANGUAGE_OTHER},
    {".ixx", LANGUAGE_OTHER},
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
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(value, names[i].name) == 0)
			return names[i].language;
	return LANGUAGE_OTHER;
}
