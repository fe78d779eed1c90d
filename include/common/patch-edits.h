/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits of one text: the edited text, and a unified diff. */
#ifndef COMMON_PATCH_EDITS_H
#define COMMON_PATCH_EDITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Replaces the bytes [begin, end) of a file's text. */
struct patch_edit {
	size_t begin, end;
	char *text; /* heap */
};

/* A text with its edits, sorted by their places, none of which overlap. */
struct patch_text {
	const char *name; /* of the file */
	const char *bytes;
	size_t length;
	const struct patch_edit *edits;
	size_t count;
	bool prefixed; /* its name is printed behind a/ and b/, for `patch -p1` and `git apply` */
};

/*
 * The part [begin, end) with its edits, those at both ends included (heap, NUL-terminated); NULL
 * without memory.
 */
char *patch_text_apply(const struct patch_text *text, size_t begin, size_t end, size_t *length);

/* Prints the edits as a unified diff, with the file's name as seen from the current folder. */
void patch_text_print(FILE *out, const struct patch_text *text);

#endif
