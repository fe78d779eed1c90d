/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For each eight bytes of memory: which threads accessed them, and which atomic objects they
 * contain.
 */
#ifndef CELLS_H
#define CELLS_H
#include "engine.h"

enum { CELL_ACCESSES = 24, CELL_BYTES = 8 };

struct access {
	uint32_t epoch; /* of the thread's clock */
	uint8_t thread;
	uint8_t mask; /* the accessed bytes of the cell */
	bool is_write, is_atomic;
	const void *place;
};

struct cell {
	uintptr_t key; /* address / CELL_BYTES */
	uint32_t run;  /* the run that used it */
	uint32_t access_count;
	struct access accesses[CELL_ACCESSES];
	int32_t location[CELL_BYTES]; /* index in memory.c for each byte; -1: none */
};

struct cell *cell_at(uintptr_t address); /* made if it does not exist */
struct cell *cell_find(uintptr_t address);

#endif
