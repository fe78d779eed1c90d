/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains a cycle of locks in the words of `ompinst lint`. The sources' arena owns all texts. */
#ifndef RACE_DEADLOCK_WORDS_H
#define RACE_DEADLOCK_WORDS_H

#include "deadlocks.h"
#include "explanation.h"

struct race_step_words {
	const char *at, *since; /* "a.c:12": where a lock is wanted, where the held one was taken */
	const char *wanted, *held;                    /* "lock a", "critical (sum)" */
	const char *wants, *holds;                    /* "sets", "has set" */
	const char *at_source, *since_source;         /* the lines' texts, or "" */
	const struct race_text *at_text, *since_text; /* the whole files; NULL: unknown */
};

struct race_deadlock_words {
	enum race_rule rule;
	const char *title;
	const struct race_step_words *steps; /* as many as the deadlock has */
	const char **objects;                /* what the locks are: "lock a: ..." */
	size_t object_count;
	const char *remedies[RACE_MOST_REMEDIES];
	unsigned remedy_count;
};

struct race_deadlock_words race_explain_deadlock(
    struct race_sources *sources, const struct race_deadlock *deadlock);

#endif
