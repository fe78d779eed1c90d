/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program's files say before it runs: can races be found in it? */
#ifndef RACE_EXAMINATION_H
#define RACE_EXAMINATION_H

#include "program.h"

#include <stdbool.h>

/* What to do with a program in which nothing is seen. */
#define RACE_REBUILD                                                                               \
	"build it with 'ompinst race gcc ...' in place of 'gcc ...', compiling and linking"

/* Whether a second race at an address is reported. */
#define RACE_TSAN_ADDRESSES "suppress_equal_addresses"

struct race_examination {
	bool is_certain; /* ThreadSanitizer is in the program; else perhaps in what it starts */
	bool no_lines;   /* no debug information */
	bool knows_addresses; /* ThreadSanitizer's runtime has the option of this name: */
	char *obstacle;       /* heap: why it makes no sense to run it, with the remedy; or NULL */
};

/* Nothing of the program runs for it. */
void race_examine(const struct program *program, struct race_examination *examination);

void race_examination_finish(struct race_examination *examination);

#endif
