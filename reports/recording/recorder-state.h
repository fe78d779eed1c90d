/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that make a recording share: the open items while events are read. */
#ifndef RECORDER_STATE_H
#define RECORDER_STATE_H

#include "recorder.h"

/* A strand while it is recorded. */
struct open_strand {
	uint32_t team;    /* or RECORDED_NONE */
	uint32_t member;  /* of an implicit task */
	uint32_t creator; /* of an explicit task: the strand that created it */
	size_t wait;      /* index of the action in which it waits, plus one; 0: none */
	uint64_t wait_since;
	uint64_t child_completed, descendant_completed; /* when the last one completed */
	uint32_t barriers;                              /* number of barriers at which it arrived */
};

/* A thread left a barrier before all had arrived, according to events of equal time. */
struct open_departure {
	uint32_t strand, team, barrier;
	size_t action;
	uint64_t since;       /* when it arrived */
	uint64_t ready, left; /* when it could have left without the others; when it did */
};

/* A team while it is recorded. */
struct open_team {
	uint64_t forked_at;            /* known once the thread that forked it has begun in it */
	uint64_t *begun_at, *ended_at; /* by member */
	uint32_t *threads;             /* by member: locations */
	size_t begun_room, ended_room, thread_room, strand_room;
	uint64_t *arrived_at; /* by barrier: when the last thread so far arrived */
	uint32_t *arrivals;   /* by barrier: how many threads arrived */
	size_t barrier_room, arrival_room;
	uint64_t open_tasks;   /* created and not completed */
	uint64_t completed_at; /* when its last task completed, and which task that was */
	uint32_t completed;
};

struct open_lock {
	uint32_t holder; /* thread */
	uint32_t depth;
	uint64_t released_at;
	uint32_t construct;
	/* Sums and counts of the cost of taking it. */
	uint64_t free_sum, late_sum, free_count, late_count;
};

struct open_task {
	uint64_t created_at;
	bool is_begun;
};

struct open_fork {
	uint64_t at;
	uint32_t strand, team; /* team: or RECORDED_NONE until the thread began in it */
	size_t action;         /* index in the strand */
};

/* A thread's stay in a team: its member's strand, and the strand that it executed before. */
struct open_stay {
	uint32_t strand, before;
};

/* A thread between two of its events. */
struct place {
	/* strand: the one that it executes; root: the one that it began with */
	uint32_t strand, root;
	struct open_stay *stays;
	size_t stay_count, stay_room;
	struct open_fork *forks;
	size_t fork_count, fork_room;
	uint64_t last;
	enum activity activity;
	uint32_t construct;
	bool is_creating;    /* the innermost frame is the creation of a task */
	uint64_t lock_wait;  /* not ended by an acquisition yet */
	uint64_t idle_since; /* since when it has had no task to execute */
	bool is_seen;
};

/* A call of MPI. */
struct open_call {
	uint32_t strand;
	size_t action;           /* the action that marks its begin */
	uint32_t signal;         /* given when the call is entered, or RECORDED_NONE */
	uint32_t meeting;        /* the meeting that it waits for, or RECORDED_NONE */
	uint32_t awaited;        /* the call that it waits for, or RECORDED_NONE */
	uint64_t entered, until; /* when it was entered, and until when it waited */
};

/* One of the calls that a meeting waits for. */
struct open_meeting {
	uint32_t call, signal;
};

struct recorder {
	struct recording *recording;
	size_t actions_max;
	uint64_t dispatch_max; /* longer idle times are more than taking a task */
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
	struct pair_map call_of; /* (location, time of enter) */
	struct mpi_observer mpi_observer;
	struct map team_of;        /* by the analysis' team */
	struct pair_map task_of;   /* (team, creator and number) to a task that is not completed */
	struct pair_map turn_of;   /* (ordered construct, team) to its last signal, and ... */
	struct pair_map turned_at; /* ... when it was given */
};

/* A signal that must be given that many times. */
uint32_t recorder_new_signal(struct recorder *recorder, uint32_t times);

uint32_t recorder_new_strand(struct recorder *recorder, uint32_t team, uint32_t creator);

/* Begin and end a wait of the thread's strand. The part after needed_until is the action's cost. */
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
/* After the last event: sets what is known only once the whole team is. */
void recorder_finish_teams(struct recorder *recorder);
/* After that: sets what barriers cost. */
void recorder_finish_barriers(struct recorder *recorder);

/* Explicit tasks. `before`: the thread's activity before the event. */
void recorder_create(struct recorder *recorder, struct place *place, uint32_t construct,
    const struct archive_event *event);
void recorder_switch(struct recorder *recorder, struct place *place, enum activity before,
    const struct archive_event *event);
void recorder_complete(
    struct recorder *recorder, struct place *place, const struct archive_event *event);

/* Locks, and turns of ordered. */
void recorder_acquire(struct recorder *recorder, const struct analysis *analysis, uint32_t thread,
    const struct archive_event *event);
void recorder_release(struct recorder *recorder, const struct analysis *analysis, uint32_t thread,
    const struct archive_event *event);
/* After the last event: sets the cost of the locks. */
void recorder_finish_locks(struct recorder *recorder);
void recorder_enter_turn(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now);
void recorder_leave_turn(
    struct recorder *recorder, struct place *place, uint32_t construct, uint64_t now);

/* Calls of MPI. */
void recorder_observe_mpi(struct recorder *recorder);
void recorder_enter_mpi(struct recorder *recorder, struct place *place, uint32_t construct,
    uint32_t thread, uint64_t now);
/* After the last event: sets what each call waited for. */
void recorder_finish_mpi(struct recorder *recorder);

#endif
