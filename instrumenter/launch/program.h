/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is to be run: its place, and what its files show before it runs. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "word-list.h"

#include <stdbool.h>

enum program_kind {
	PROGRAM_UNKNOWN, /* cannot be read, or the kernel may know more */
	PROGRAM_DYNAMIC, /* has a dynamic loader, which can attach libraries */
	PROGRAM_STATIC,  /* has no loader that could attach libraries */
	PROGRAM_FOREIGN, /* of another architecture or word size than ompinst */
	PROGRAM_TEXT,    /* neither ELF nor a script that names its interpreter */
};

struct program {
	char *path;   /* what is run */
	char *binary; /* what the kernel loads: the program, or a script's interpreter */
	char *loader; /* of the binary, if it is dynamic */
	enum program_kind kind;
	bool secure; /* runs with other rights than its caller: the loader attaches nothing */
	bool contains_runtime; /* GNU's OpenMP runtime is linked into it */
};

/*
 * Searches for a program as a shell does: a path, or a name in PATH. Returns 0, or a shell's exit
 * code, 126 or 127, with *error (heap, or NULL if memory ran out).
 */
int program_find(const char *name, struct program *program, char **error);

/* Fills in everything but the path; a file that cannot be read stays PROGRAM_UNKNOWN. */
void program_examine(struct program *program);

/* The names of the libraries that the file needs; none if it is not an ELF file. */
void program_needs(const char *path, struct words *names);

void program_finish(struct program *program);

#endif
