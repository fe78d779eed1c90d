/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the compiler messages that the user sees. The object file comes from the edited text, but
 * compilers treat preprocessed text differently, so the messages may differ from those for the
 * user's own file. They show whether something must be compiled again to get the right messages;
 * the cheapest way that gives them is used.
 */
#ifndef COMPILER_MESSAGES_H
#define COMPILER_MESSAGES_H

#include "compile-job.h"

/* Where the right messages for an input come from, once its edited text compiled. */
enum messages_source {
	MESSAGES_NONE,        /* there are none */
	MESSAGES_AS_PRINTED,  /* those about the edited text are exactly those for the original */
	MESSAGES_OF_PARSER,   /* from compiling the original only up to its syntax tree */
	MESSAGES_OF_COMPILER, /* from compiling all of the original again */
};

enum messages_source messages_choose_source(const struct job *job);

/*
 * Prints the messages from that source; -Werror and similar flags take effect there. Returns the
 * exit code of the compiler if it runs, else 0.
 */
int messages_show(struct job *job, enum messages_source source);

/* Must preprocessing keep comments, because a warning depends on their text? */
bool messages_depend_on_comments(const struct job *job);

#endif
