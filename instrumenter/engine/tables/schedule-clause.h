/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a schedule clause: `monotonic, simd: dynamic, 4`. */
#ifndef SCHEDULE_CLAUSE_H
#define SCHEDULE_CLAUSE_H

#include "clauses.h"

struct schedule_word {
	const char *text;
	size_t length; /* 0: absent */
};

struct schedule_clause {
	struct schedule_word modifiers, kind, chunk;
};

/* A loop without the clause is static, as in gcc and clang. */
struct schedule_clause schedule_clause_read(const struct clause_list *list);

bool schedule_word_is(const struct schedule_word *word, const char *text);

/* Does the word consist of digits? An absent one does. */
bool schedule_word_is_number(const struct schedule_word *word);

#endif
