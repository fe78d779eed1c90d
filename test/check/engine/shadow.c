/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data races: two accesses to one byte, at least one of them a write, at least one of them not
 * atomic, and neither happens before the other (C11, 5.1.2.4). For each cell the last accesses of
 * each thread are kept. An access need not be kept if a newer one comes after it and conflicts with
 * at least as much.
 */
#include <stdlib.h>
#include <string.h>

#include "cells.h"

enum { CELLS = 1 << 18 };

static struct cell *cells;
static struct cell *used_cells[CELLS / 2];
static uint32_t run, used;

void shadow_reset(void)
{
	if (cells == NULL)
		cells = calloc(CELLS, sizeof(*cells));
	if (cells == NULL)
		abort();
	run++;
	used = 0;
}

static struct cell *slot(uintptr_t key)
{
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 40) % CELLS;

	while (cells[i].run == run && cells[i].key != key)
		i = (i + 1) % CELLS;
	return &cells[i];
}

struct cell *cell_find(uintptr_t address)
{
	struct cell *cell = slot(address / CELL_BYTES);

	return cell->run == run ? cell : NULL;
}

struct cell *cell_at(uintptr_t address)
{
	struct cell *cell = slot(address / CELL_BYTES);

	if (cell->run == run)
		return cell;
	if (used == CELLS / 2)
		report_failure(NULL, "the run uses more memory than the checker follows");
	used_cells[used++] = cell;
	cell->run = run;
	cell->key = address / CELL_BYTES;
	cell->access_count = 0;
	for (int i = 0; i < CELL_BYTES; i++)
		cell->location[i] = -1;
	return cell;
}

static bool is_ordered(const struct access *access)
{
	return access->thread == check_self->number ||
	       access->epoch <= check_self->clock.at[access->thread];
}

static _Noreturn void report_race(const struct access *old, const struct access *new, uintptr_t at)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	site_print(out, old->place);
	fclose(out);
	report_failure(new->place,
	    "data race: %s%s of thread %d at %#lx, and earlier, not ordered, %s%s of thread %d at %s",
	    new->is_atomic ? "atomic " : "", new->is_write ? "write" : "read", new->thread,
	    (unsigned long)at, old->is_atomic ? "atomic " : "", old->is_write ? "write" : "read",
	    old->thread, text);
}

/* Can `old` be dropped once `new`, which comes after it, is kept? */
static bool replaces(const struct access *new, const struct access *old)
{
	return (old->mask & ~new->mask) == 0 && (new->is_write || !old->is_write) &&
	       (!new->is_atomic || old->is_atomic);
}

static void access_cell(uintptr_t address, const struct access *new)
{
	struct cell *cell = cell_at(address);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < cell->access_count; i++) {
		struct access *old = &cell->accesses[i];
		bool ordered = is_ordered(old);

		if (!ordered && (old->mask & new->mask) != 0 && (old->is_write || new->is_write) &&
		    !(old->is_atomic && new->is_atomic))
			report_race(old, new, address);
		if (!ordered || !replaces(new, old))
			cell->accesses[kept++] = *old;
	}
	/* If the cell is full, drops accesses that happen before the new one. */
	for (uint32_t i = 0; kept == CELL_ACCESSES && i < kept; i++) {
		if (!is_ordered(&cell->accesses[i]))
			continue;
		cell->accesses[i] = cell->accesses[--kept];
	}
	if (kept == CELL_ACCESSES)
		kept--;
	cell->accesses[kept++] = *new;
	cell->access_count = kept;
}

void shadow_access(uintptr_t address, size_t size, bool is_write, bool is_atomic, const void *place)
{
	while (size > 0) {
		size_t offset = address % CELL_BYTES;
		size_t part = size < CELL_BYTES - offset ? size : CELL_BYTES - offset;
		struct access access = {
		    .epoch = check_self->clock.at[check_self->number],
		    .thread = (uint8_t)check_self->number,
		    .mask = (uint8_t)(((1u << part) - 1) << offset),
		    .is_write = is_write,
		    .is_atomic = is_atomic,
		    .place = place,
		};

		access_cell(address, &access);
		address += part;
		size -= part;
	}
}

void shadow_give_back(uintptr_t address, size_t size, const void *place)
{
	for (uint32_t i = 0; i < used; i++) {
		uintptr_t at = used_cells[i]->key * CELL_BYTES;

		if (at - address < size)
			shadow_access(at, CELL_BYTES, true, false, place);
	}
}
