/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of each eight bytes of memory: who accessed them, which atomic objects are there.
 */
#ifndef CELLS_H
#define CELLS_H
#include "engine.h"

enum { CELL_ACCESSES = 24, CELL_BYTES = 8 };

struct access {
	uint32_t epoch; /* of its thread's clock */
	uint8_t thread;
	uint8_t mask; /* of the cell's bytes */
	bool is_write, is_atomic;
	const void *place;
};

struct cell {
	uintptr_t key; /* address / CELL_BYTES */
	uint32_t run;  /* that it was used in */
	uint32_t access_count;
	struct access accesses[CELL_ACCESSES];
	int32_t location[CELL_BYTES]; /* of memory.c, at each byte; -1: none */
};

struct cell *cell_at(uintptr_t address); /* made where there is none */
struct cell *cell_find(uintptr_t address);

#endif
