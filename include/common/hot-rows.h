/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a summary's rows of hot code and of serial paths from samples: libpomp from its trees,
 * ompreport from an archive. Texts are not copied; they must stay valid as long as the summary.
 */
#ifndef COMMON_HOT_ROWS_H
#define COMMON_HOT_ROWS_H

#include "common/figure-table.h"
#include "common/summary.h"

#include <stdbool.h>

/* The rows' rooms while they are made; zero at first. */
struct hot_rows {
	size_t hot_room, team_room, serial_room;
};

/*
 * Adds samples to the row of the same function, file and line, or makes one from *row. The first
 * row names the construct, so the caller adds the places with most samples first. False when memory
 * ran out.
 */
bool hot_rows_add(struct summary *summary, struct hot_rows *rows, const struct summary_hot *row);

/* Returns whether the function calls main() or a thread's function in every program. */
bool hot_path_is_start(const char *function);

/* Returns whether the function is of an OpenMP runtime, or of the measurement. */
bool hot_path_is_runtime(const char *function);

/*
 * A path, part by part from the outermost function on: "main > solve". Consecutive parts of one
 * function are one, and functions before main() are left out. A construct
 * is also between two parts of one function: the compiler has made a function of the construct's
 * code, which has the name of the user's.
 */
struct hot_path {
	char *text; /* heap, NULL: empty, or memory ran out */
	size_t length, room;
	const char *last; /* function */
	bool failed;
};
void hot_path_add(struct hot_path *path, const char *function);
void hot_path_add_construct(struct hot_path *path, const char *construct);

/*
 * Adds samples to the row of that path inside or outside of parallel regions, which takes its text.
 * False when memory ran out.
 */
bool hot_rows_add_path(struct summary *summary, struct hot_rows *rows, struct hot_path *path,
    bool is_serial, uint64_t samples, uint64_t faults);

/* Returns how many samples interrupted a page fault. */
uint64_t hot_fault_samples(const struct summary *summary);

/* Returns whether they are a twentieth of all, so that text has their column. */
static inline bool hot_faults_matter(uint64_t faults, uint64_t samples)
{
	return faults > 0 && faults >= samples / 20;
}

/* Titles of columns, and the key of the latter: counters have columns by their names and keys. */
#define HOT_FAULTS_TITLE    "faults"
#define HOT_PER_CYCLE_TITLE "IPC"
#define HOT_PER_CYCLE_KEY   "instructions_per_cycle"

/*
 * Which columns a table of hot code does not have: of counters that were not measured, and in text
 * of what another column says better, or does not matter.
 */
struct hot_columns {
	uint64_t left_out, unmeasured; /* as in struct figure_table */
};
struct hot_columns hot_choose_columns(
    const struct table_column *columns, size_t count, uint64_t counters, bool faults_matter);

/* Returns instructions per cycle; negative: not measured. */
double hot_per_cycle(const uint64_t *counted);

/* Orders all rows, most samples first. */
void hot_rows_finish(struct summary *summary);

/* Frees the rows and the paths' texts. */
void hot_rows_free(struct summary *summary);

#endif
