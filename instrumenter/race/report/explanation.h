/* SPDX-License-Identifier: BSD-3-Clause */
/* A finding in OpenMP's words. All texts are the arena's of the sources. */
#ifndef RACE_EXPLANATION_H
#define RACE_EXPLANATION_H

#include "relation.h"

enum { RACE_MOST_REMEDIES = 4 };

struct race_words {
	struct race_relation relation;
	const char *title;         /* a sentence: who accesses what, and that nothing orders it */
	const char *object;        /* "sum, declared at a.c:3", or NULL */
	const char *sharing;       /* why it is shared, or NULL */
	const char *place[2];      /* "a.c:12" or "program+0x1234" */
	const char *expression[2]; /* what is accessed, or NULL */
	const char *verb[2];       /* "writes", "is read atomically by memcpy()" */
	const char *source[2];     /* the line's text, or "" */
	const char *statement[2];  /* the access' own statement in it, without comments, or "" */
	const char *remedies[RACE_MOST_REMEDIES];
	unsigned remedy_count;
};

struct race_words race_explain(struct race_sources *sources, const struct race_finding *finding);

/* Does one line read another element than the one that it writes, as x[i] = x[i - 1]? */
bool race_reads_another(const struct race_finding *finding, const struct race_words *words);

/* The file as seen from the current folder, where it is below it. */
const char *race_short_path(const char *path);

/* "'parallel for' at a.c:12" */
const char *race_construct_text(
    struct inst_arena *arena, const struct race_text *text, const struct race_construct *construct);

/* Fills remedies; what the rest of the words say is known already. */
void race_add_remedies(
    struct race_sources *sources, const struct race_finding *finding, struct race_words *words);

#endif
