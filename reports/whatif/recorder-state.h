/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that make a recording share: what is open while the events are read. */
#ifndef RECORDER_STATE_H
#define RECORDER_STATE_H

#include "recorder.h"

/* A strand while it is recorded. */
struct open_strand {
	uint32_t team;    /* or RECORDED_NONE */
	uint32_t member;  /* of an implicit task */
	uint32_t creator; /* of an explicit task: strand */
	size_t wait;      /* the action that it waits in, plus one; 0: none */
	uint64_t wait_since;
	uint64_t child_completed, descendant_completed; /* the last one, when */
	uint32_t barriers;                              /* at which it arrived */
};

/* A thread left a barrier before all had arrived, by events of the same time. */
struct open_departure {
	uint32_t strand, team, barrier;
	size_t action;
	uint64_t ready, left; /* when it could have left, but for the others; when it did */
};

/* A team while it is recorded. */
struct open_team {
	uint64_t forked_at; /* once a thread that forked began in it */
	bool is_forked;
	uint64_t *begun_at, *ended_at; /* by member */
	uint32_t *threads;             /* the same: locations */
	size_t begun_room, ended_room, thread_room, strand_room;
	uint64_t *arrived_at; /* by barrier: the last thread so far */
	uint32_t *arrivals;   /* the same: how many threads */
	size_t barrier_room, arrival_room;
	uint64_t open_tasks;   /* created, and not completed */
	uint64_t completed_at; /* its last task that completed, when, and which */
	uint32_t completed;
};

struct open_lock {
	uint32_t holder; /* thread */
	uint32_t depth;
	uint64_t released_at;
	uint32_t construct;
	uint64_t free_sum, late_sum, free_count, late_count; /* costs of taking it */
};

struct open_task {
	uint64_t created_at;
	bool is_begun;
};

struct open_fork {
	uint64_t at;
	uint32_t strand, team; /* team: or RECORDED_NONE until the thread began in it */
	size_t action;         /* of the strand */
};

/* A thread in a team: the strand of its member, and the one that it executed before. */
struct open_stay {
	uint32_t strand, before;
};

/* A thread between two of its events. */
struct place {
	uint32_t strand, root; /* that it executes, and that it began with */
	struct open_stay *stays;
	size_t stay_count, stay_room;
	struct open_fork *forks;
	size_t fork_count, fork_room;
	uint64_t last;
	enum activity activity;
	uint32_t construct;
	bool is_creating;    /* the innermost frame is the creation of a task */
	uint64_t lock_wait;  /* that no acquisition ended yet */
	uint64_t idle_since; /* when it had no task to execute any more */
	bool is_seen;
};

/* A call of MPI. */
struct open_call {
	uint32_t strand;
	size_t action;           /* that marks its begin */
	uint32_t signal;         /* given when it is entered, or RECORDED_NONE */
	uint32_t meeting;        /* that it waits for, or RECORDED_NONE */
	uint32_t awaited;        /* call that it waits for, or RECORDED_NONE */
	uint64_t entered, until; /* it waited */
};

/* A call that is one of those that a meeting waits for. */
struct open_meeting {
	uint32_t call, signal;
};

struct recorder {
	struct recording *recording;
	size_t actions_max;
	uint64_t dispatch_max; /* idle times up to it are those of taking a task */
	struct place *places;  /* by location */
	size_t place_count;
	struct open_strand *strands; /* parallel to the recording's */
	struct open_team *teams;
	struct open_task *tasks;
	struct open_lock *locks;
	size_t strand_room, team_room, task_room, lock_room, signal_room;
	struct open_departure *departures;
	size_t departure_count, departure_room;
	struct open_call *calls;
	struct open_meeting *meetings;
	size_t call_count, call_room, meeting_count, meeting_room;
	struct pair_map call_of; /* (location, when it was entered) */
	struct mpi_observer mpi_observer;
	struct map team_of;        /* by the analysis' team */
	struct pair_map task_of;   /* (team, creator and number) to a task that did not complete */
	struct pair_map turn_of;   /* (ordered construct, team) to its last signal, and ... */
	struct pair_map turned_at; /* ... when it was given */
};

/* One that has to be given so often. */
uint32_t recorder_new_signal(struct recorder *recorder, uint32_t times);

uint32_t recorder_new_strand(struct recorder *recorder, uint32_t team, uint32_t creator);

/* Begins a wait of the thread's strand, and ends it: what was not needed is its cost. */
void recorder_begin_wait(struct recorder *recorder, struct place *place, enum action_kind kind,
    uint32_t construct, uint64_t now);
void recorder_end_wait(
    struct recorder *recorder, struct place *place, uint64_t needed_until, uint64_t now);

/* Forks, joins and members. */
void recorder_fork(struct recorder *recorder, struct place *place, uint64_t now);
void recorder_begin(
    struct recorder *recorder, const struct analysis *analysis, uint32_t thread, uint64_t now);
void recorder_name_team(struct recorder *recorder, struct place *place, uint32_t construct);
void recorder_end(struct recorder *recorder, uint32_t thread, uint64_t now);
void recorder_join(struct recorder *recorder, struct place *place, uint64_t now);
void recorder_arrive(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now);
void recorder_depart(struct recorder *recorder, struct place *place, uint64_t now);
/* After the last event: what only the whole team knows. */
void recorder_finish_teams(struct recorder *recorder);

/* Explicit tasks. `before`: what the thread did until the event. */
void recorder_create(struct recorder *recorder, struct place *place, uint32_t construct,
    const struct archive_event *event);
void recorder_switch(struct recorder *recorder, struct place *place, enum activity before,
    const struct archive_event *event);
void recorder_complete(
    struct recorder *recorder, struct place *place, const struct archive_event *event);

/* Locks and turns. */
void recorder_acquire(struct recorder *recorder, const struct analysis *analysis, uint32_t thread,
    const struct archive_event *event);
void recorder_release(struct recorder *recorder, const struct analysis *analysis, uint32_t thread,
    const struct archive_event *event);
/* After the last event: what the locks cost. */
void recorder_finish_locks(struct recorder *recorder);
void recorder_enter_turn(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now);
void recorder_leave_turn(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now);

/* Calls of MPI. */
void recorder_observe_mpi(struct recorder *recorder);
void recorder_enter_mpi(struct recorder *recorder, struct place *place, uint32_t construct,
    uint32_t thread, uint64_t now);
/* After the last event: what each call waited for. */
void recorder_finish_mpi(struct recorder *recorder);

#endif
