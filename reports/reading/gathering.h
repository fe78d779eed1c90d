/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over an archive that is read process by process, by several threads and by all processes of
 * a report (readers.h). What one process of the program adds to the sums travels as a message, also
 * within one process of the report, so that the result does not depend on who read what. Memory is
 * that of the sums and of the processes being read.
 */
#ifndef GATHERING_H
#define GATHERING_H

#include "archive.h"
#include "reader-kind.h"
#include "readers.h"

/* What counts, without the functions that found it out: it travels. */
struct gathering_choice {
	uint64_t from, to; /* ticks after the first event; to: UINT64_MAX for no limit */
	/* Its time, which gathering_read() finds; UINT64_MAX: what consume() gets first. */
	uint64_t first;
	bool *threads; /* by location; NULL: all */
	bool *regions; /* by region, with one more for those without definition; NULL: all */
};

void gathering_choice_free(struct gathering_choice *choice);

/* The chosen part of time in ticks; time: of the first event that consume() gets. */
static inline void gathering_span(
    const struct gathering_choice *choice, uint64_t time, uint64_t *from, uint64_t *to)
{
	uint64_t first = choice->first == UINT64_MAX ? time : choice->first;

	*from = first + choice->from;
	*to = choice->to == UINT64_MAX ? UINT64_MAX : first + choice->to;
}

/* What is gathered. Each thread that reads has a part of its own. */
struct gathering {
	enum reader_kind kind;
	/* The part refers to both until it is freed. */
	void *(*part_new)(const struct archive *archive, const struct gathering_choice *choice);
	void (*part_free)(void *part);
	archive_consume *consume; /* its context is the part */
	/* Writes what the process adds to the sums, and forgets it. */
	void (*finish)(void *part, const struct archive_process *process, struct message *found);
	/*
	 * In process 0: adds it. Calls do not overlap. The order of the processes is not defined,
	 * and the sums must not depend on it.
	 */
	void (*add)(void *sums, const struct archive_process *process, struct message *found);
	/* The sums are again as before the first add(). */
	void (*clear)(void *sums);
};

/*
 * Reads all events; sums: for add(). The first event is taken to be where the archive's clock
 * starts; if that is wrong, and the choice has times, all is read again. If there are other
 * processes of the report, they read their shares by gathering_serve(). Locations and warnings of
 * the archive are then as if one had read all, with warnings in the order of the processes. Returns
 * the time of the first event, or UINT64_MAX without events.
 */
uint64_t gathering_read(const struct gathering *gathering, struct archive *archive,
    const struct gathering_choice *choice, void *sums);

/* In the others: reads what the request of gathering_read() asks for, and sends process 0 all. */
void gathering_serve(
    const struct gathering *gathering, struct archive *archive, struct message *request);

#endif
