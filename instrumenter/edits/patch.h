/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes of the user's files: collected for each file, checked for overlaps, then printed as a
 * unified diff or written to the files.
 */
#ifndef PATCH_H
#define PATCH_H

#include "common/patch-edits.h"
#include "text-file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct patch_file {
	char *name;               /* as the user or the compiler named it */
	struct text_file text;    /* empty if it cannot be read */
	struct patch_edit *edits; /* sorted, each once; texts are copies */
	size_t count, capacity;
};

struct patch {
	struct patch_file *files;
	size_t count, capacity;
	bool failed;   /* memory ran out */
	bool prefixed; /* names are printed behind a/ and b/, for `patch -p1` and `git apply` */
};

/* The number of the file in the patch, read when it is first asked for; (size_t)-1 without memory.
 */
size_t patch_file_number(struct patch *patch, const char *name);

/*
 * Do the two edits of one file exclude each other: do they touch the same bytes differently, or
 * list one variable in two clauses, or put two directives before one statement? Equal ones do not.
 */
bool patch_edits_conflict(const struct patch_edit *one, const struct patch_edit *other);

/* Adds a copy of the edit, unless the file has it. It must not conflict with one that is there. */
void patch_add(struct patch *patch, size_t file, const struct patch_edit *edit);

/* Removes all edits; the files and their texts stay. */
void patch_clear(struct patch *patch);

/*
 * The text [begin, end) of a file with its edits, those at both ends included (heap,
 * NUL-terminated); NULL without memory.
 */
char *patch_apply(const struct patch_file *file, size_t begin, size_t end, size_t *length);

/*
 * Prints the files with edits as a unified diff, which `patch -p0` and `git apply -p0` take unless
 * it is prefixed.
 */
void patch_print(FILE *out, const struct patch *patch);

/*
 * Replaces the file by its edited text, in one step and with its mode; a symbolic link stays, and
 * what it names is replaced. Returns 0, or -1 with *reason: it cannot be written, or has changed
 * since it was read.
 */
int patch_write(const struct patch_file *file, const char **reason);

/*
 * The place of an offset as editors count it: lines from 1, columns from 1 in UTF-16 units (SARIF
 * 2.1.0, 3.30.5).
 */
void patch_place(const struct patch_file *file, size_t offset, size_t *line, size_t *column);

void patch_finish(struct patch *patch);

#endif
