/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample's call path as users know it: from main() to the function that was executed, with the
 * construct around it, and without what the OpenMP runtime calls in between.
 */
#ifndef CALL_CHAIN_H
#define CALL_CHAIN_H

#include "analysis.h"

enum link_kind {
	LINK_CODE,      /* a function */
	LINK_CONSTRUCT, /* the construct whose code the following functions are */
	LINK_SERIAL,    /* what follows is outside of all parallel regions */
	LINK_WAIT,      /* OpenMP's wait; nothing follows */
	LINK_KINDS
};

struct link {
	enum link_kind kind;
	bool is_outlined; /* a construct's code that the compiler made a function of */
	const char *name; /* `length` bytes of it count; of constructs: NULL */
	size_t length;
	const char *file;   /* of functions; "": unknown */
	uint32_t line;      /* where it was executed, or called the next function; 0: unknown */
	uint32_t construct; /* of constructs: its number */
};

/* All zero at first; free(chain.links) at the end. Names belong to the archive. */
struct call_chain {
	struct link *links; /* from the outermost on */
	size_t count, room;
};

/* Makes the chain of the samples, with at most so many of the innermost functions. */
void call_chain_find(struct call_chain *chain, const struct analysis *analysis,
    const struct code_samples *samples, size_t functions_max);

#endif
