/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which messages the user reads. The edited text becomes the object file, but the compiler treats
 * preprocessed text differently, so its messages need not be those of the user's own file. They
 * decide what has to be compiled once more for its messages; the cheapest way that gives the right
 * ones is taken.
 */
#ifndef COMPILER_MESSAGES_H
#define COMPILER_MESSAGES_H

#include "compile-job.h"

/* The source of the right messages for an input whose edited text compiled. */
enum messages_source {
	MESSAGES_NONE,        /* there are none */
	MESSAGES_AS_PRINTED,  /* those about the edited text hold for the original, word for word */
	MESSAGES_OF_PARSER,   /* compiling the original up to its syntax tree, without optimisation
				 and code */
	MESSAGES_OF_COMPILER, /* compiling all of the original again */
};

enum messages_source messages_choose_source(const struct job *job);

/*
 * Prints the messages of the source; -Werror and similar flags take effect there. Returns the exit
 * code of the compiler if it was run, else 0.
 */
int messages_show(struct job *job, enum messages_source source);

/* Must comments be kept when preprocessing, because a warning depends on their text? */
bool messages_depend_on_comments(const struct job *job);

#endif
