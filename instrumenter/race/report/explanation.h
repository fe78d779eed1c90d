/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains a finding in OpenMP's terms. The arena of the sources owns all texts. */
#ifndef RACE_EXPLANATION_H
#define RACE_EXPLANATION_H

#include "relation.h"

enum { RACE_MOST_REMEDIES = 4 };

/* An edit of the source that is part of a remedy: lines and columns as SARIF counts them. */
struct race_edit {
	const char *file;
	uint64_t line, column, end_line, end_column;
	const char *text; /* what replaces it */
};

struct race_words {
	struct race_relation relation;
	const char *title;    /* a sentence: which code accesses what, and that nothing orders it */
	const char *object;   /* "sum, declared at a.c:3", or NULL */
	const char *sharing;  /* why it is shared, or NULL */
	const char *place[2]; /* "a.c:12" or "program+0x1234" */
	const char *expression[2]; /* the accessed expression, or NULL */
	const char *verb[2];       /* "writes", "is read atomically by memcpy()" */
	const char *source[2];     /* the line's text, or "" */
	const char
	    *statement[2]; /* the access's own statement on that line, without comments, or "" */
	const char *remedies[RACE_MOST_REMEDIES];
	unsigned remedy_count;
	const struct race_edit *edits; /* with --fix, of the first remedy */
	size_t edit_count;
};

struct race_words race_explain(struct race_sources *sources, const struct race_finding *finding);

/* "a.c:12" or "program+0x1234" */
const char *race_place_text(struct inst_arena *arena, const struct race_side *side);

/* "sum, a variable of static storage declared at a.c:3", from place, variable, allocated; or NULL.
 */
const char *race_object_text(struct inst_arena *arena, const struct race_finding *finding);

/* Does one line read another element than it writes, as in x[i] = x[i - 1]? */
bool race_reads_another(const struct race_finding *finding, const struct race_words *words);

/* The path relative to the current folder, if the file is below it. */
const char *race_short_path(const char *path);

/* "'parallel for' at a.c:12" */
const char *race_construct_text(
    struct inst_arena *arena, const struct race_text *text, const struct race_construct *construct);

/* The execution of a construct as the subject of a sentence. */
struct race_subject {
	const char *text;
	bool many; /* the verb is plural */
};

/* `same`: both executions of a race are of the same kind. */
struct race_subject race_subject_of(
    struct inst_arena *arena, const struct race_position *position, bool same);

/* The clause on this construct that lists the variable, or NULL. */
const char *race_listing_clause(const struct race_construct *construct, const char *name);

/* For a memory error: fills all but relation, places, expressions and texts of the source. */
void race_explain_memory(
    struct race_sources *sources, const struct race_finding *finding, struct race_words *words);

/* Fills the remedies; all other fields of words must be filled. */
void race_add_remedies(
    struct race_sources *sources, const struct race_finding *finding, struct race_words *words);

#endif
