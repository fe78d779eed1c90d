/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's compiler: which program it is, other than ompinst itself. */
#ifndef COMPILER_H
#define COMPILER_H

#include "program-search.h"
#include "word-list.h"

#include <stdbool.h>

enum compiler_kind {
	COMPILER_UNKNOWN, /* name unknown; see compiler_kind_from_macros() */
	COMPILER_GCC,
	COMPILER_CLANG,
};

struct compiler {
	struct words words; /* "gcc", or "ccache" "gcc": the words before the arguments */
	char *program;      /* path of the program to run for words.items[0] */
	enum compiler_kind kind;
	bool cxx_driver;     /* such as g++: .c is also C++ */
	bool fortran_driver; /* such as gfortran: links Fortran's libraries */
};

/*
 * Takes the compiler from the front of vector (NULL-terminated, not empty): one word, or a launcher
 * such as ccache and the word after it. If a name leads back to ompinst, the search continues after
 * it, and ompinst's folders are removed from PATH (search_hide_ours()). start: SEARCH_BEHIND_OURS
 * if ompinst was called by the compiler's name. Returns how many words of vector it took, or 0 with
 * a message in *error (heap) and a shell's exit code in *code.
 */
size_t compiler_find(const char *const *vector, enum search_start start, struct compiler *compiler,
    char **error, int *code);

void compiler_finish(struct compiler *compiler);

/* The kind, judging by the output of `cc -E -dM`. */
enum compiler_kind compiler_kind_from_macros(const char *text);

/* Is this the name of a C++ driver: g++, clang++-19, mpicxx ...? */
bool compiler_name_is_cxx(const char *name);

/*
 * Is this the name of a known compiler, of a launcher, of ompinst, or of a link to one? Other names
 * may be compilers, too.
 */
bool compiler_name_is_known(const char *name);

/* Does a program with this name (a path, or in PATH) exist that is not ompinst? */
bool compiler_exists(const char *name);

#endif
