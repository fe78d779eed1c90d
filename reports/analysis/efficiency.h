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
	HYBRID_MPI_COMMUNICATION, /* serialisation x transfer, where waits are known */
	HYBRID_MPI_SERIALISATION,
	HYBRID_MPI_TRANSFER,
	HYBRID_OPENMP, /* balance x communication */
	HYBRID_OPENMP_BALANCE,
	HYBRID_OPENMP_COMMUNICATION,
	HYBRID_FACTORS
};

/* One row per factor: its key for machines, its title and meaning for people, and its place. */
struct hybrid_name {
	const char *key, *title, *meaning;
	int depth; /* in the tree; the parent is the last one before it with a smaller one */
};
extern const struct hybrid_name hybrid_names[HYBRID_FACTORS];

struct hybrid {
	size_t processes, threads;
	uint64_t useful; /* ticks: all threads outside of waits, MPI, teams' management */
	double factors[HYBRID_FACTORS]; /* negative: not known */
};

/*
 * False when there is nothing to say: not more than one process, or no time. Factors of OpenMP may
 * be greater than 1: they are what is left of the whole when MPI's part is taken out.
 */
bool hybrid_compute(const struct analysis *analysis, struct hybrid *hybrid);

#endif
