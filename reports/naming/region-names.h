/* SPDX-License-Identifier: BSD-3-Clause */
/* New texts for an archive's regions that are known by their code and have no lines. */
#ifndef REGION_NAMES_H
#define REGION_NAMES_H

#include "shared/code-names.h"

#include <stdint.h>

/* A region as the archive defines it, and what it gets; all texts are heap. */
struct naming_region {
	uint32_t ref;
	char *name, *code;       /* code: the canonical name */
	uint32_t begin;          /* 0: it has no lines */
	struct code_place place; /* points into place_text */
	char *place_text;        /* NULL: it is not known by its code */
	bool is_barrier;         /* the one at a construct's end, which has the last line */
	char *new_name, *new_file, *new_function; /* NULL: stays as it is */
	uint32_t new_begin, new_end;
};

struct naming_regions {
	struct naming_region *region;
	size_t count, room;
	size_t unnamed;   /* known by their code, without lines */
	size_t named;     /* of these: with lines now */
	size_t functions; /* of these: without lines, with a function */
};

/* Sorts out which they are; call it when all are there. */
void naming_prepare(struct naming_regions *regions);

/* Finds their names; the namer is the caller's. */
void naming_find(struct naming_regions *regions, struct code_namer *namer);
void naming_free(struct naming_regions *regions);

#endif
