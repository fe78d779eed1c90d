/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the directive that an address belongs to. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "debug-info.h"
#include "module.h"
#include "source.h"

#include "shared/code-names.h"

/* The files read so far, for all questions. */
struct sources {
	struct source *source;
	size_t count, room;
};
void names_sources_free(struct sources *sources);

struct choice {
	size_t level; /* index of the level: the function that contains the construct */
	int line;     /* of its code; 0: unknown */
	const struct directive *directive; /* NULL: none; valid as long as the sources */
	bool is_other; /* the directive has another construct, which ends with the barrier */
};

/* There must be at least one level. */
struct choice names_choose_directive(struct sources *sources, const struct module *module,
    const struct code_question *question, const struct code_levels *levels);

#endif
