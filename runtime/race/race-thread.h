/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread keeps for race detection; private to runtime/race. */
#ifndef RT_RACE_THREAD_H
#define RT_RACE_THREAD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "race.h"

enum { RT_STRANDS = 3, RT_STRAND_NAME = 48, RT_LANE_LOOPS = 64 };

struct rt_race_lanes;
struct rt_strand;
struct rt_thread;

/* A target region that the thread executes, on strands. */
struct rt_race_target {
	struct rt_race_target *outer;
	uint32_t team, teams; /* the current call, and the number of calls */
};

struct rt_race_thread {
	uint32_t number; /* unique in the process */
	uint32_t random; /* never 0 */
	uint32_t passed; /* places passed at which it could have paused */
	uint32_t shared; /* those at which it could have left work to others */
	uint32_t strand_count;
	void *inside;                  /* a fiber, between rt_race_hide() and rt_race_show() */
	struct rt_race_target *target; /* the innermost target region, or NULL */
	struct rt_race_lanes *lanes;   /* of the simd loop that it executes, or NULL */
	/* How often it went on with another lane, by loop; several loops may have one number. */
	uint32_t lane_changes[RT_LANE_LOOPS];
	bool out_of_strands; /* there was no memory for another strand */
	struct rt_strand *strands[RT_STRANDS];
};

/* 0: no order is forced. */
uint32_t rt_race_seed(void);
bool rt_race_wants_strands(void);
bool rt_race_is_for_memory(void);

uint32_t rt_race_new_number(void);

void rt_race_sleep(long ns);

/* How many threads have a record now. Relaxed: it only decides how long they wait. */
extern _Atomic uint32_t rt_race_threads;

/* The thread's initial team begins a target region, in which other locks stand for the program's.
 */
void rt_race_begin_group(struct rt_thread *self);
uint32_t rt_race_random(struct rt_race_thread *thread);

/* Sets the name for ThreadSanitizer's reports; kind: of race-log.h. */
void rt_strand_name(char name[static RT_STRAND_NAME], uint32_t thread, const char *kind);
void rt_tsan_name_thread(const char *name);

/* Can there be strands? */
bool rt_strands_exist(const struct rt_thread *self);

/*
 * The steps of rt_strand_call(): take an idle strand (NULL: there is none), start a function on it,
 * and give the strand back when the function has returned. rt_strand_resume() executes it until it
 * returns or calls rt_strand_leave(), and rt_strand_back() makes the caller's fiber the current one
 * again.
 */
struct rt_strand *rt_strand_take(struct rt_thread *self, const char *name);
void rt_strand_start(struct rt_strand *strand, rt_strand_fn *fn, void *argument);
void rt_strand_resume(struct rt_strand *strand);
void rt_strand_leave(struct rt_strand *strand);
void rt_strand_back(void *fiber);
void rt_strand_give(struct rt_strand *strand);

/* Frees all strands. */
void rt_strands_free(struct rt_race_thread *thread);

#endif
