/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reports of ompreport as a library: its figures as columns of numbers and texts, without a
 * text between. The program `ompreport` is this library with a command line, so that both always
 * say the same; the words of a report are those of its command line, described in ompreport(1):
 *
 *   const char *const words[] = {"regions", "--thread=0", "trace", NULL};
 *   char *messages;
 *   struct ompreport_table *table = ompreport_make(words, &messages);
 *
 * Link with -lompreport; `pkg-config --cflags --libs ompreport` says how. Any thread may call any
 * function; the calls of several threads wait for each other. If memory runs out, the process ends
 * with a message. Structures get new members only at their ends.
 */
#ifndef OMPREPORT_H
#define OMPREPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* The type of a column's values, and the value that stands for what was not measured. */
enum ompreport_type {
	OMPREPORT_TEXT = 1,       /* const char *: UTF-8 as in the archive; NULL */
	OMPREPORT_COUNT = 2,      /* uint64_t: UINT64_MAX */
	OMPREPORT_DIFFERENCE = 3, /* int64_t: INT64_MIN */
	OMPREPORT_RATIO = 4,      /* double, 0.25 for 25 %: a NaN */
	OMPREPORT_NAME = 5,       /* uint32_t, the place of a text in names: UINT32_MAX */
	OMPREPORT_NUMBER = 6      /* uint32_t: UINT32_MAX */
};

struct ompreport_column {
	const char *name;         /* as in --format=csv */
	const char *unit;         /* "ns", or "" for texts, counts and ratios */
	int type;                 /* enum ompreport_type */
	const void *values;       /* one for each row, of the type's C type */
	const char *const *names; /* of OMPREPORT_NAME */
	size_t name_count;
};

struct ompreport_table {
	int status; /* 0, or what the command's exit status says: 3 of `diff`, something grew */
	size_t rows;
	const struct ompreport_column *columns;
	size_t column_count;
	const struct ompreport_column *facts; /* of all rows together, with one value each */
	size_t fact_count;
	const char *const *notes; /* sentences about the figures */
	size_t note_count;
};

/*
 * Makes the table of a command that has one: regions, threads, ranks, messages, efficiency, locks,
 * tasks, imbalance, callers, roofline, critical-path, hot, score, check, diff, scaling, whatif or
 * timeline. The words end with NULL. Options about the form of the output have no effect. Returns
 * NULL if there is none: *messages then says why. A command without a table is refused before it
 * does anything. Else *messages has the command's warnings, or is NULL. The caller frees *messages
 * with free(), and the table with ompreport_free().
 */
struct ompreport_table *ompreport_make(const char *const *words, char **messages);

/*
 * Reads what a trace contains into columns, in the order of time at every thread. The first word is
 *
 *   visits    thread, region, begin, end, depth: each time that a thread was in a region; the
 *             visits of a task are cut where it is suspended
 *   samples   time, thread, function, file, line, waits: what threads executed
 *   messages  time, thread, peer, tag, bytes, is_sent, number: the ends of MPI's messages; both
 *             ends of a message have the same number
 *   counters  time, thread, counter, value: from this time on
 *   events    time, thread, kind, region, object: all events as they are in the archive; object is
 *             a lock's number, or the number of a task in its team
 *
 * and the other words are an archive and options of `ompreport export` that choose among them:
 * --from, --to, --thread, --region, --min-duration, --jobs. events takes none of these but --jobs.
 * Times are ns since the first event. Returns as ompreport_make() does.
 */
struct ompreport_table *ompreport_read(const char *const *words, char **messages);

void ompreport_free(struct ompreport_table *table);

/*
 * Runs any command, `summary` or `html` for example, with what it writes to standard output and
 * standard error going to these streams. Returns its exit status: 0 for success, 1 if the report
 * could not be made, 2 for wrong words, or more with a meaning of the command.
 */
int ompreport_run(const char *const *words, FILE *output, FILE *messages);

/*
 * The same, with both as texts, which the caller frees with free(). A text is NULL if there was no
 * memory for it. What is no text (ompreport_bytes()) seems to end at its first zero byte.
 */
int ompreport_text(const char *const *words, char **output, char **messages);

/*
 * The same for output that may have zero bytes, which `export` writes with --perfetto, --pprof and
 * --cube. *size is its length in bytes; one zero byte more ends it. Since OMPREPORT_1.
 */
int ompreport_bytes(const char *const *words, char **output, size_t *size, char **messages);

/* The version of the package, such as "1.4.0". */
const char *ompreport_version(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
