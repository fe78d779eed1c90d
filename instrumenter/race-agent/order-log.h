/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes orders of locks to the log, for `ompinst race run` to compare them with those of other
 * runs: each once, and once each position in which it occurs, as long as there is room.
 */
#ifndef ORDER_LOG_H
#define ORDER_LOG_H

#include "lock-cycles.h"

/*
 * Has the calling thread, in its position, written this already? key: of the locks that are held
 * and wanted and of the places. A later call with the same key and position returns true.
 */
bool order_log_has(const struct order_strand *strand, uint64_t key);

/*
 * The strand wants the lock while it holds that one, and others. site: stands for the places in
 * `wait`. Orders of which a lock has no name that is the same in each run are left out.
 */
void order_log_note(const struct order_strand *strand, const struct held_lock *held,
    const struct race_lock *wanted, uint64_t site, const struct cycle_wait *wait);

/* The lock, or those in the memory, are no more: one that has the address again has no name. */
void order_log_forget(const void *identity);
void order_log_forget_range(uintptr_t begin, uintptr_t end);

/* Of locks, the same in each run; see stable-names.h. */
struct order_names {
	uint64_t wanted, held, gates[HELD_LOCKS];
	uint32_t gate_count;
};

struct order_lines {
	bool is_full; /* nothing else: there is no room for more orders */
	uint32_t number;
	const struct order_names *names;
	const struct cycle_wait *wait;        /* NULL: the log has the order */
	const struct team_position *position; /* NULL: the log has it, or has no room */
};

/* In cycle-text.c. */
void order_lines_write(const struct order_lines *lines);

#endif
