/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * POP's efficiencies of a hybrid program in their multiplicative form: each factor is the product
 * of those below it. doc/reports.md has the formulae.
 */
#ifndef EFFICIENCY_H
#define EFFICIENCY_H

#include "analysis.h"

enum hybrid_factor {
	HYBRID_PARALLEL, /* MPI x OpenMP */
	HYBRID_MPI,      /* balance x communication */
	HYBRID_MPI_BALANCE,
	HYBRID_MPI_COMMUNICATION, /* serialisation x transfer, if waits are known */
	HYBRID_MPI_SERIALISATION,
	HYBRID_MPI_TRANSFER,
	HYBRID_OPENMP, /* balance x communication */
	HYBRID_OPENMP_BALANCE,
	HYBRID_OPENMP_COMMUNICATION,
	HYBRID_FACTORS
};

/* One row per factor: a key for programs, a title and a meaning for people, and its place. */
struct hybrid_name {
	const char *key, *title, *meaning;
	int depth; /* in the tree; the parent is the nearest previous row of smaller depth */
};
extern const struct hybrid_name hybrid_names[HYBRID_FACTORS];

struct hybrid {
	size_t processes, threads;
	uint64_t useful; /* ticks: all threads, without waits, MPI, and team management */
	double factors[HYBRID_FACTORS]; /* negative: not known */
};

/*
 * Returns false if there are no results: at most one process, or no time. OpenMP's factors may be
 * greater than 1, because they are the whole divided by MPI's part.
 */
bool hybrid_compute(const struct analysis *analysis, struct hybrid *hybrid);

#endif
