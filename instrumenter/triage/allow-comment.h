/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comments that allow a race: "omp race: allow", perhaps with a reason behind a further colon, in a
 * comment of any language: C's, C++'s, Fortran's in both forms.
 */
#ifndef TRIAGE_ALLOW_COMMENT_H
#define TRIAGE_ALLOW_COMMENT_H

#include <stdbool.h>
#include <stddef.h>

struct allow_comment {
	size_t offset; /* of the mark in the line; whether that is in a comment, the caller knows */
	const char *reason; /* in the line, without blanks around it */
	size_t reason_length;
};

/* Finds the first such mark in the line; false if there is none. */
bool allow_comment_find(const char *line, size_t length, struct allow_comment *comment);

#endif
