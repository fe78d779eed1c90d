/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What gcc's and clang's options mean to a wrapper: how many words they have, and which step they
 * belong to.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stddef.h>

/* One bit each, so that a step can name a set of roles. */
enum argument_role {
	ARGUMENT_FLAG = 1 << 0,       /* for every step; also everything unknown */
	ARGUMENT_PREPROCESS = 1 << 1, /* -D, -I: not needed once the text is preprocessed */
	ARGUMENT_DEPENDENCY = 1 << 2, /* -MD and similar: the preprocessing step writes the file */
	ARGUMENT_DEPENDENCY_FILE = 1 << 3,
	ARGUMENT_DEPENDENCY_TARGET = 1 << 4,
	ARGUMENT_WARNING_ERROR = 1 << 5, /* turns warnings into errors */
	ARGUMENT_LINK = 1 << 6,          /* for the link step only */
	ARGUMENT_LIBRARY = 1 << 7,       /* -l: an input for the linker; the order matters */
	ARGUMENT_INPUT = 1 << 8,
	ARGUMENT_OUTPUT = 1 << 9,
	ARGUMENT_LANGUAGE = 1 << 10,
	ARGUMENT_TO_OBJECT = 1 << 11,
	ARGUMENT_TO_ASSEMBLY = 1 << 12,
	ARGUMENT_OPENMP = 1 << 13,
	ARGUMENT_NO_OPENMP = 1 << 14,
	ARGUMENT_SAVE_TEMPS = 1 << 15,
	ARGUMENT_RELOCATABLE = 1 << 16,
	ARGUMENT_MACRO_DEBUG = 1 << 17,    /* -g3: cc -E then also prints the #define lines */
	ARGUMENT_NOT_PREPROCESS = 1 << 18, /* affects only -E, and would change the text */
	ARGUMENT_WP_DEPENDENCY = 1 << 19,  /* -Wp,-MD: like -MD, but bypasses the compiler driver */
	ARGUMENT_SIDE_FILES =
	    1 << 20, /* compiling also makes files that are named after the object */
	ARGUMENT_UNTOUCHED = 1 << 21, /* the command makes no code: left unchanged */
	ARGUMENT_UNREADABLE =
	    1 << 22, /* makes code, but not in steps: left unchanged, with a warning */
	ARGUMENT_PREPROCESSED = 1 << 23,  /* the inputs are preprocessed, whatever their suffixes */
	ARGUMENT_LLVM = 1 << 24,          /* outputs are LLVM's: .bc and .ll */
	ARGUMENT_HIDDEN_OPENMP = 1 << 25, /* -fopenmp that reaches only some steps */
	ARGUMENT_TO_MODULE = 1 << 26,
	ARGUMENT_MODULE_OUTPUT = 1 << 27, /* compiling also makes a module */
};

struct argument {
	enum argument_role role;
	size_t words;      /* 1, or 2 with a separate value */
	const char *value; /* joined or separate; NULL if there is none */
	const char *why;   /* ARGUMENT_UNREADABLE: what it does, follows its name; else NULL */
};

/* Reads the option or input at vector[0]; next is vector[1] or NULL. */
struct argument argument_read(const char *word, const char *next);

enum language {
	LANGUAGE_LINKER, /* not a source: objects, libraries, linker scripts */
	LANGUAGE_C,
	LANGUAGE_CXX,
	LANGUAGE_C_PREPROCESSED,
	LANGUAGE_CXX_PREPROCESSED,
	LANGUAGE_HEADER, /* to be precompiled */
	LANGUAGE_OTHER,  /* assembly, LLVM's: compiled, but nothing to instrument */
	LANGUAGE_FORTRAN,
	LANGUAGE_MODULE,  /* a module interface of C++ */
	LANGUAGE_FOREIGN, /* another language that may contain OpenMP */
};

/* The language by the suffix of a file's name; cxx_driver: g++ reads .c as C++. */
enum language language_of_file(const char *name, int cxx_driver);

/* The language by the value of -x; "none" gives LANGUAGE_LINKER: the suffix decides again. */
enum language language_of_option(const char *value);

#endif
