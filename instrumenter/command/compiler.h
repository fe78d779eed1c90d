/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's compiler: which program it is, and never ompinst itself again. */
#ifndef COMPILER_H
#define COMPILER_H

#include "program-search.h"
#include "words.h"

#include <stdbool.h>

enum compiler_kind {
	COMPILER_UNKNOWN, /* not known by its name; see compiler_kind_from_macros() */
	COMPILER_GCC,
	COMPILER_CLANG,
};

struct compiler {
	struct words words; /* "gcc", or "ccache" "gcc": what stands before the arguments */
	char *program;      /* path of the program to run for words.items[0] */
	enum compiler_kind kind;
	bool cxx_driver;     /* such as g++: .c is C++, too */
	bool fortran_driver; /* such as gfortran: links Fortran's libraries */
};

/*
 * Takes the compiler off the front of vector (NULL-terminated, not empty): one word, or a launcher
 * such as ccache and the word after it. Names that lead back to ompinst are looked up past it, and
 * are gone from PATH then (search_hide_ours()). start: SEARCH_BEHIND_OURS when ompinst was called
 * by the compiler's name. Returns how many words of vector it took, or 0 with a message in *error
 * (heap) and the exit code that a shell would give in *code.
 */
size_t compiler_find(const char *const *vector, enum search_start start, struct compiler *compiler,
    char **error, int *code);

void compiler_finish(struct compiler *compiler);

/* The kind by the output of `cc -E -dM`. */
enum compiler_kind compiler_kind_from_macros(const char *text);

/* For a C++ driver's name: g++, clang++-19, mpicxx ... */
bool compiler_name_is_cxx(const char *name);

/* For a Fortran compiler's name: gfortran-12, flang-new, mpif90, mpifort.openmpi, f95 ... */
bool compiler_name_is_fortran(const char *name);

/* Is it a compiler's name, or a launcher's or ompinst's, or a link to one? Others may be compilers.
 */
bool compiler_name_is_known(const char *name);

/* Is there a program of this name (a path, or in PATH) that is not ompinst? */
bool compiler_exists(const char *name);

#endif
