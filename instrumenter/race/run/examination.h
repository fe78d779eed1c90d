/* SPDX-License-Identifier: BSD-3-Clause */
/* Examines a program's files before it runs: can races be found in it? */
#ifndef RACE_EXAMINATION_H
#define RACE_EXAMINATION_H

#include "program.h"

#include <stdbool.h>

/* The advice for a program in which races cannot be seen. */
#define RACE_REBUILD                                                                               \
	"build it with 'ompinst race gcc ...' in place of 'gcc ...', compiling and linking"

#define RACE_REBUILD_FOR_MEMORY                                                                    \
	"build it with 'ompinst race --memory gcc ...' in place of 'gcc ...', compiling and linking"

/* The option for reporting a second race at an address. */
#define RACE_TSAN_ADDRESSES "suppress_equal_addresses"

enum race_answer { RACE_NOT_ASKED, RACE_NO, RACE_YES };

struct race_examination {
	bool is_certain;            /* the program contains a sanitizer; else its child may do */
	bool is_library;            /* and it is a shared library */
	bool memory;                /* it is AddressSanitizer or MemorySanitizer */
	bool no_lines;              /* no debug information */
	enum race_answer addresses; /* of race_knows_addresses() */
	char *obstacle; /* heap: why running it makes no sense, with the remedy; or NULL */
};

/* Examines the program without running it. */
void race_examine(const struct program *program, struct race_examination *examination);

/* Does ThreadSanitizer's runtime support RACE_TSAN_ADDRESSES? It takes a millisecond to find out.
 */
bool race_knows_addresses(const struct program *program, struct race_examination *examination);

void race_examination_finish(struct race_examination *examination);

#endif
