/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stress program's regions, steps and random numbers.
 *
 * A region is a team that executes a random sequence of steps. All of its threads draw the sequence
 * from equal copies of one generator, so they agree on it without communicating; each draws its
 * delays from its own generator. Work leaves marks: executed work adds to `done`, and the thread
 * with number 0 adds the expected work to `expected`. A mark is a hash of the step and the piece of
 * work, so that the sums differ if a piece is left out, done twice or done in another step.
 */
#ifndef STRESS_H
#define STRESS_H

#include <omp.h>
#include <stdint.h>

#include "check.h"

#define STEPS        12
#define CELLS        40
#define MOST_THREADS 400
#define DEEPEST      2

struct random {
	uint64_t state;
};

/* Data for one step; zero when the region starts. */
struct slot {
	int turn;   /* plain: ordered regions pass it on */
	int plain;  /* plain: protected by the step's mutual exclusion */
	int inside; /* atomic: threads inside an exclusive region */
	int flag;   /* atomic */
	long sum;   /* the step's reduction */
	long cells[CELLS];
};

struct region {
	uint64_t seed;
	int size;          /* threads to ask for */
	int depth;         /* 0 for the outermost */
	uint64_t done;     /* atomic */
	uint64_t expected; /* only the primary thread accesses it */
	omp_lock_t lock;
	omp_nest_lock_t nest_lock;
	int locked; /* plain: `lock` protects it */
	int nested; /* plain: `nest_lock` protects it */
	struct slot slots[STEPS];
};

/* One thread's view of the step that it executes. */
struct step {
	struct region *region;
	struct slot *slot;
	int number;
	int thread;
	int team;              /* its size */
	struct random *common; /* the same draws in every thread of the team */
	struct random *own;
};

typedef void step_function(struct step *step);

uint64_t next_random(struct random *random);
unsigned below(struct random *random, unsigned bound);

/* Does nothing, computes, yields or sleeps, as the thread's own generator decides. */
void delay(struct step *step);

void mark(struct step *step, unsigned piece);
void expect(struct step *step, unsigned pieces); /* pieces 0 .. pieces - 1, once each */

/* Executes a random region and checks its result; also called from inside regions. */
void run_region(uint64_t seed, int size, int depth);

/* The steps, by file: loops.c, exclusion.c, tasks.c, storm.c. */
step_function loop_step, ordered_step, doacross_step, sections_step, reduction_step,
    cancelled_loop_step;
step_function single_step, critical_step, lock_step, barrier_step, atomic_step, masked_step,
    nested_step, cancelled_region_step;
step_function tasks_step, depend_step, taskgroup_step, taskloop_step, cancelled_group_step,
    detach_step, storm_step;

#endif
