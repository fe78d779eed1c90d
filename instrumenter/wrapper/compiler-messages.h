/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose messages the user reads. The edited text is what becomes the object file, but the compiler
 * judges preprocessed text differently, so its messages need not be those of the user's own file.
 * From them, cheapest first, follows what has to be asked once more.
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "compile-job.h"

/* What tells the user the truth about an input whose edited text compiled. */
enum messages_source {
	MESSAGES_NONE,      /* there is nothing to tell */
	MESSAGES_AS_SAID,   /* what was said of the edited text holds of the original, word for word
			     */
	MESSAGES_OF_PARSER, /* the original's first part, without optimisation and code */
	MESSAGES_OF_COMPILER, /* only compiling the original again */
};

enum messages_source messages_judge(const struct job *job);

/*
 * Shows what the source gives; -Werror and its like are decided there. Returns the exit code of the
 * compiler that was asked, else 0.
 */
int messages_show(struct job *job, enum messages_source source);

/* Must comments be kept when preprocessing, because a warning depends on what they say? */
bool messages_depend_on_comments(const struct job *job);

#endif
