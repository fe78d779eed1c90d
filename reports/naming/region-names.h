/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New texts for the regions of an archive that are known by their code and have no lines:
 * constructs, and places in the code in the call paths of samples.
 */
#ifndef REGION_NAMES_H
#define REGION_NAMES_H

#include "shared/code-names.h"

#include <stdint.h>

/* A region as the archive defines it, with its new texts; all texts are heap memory. */
struct naming_region {
	uint32_t ref;
	char *name, *code;       /* code: the canonical name */
	uint32_t begin;          /* 0: no lines */
	struct code_place place; /* points into place_text */
	char *place_text;        /* NULL: the region is not known by its code */
	bool is_barrier;         /* the barrier at a construct's end, which has the last line */
	bool is_sample;          /* a place in a call path: new_begin is its line */
	char *new_name, *new_file, *new_function; /* NULL: unchanged */
	uint32_t new_begin, new_end;
	uint32_t new_place; /* of samples: the reference of the line as a place in the source */
};

struct naming_regions {
	struct naming_region *region;
	size_t count, room;
	size_t unnamed;   /* known by their code, but without lines */
	size_t named;     /* of these: have lines now */
	size_t functions; /* of these: have only a function */
	/* Of samples: known by their code without a line; have a line now, or only a function. */
	size_t unnamed_samples, named_samples;
};

/* Finds out which regions these are; call it when all regions are there. */
void naming_prepare(struct naming_regions *regions);

/* Finds their names; the caller owns the namer. */
void naming_find(struct naming_regions *regions, struct code_namer *namer);
void naming_free(struct naming_regions *regions);

#endif
