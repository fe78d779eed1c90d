/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is computed from a summary, and how figures are printed: shared by the printers of the
 * summary and by pages that show the same numbers in another form.
 *
 * Shares are parts of the capacity, which is threads x wall (or the whole recorded time, if several
 * teams had more threads at once). A share that cannot be computed is negative.
 */
#ifndef COMMON_SUMMARY_FIGURES_H
#define COMMON_SUMMARY_FIGURES_H

#include <string.h>

#include "common/summary.h"

/* How the threads spent their time; the categories add up to the capacity. */
enum summary_category {
	SUMMARY_USEFUL,     /* in parallel regions, outside any wait, and not in MPI */
	SUMMARY_SYNC,       /* barriers, criticals, locks, ordered, task waits */
	SUMMARY_MANAGEMENT, /* fork to begin, end to join */
	SUMMARY_SERIAL,     /* the initial thread outside parallel regions, not in MPI */
	SUMMARY_IDLE,       /* the other threads meanwhile */
	SUMMARY_MPI,        /* in functions of MPI */
	SUMMARY_MPI_IDLE, /* the other threads while the initial thread is in MPI outside of regions
			   */
	SUMMARY_DELAYED,  /* ready to work, without a processor */
	SUMMARY_BLOCKED,  /* in a system call, outside of OpenMP's waits and of MPI */
	SUMMARY_OTHER,    /* teams smaller than the largest, nested teams' masters, ... */
	SUMMARY_CATEGORIES
};

/* One row per category. */
struct summary_category_name {
	const char *key;   /* for machines: JSON, CSV, CSS */
	const char *title; /* for people, at most 28 columns */
};
extern const struct summary_category_name summary_category_names[SUMMARY_CATEGORIES];

/*
 * The POP efficiencies in their additive form: 1 - total is the sum of the losses 1 - serial, 1 -
 * mpi and 1 - running (if measured), and 1 - openmp, and 1 - openmp is the sum of 1 - balance and
 * 1 - waiting. Hence total is the part of the capacity in which threads did useful or serial work.
 */
struct summary_figures {
	uint64_t capacity;     /* ns: threads x wall, or the sum of the categories */
	uint64_t chosen;       /* ns: the capacity of the threads whose regions, locks and tasks the
				  summary contains; their shares refer to it */
	int more_than_threads; /* several teams had more at once than `threads` */
	uint64_t categories[SUMMARY_CATEGORIES]; /* ns, or SUMMARY_NOT_MEASURED */
	double total, serial, mpi, running, openmp, balance,
	    waiting;         /* 0..1, negative: not measured */
	double serial_share; /* share of the wall time that the initial thread (of each process)
				spent outside of parallel regions and of MPI */
};

void summary_compute(const struct summary *summary, struct summary_figures *figures);

/*
 * Returns whether the category applies to the program: those of MPI only if it was called, the
 * unknown time only if it shows in a share.
 */
int summary_has_category(const struct summary_figures *figures, enum summary_category category);

/*
 * Returns whether any category applies except "not in a team, unknown": a program without OpenMP
 * and MPI has none to show.
 */
int summary_has_categories(const struct summary_figures *figures);

/* Returns part / whole, or -1 when either was not measured or whole is 0. */
double summary_share(uint64_t part, uint64_t whole);

/* Returns sum / count, not measured if either was not or count is 0. */
uint64_t summary_mean(uint64_t sum, uint64_t count);

/* Returns the sum. A value that was not measured counts as 0; if neither was, nor was the sum. */
uint64_t summary_add(uint64_t one, uint64_t other);

/*
 * Returns the thread time that would be saved if this region had no waits: the wait before its body
 * plus, at the end, its barrier or, if it has none, the imbalance that another barrier pays for.
 */
uint64_t summary_gain(const struct summary_region *region);

/*
 * Fills order[0 .. region_count) with the indices of the regions, greatest gain first (then most
 * own time, then file and line).
 */
void summary_order_regions(const struct summary *summary, size_t *order);

/* The same for locks (longest wait first) and task constructs (most time first). */
void summary_order_locks(const struct summary *summary, size_t *order);
void summary_order_tasks(const struct summary *summary, size_t *order);

/*
 * Writes up to three sentences of plain advice, the greatest loss first; at least one. Text is cut
 * to SUMMARY_ADVICE_SIZE. Returns how many were written.
 */
#define SUMMARY_ADVICE_COUNT 3
#define SUMMARY_ADVICE_SIZE  700
int summary_advise(
    const struct summary *summary, char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE]);

/* What stands below advice of which nothing, or not all, was tried. */
#define SUMMARY_NOT_TRIED      "Not tried; `ompinst tune` tries settings and schedules."
#define SUMMARY_REST_NOT_TRIED "The rest was not tried."

/* The advice, with the gains that were measured: behind the sentences, or as up to three more. */
#define SUMMARY_TRIED_COUNT 3
struct summary_advice {
	char text[SUMMARY_ADVICE_COUNT + SUMMARY_TRIED_COUNT][SUMMARY_ADVICE_SIZE];
	int count;
	const char *closing; /* "", or one of the above */
};
void summary_advise_with_proof(const struct summary *summary, struct summary_advice *advice);

/*
 * Print figures with three significant digits and at most 7 columns: "1.23ms", "12.3s", "1.23M",
 * "4.5%". A value that was not measured is "n/a". Each returns its buffer.
 */
#define SUMMARY_FIGURE_SIZE 32
char *summary_format_time(char buffer[SUMMARY_FIGURE_SIZE], uint64_t nanoseconds);
char *summary_format_count(char buffer[SUMMARY_FIGURE_SIZE], uint64_t count);
char *summary_format_share(char buffer[SUMMARY_FIGURE_SIZE], double share);
/* Prints all digits, in groups of three: "1,234,567". */
char *summary_format_exact(char buffer[SUMMARY_FIGURE_SIZE], uint64_t count);

/*
 * Prints "file.c:12 critical(name)": the file without its folders, or no file. Returns the same as
 * snprintf().
 */
int summary_format_region(char *buffer, size_t size, const struct summary_region *region);

/* Returns whether SUMMARY_MARK follows the region. */
int summary_marks_region(const struct summary_region *region);

/* Prints "file.c:12 task", or what replaces the file if there are no lines. */
int summary_format_task(char *buffer, size_t size, const char *file, int line);

/* Compares two texts that may be unknown. */
static inline int summary_same_text(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

/* Orders texts that may be unknown, and then lines. */
static inline int summary_compare_places(
    const char *file, int line, const char *other_file, int other_line)
{
	int order = strcmp(file ? file : "", other_file ? other_file : "");

	return order ? order : (line > other_line) - (line < other_line);
}

/* Returns the part of a path after its last slash; "?" for NULL or "". */
const char *summary_base_name(const char *path);

#endif
