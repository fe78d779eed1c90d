/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The experiment folder: made when the first event is logged, so that a program without events
 * leaves nothing behind. All functions with the process's lock held.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "file.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_experiment {
	/*
	 * Absolute, or NULL while there is no folder. Read and changed under the process's lock,
	 * relaxed. Only the thread that maps windows ahead reads it without (acquire): so a path
	 * that replaces another is stored with a release, and the other stays.
	 */
	_Atomic(char *) path;
	struct pomp_file definitions; /* the definitions log */
	off_t definitions_bytes;
	bool unusable; /* it could not be made; reported once */
	bool joined;   /* another rank made the folder, with the same mark */
	char *waiting; /* entries of the definitions log that could not be written yet (heap) */
	size_t waiting_bytes, waiting_capacity;
	uint64_t cut;      /* when the first log stopped, in ticks; 0: none has. Process lock */
	char problem[160]; /* why events were lost, or empty; for the report */
	int late; /* errno that kept a rank from a folder before MPI_Init, and was not reported; or
		     0 */
	_Atomic uint64_t bytes;  /* of all event logs, with what is reserved */
	_Atomic uint64_t used;   /* of those that are closed, without */
	_Atomic uint64_t mapped; /* of that, mapped now */
};

extern struct pomp_experiment pomp_experiment __attribute__((visibility("hidden")));

/*
 * The function that defines what is known already when the definitions log is made, with
 * pomp_experiment_append(). Given once, before measuring starts; called with the process's lock
 * held.
 */
void pomp_experiment_define_by(void (*define)(void));

/*
 * Makes the folder and the definitions log if there are none; false with errno when that cannot be
 * done.
 */
bool pomp_experiment_open(void);

/*
 * Makes the folder that is wanted now, takes it by that mark of ranks, or with NULL by this
 * process's definitions log, and returns its absolute path (heap), or NULL with errno, which
 * without a mark was reported.
 */
struct trace_log_ranks;
char *pomp_experiment_make(const struct trace_log_ranks *mark);

/* Appends an entry to the definitions log: the head, then the texts, each NUL-ended. */
void pomp_experiment_append(
    uint32_t type, const void *head, size_t head_size, const char *const *texts, size_t text_count);

/*
 * The same for what there may be very much of: it is written together with what comes after it, or
 * when 64 KB are waiting, and is lost when the process is killed before, or does not find room.
 */
void pomp_experiment_append_later(
    uint32_t type, const void *head, size_t head_size, const char *const *texts, size_t text_count);

/* Remembers why events are being lost; the first reason stays. */
void pomp_experiment_note_failure(const char *what, int error);

/* The same for POMP_MAX_TRACE_SIZE. */
void pomp_experiment_note_size_limit(void);

/* Notes that a thread's events are lost from that time on (ticks). Process lock held. */
void pomp_experiment_note_cut(uint64_t time);

/* Writes the end moment and closes. The folder's name stays known. */
void pomp_experiment_close(void);

/* The child of a fork: leaves the parent's folder to the parent. */
void pomp_experiment_after_fork(void);

#endif
