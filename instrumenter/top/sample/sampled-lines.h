/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines at which a program that libpomp samples spent processor time in an interval: what the
 * samples at its end are more than at its begin.
 */
#ifndef SAMPLED_LINES_H
#define SAMPLED_LINES_H

#include "code-lookup.h"
#include "measured-interval.h"
#include "shared/hash-map.h"

struct named_place {
	uint64_t address;
	struct code_name name;
};

struct sampled_lines {
	struct live_samples last; /* so far; its items are of this object, not of the library */
	bool is_begun;            /* `last` is of the interval's begin */
	struct named_place *places;
	size_t place_count, place_room;
	struct map place_of; /* address to index */
	/*
	 * Of the last interval: its `hot` rows are the lines, most samples first. Samples whose
	 * place has no name yet are one row without function and file.
	 */
	struct summary summary;
};

/*
 * Ends an interval, and begins the next one. Names that are new are looked for for a tenth of a
 * second; the others come in later intervals. Modules are read anew if a place is in none.
 */
void sampled_lines_end(struct sampled_lines *lines, const struct measured_interval *measured,
    struct code_lookup *lookup, struct loaded_modules *modules, struct target_memory *memory);

void sampled_lines_close(struct sampled_lines *lines);

#endif
