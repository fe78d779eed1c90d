/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The experiment folder: made when the first event is logged, so that a program without events
 * leaves nothing behind. The caller of each function holds the process lock.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "file.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POMP_ENDED_RINGS = 64 };

struct pomp_experiment {
	/*
	 * Absolute, or NULL while there is no folder. Read and changed under the process lock,
	 * relaxed. Only the thread that maps windows ahead reads it without the lock (acquire).
	 * Hence a path that replaces another is stored with a release, and the old one is not
	 * freed.
	 */
	_Atomic(char *) path;
	struct pomp_file definitions; /* the definitions log */
	off_t definitions_bytes;
	bool unusable; /* it could not be made; reported once */
	bool joined;   /* another rank made the folder, with the same mark */
	char *waiting; /* entries of the definitions log that could not be written yet (heap) */
	size_t waiting_bytes, waiting_capacity;
	uint64_t cut;      /* when the first log stopped, in ticks; 0: none has; process lock */
	char problem[160]; /* why events were lost, or empty; for the report */
	int late; /* errno that kept a rank without a folder before MPI_Init and was not reported;
		     or 0 */
	/* Locations of threads that ended and whose rings are kept, in turn; process lock. */
	unsigned ended[POMP_ENDED_RINGS], ended_count;
	_Atomic uint64_t bytes;  /* of all event logs, including reserved bytes */
	_Atomic uint64_t used;   /* of the closed ones, without reserved bytes */
	_Atomic uint64_t mapped; /* the part of `bytes` that is mapped now */
};

extern struct pomp_experiment pomp_experiment __attribute__((visibility("hidden")));

/*
 * Sets the function that defines, with pomp_experiment_append(), whatever is already known when the
 * definitions log is made. Set once, before measuring starts; called with the process lock held.
 */
void pomp_experiment_define_by(void (*define)(void));

/*
 * Makes the folder and the definitions log if there are none; on failure returns false with errno.
 */
bool pomp_experiment_open(void);

/*
 * Makes the wanted folder and claims it, with that mark of ranks or, if `mark` is NULL, with this
 * process's definitions log. Returns its absolute path (heap), or NULL with errno; without a mark
 * the error was reported.
 */
struct trace_log_ranks;
char *pomp_experiment_make(const struct trace_log_ranks *mark);

/* Appends an entry to the definitions log: the head, then the texts, each NUL-ended. */
void pomp_experiment_append(
    uint32_t type, const void *head, size_t head_size, const char *const *texts, size_t text_count);

/*
 * The same for entries of which there may be very many: they are written together with the next
 * entry, or when 64 KB are waiting. They are lost if the process is killed before, or if there is
 * no room.
 */
void pomp_experiment_append_later(
    uint32_t type, const void *head, size_t head_size, const char *const *texts, size_t text_count);

/* Remembers why events are being lost; only the first reason is kept. */
void pomp_experiment_note_failure(const char *what, int error);

/* The same for POMP_MAX_TRACE_SIZE. */
void pomp_experiment_note_size_limit(void);

/* Records that a thread's events are lost from that time on (ticks). Process lock held. */
void pomp_experiment_note_cut(uint64_t time);

/* Writes the end moment and closes the log. The folder's name stays known. */
void pomp_experiment_close(void);

/* Removes the folder of rings, with what this library has written into it. */
void pomp_experiment_discard(void);

/* In the child of a fork: leaves the parent's folder to the parent. */
void pomp_experiment_after_fork(void);

#endif
