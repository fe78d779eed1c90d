/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is to be run: where it is, and what its files say before it runs. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "words.h"

#include <stdbool.h>

enum program_kind {
	PROGRAM_UNKNOWN, /* cannot be read, or the kernel may know more */
	PROGRAM_DYNAMIC, /* libraries can be attached */
	PROGRAM_STATIC,  /* without a loader that could attach any */
	PROGRAM_FOREIGN, /* of another architecture or word size than ompinst */
	PROGRAM_TEXT,    /* neither ELF nor a script that says what runs it */
};

struct program {
	char *path;   /* what is run */
	char *binary; /* what the kernel loads for it: itself, or the interpreter of a script */
	char *loader; /* of the binary, when it is dynamic */
	enum program_kind kind;
	bool
	    secure; /* runs with other rights than its caller's: the loader then attaches nothing */
	bool contains_runtime; /* GNU's OpenMP runtime is linked into it */
};

/*
 * Looks for a program as a shell does: a path, or a name in PATH. Returns 0, or the exit code of a
 * shell, 126 or 127, with *error (heap, or NULL when memory ran out).
 */
int program_find(const char *name, struct program *program, char **error);

/* Fills in all but the path; what cannot be read stays PROGRAM_UNKNOWN. */
void program_examine(struct program *program);

/* The names of the libraries that a file says it needs; none for a file that is not ELF. */
void program_needs(const char *path, struct words *names);

void program_finish(struct program *program);

#endif
