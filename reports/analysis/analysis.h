/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the reports say about an archive, gathered in one pass over its events with memory for what
 * is open at a time (frames, tasks, executions), never for all events.
 *
 * Words: a construct is what is written in the source (the loop at a.c:6); an OTF2 region may be a
 * part of one (its implicit barrier, the body of a critical). A frame is a region that a thread has
 * entered and not left. A task's clock runs only while a thread executes it, so that a barrier's
 * wait does not contain the tasks that were executed in it. All times are ticks of the archive's
 * clock.
 */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include "archive.h"
#include "mpi.h"
#include "path.h"
#include "shared/constructs.h"
#include "shared/summary.h"
#include "timeline.h"

#define NO_CONSTRUCT UINT32_MAX

/* Which part of its construct a region is. */
enum part {
	PART_WHOLE,   /* the construct itself */
	PART_BODY,    /* of single, critical, ordered; a section */
	PART_BARRIER, /* the implicit barrier at its end */
	PART_WAIT,    /* of a taskgroup: the wait for its tasks */
	PART_CREATE,  /* of a task: creating it */
	PART_LOCK,    /* a lock routine */
	PART_NONE,    /* counted for nesting only: the measurement's own regions */
};

struct construct {
	char *name, *sub_name;
	const char *file;
	int begin_line, end_line;
	enum summary_code code;
	const char *function;
	enum construct_kind kind;
	uint64_t events; /* recorded while it was the innermost construct */
	/* Over all threads, set when the pass is over. */
	uint64_t visits, time, self, barrier_wait, enter_wait;
	uint64_t threads, body_min, body_sum, body_max;
	uint64_t imbalance;
	/*
	 * Barriers at which all of a team arrived, explicit ones or the construct's own; of
	 * explicit ones, how unevenly the threads worked since the barrier before, ticks.
	 */
	uint64_t barriers_completed, arrival_imbalance;
	bool has_barrier_wait, has_enter_wait, has_imbalance, has_body;
	/* Tasks. */
	uint64_t created, undeferred, create_time;
	uint64_t task_min, task_max; /* of one execution, by its own clock */
	/* For the path: who left its body last, and when. */
	uint32_t leaver;
	uint64_t left_at;
};

/* A region's place in its construct. */
struct region_part {
	uint32_t construct; /* or NO_CONSTRUCT */
	enum part part;
	bool is_mpi; /* a function of MPI */
	/* What a thread does while it is the innermost one; ACTIVITY_NONE: work. */
	enum activity wait;
};

struct lock {
	char *name;
	bool has_name; /* its construct's or variable's, which all processes share */
	uint64_t acquisitions, contended, wait, hold;
	uint64_t acquired_at;
	uint32_t holder;         /* thread index while held */
	uint32_t depth;          /* of nestable locks; 0: free */
	uint64_t released_since; /* analysis' count of lock events at its last release */
	uint64_t released_at;    /* by the holder of then */
	uint64_t released_real;  /* the same, not clipped */
};

struct frame {
	uint32_t region;
	uint32_t innermost; /* its construct, or that of the frames around it; or NO_CONSTRUCT */
	struct region_part part;
	enum activity
	    wait; /* what the thread does while this is the top frame, ACTIVITY_NONE: work */
	uint64_t entered_at;    /* wall */
	uint64_t entered_real;  /* the same, not clipped */
	uint64_t entered;       /* the task's clock */
	uint64_t nested;        /* frames directly within, by the task's clock */
	uint64_t enter_wait;    /* ENTER_WAIT_OPEN until the body begins */
	uint64_t waited;        /* by the thread until it entered: waits, and MPI, within teams */
	uint64_t barriers;      /* its PART_BARRIER frames, wall ... */
	uint64_t barrier_work;  /* ... and without the waits in them */
	uint64_t body;          /* its PART_BODY frames, wall ... */
	uint64_t body_work;     /* ... and without the waits in them */
	uint64_t barrier_wait;  /* waits in its PART_BARRIER and PART_WAIT frames */
	uint32_t barrier_cause; /* of a barrier: the path's cause for its end */
	uint32_t entered_by;    /* thread that entered; an untied task may leave by another */
	struct mpi_visit *mpi;  /* the call of MPI that it is or that it lies in, or NULL */
};

/* Metrics of a thread: analysis.metric_count of each. */
struct thread_metrics {
	uint64_t *now; /* as last read, since the first reading */
	uint64_t *first;
	bool *read;
	uint64_t
	    *suspended; /* what the tasks counted that ran within those which did not end yet */
};

/* An explicit task, or what a thread executes by itself (implicit tasks and the serial part). */
struct task {
	struct frame *frames;
	size_t depth, room;
	uint64_t *metrics; /* by frame: the thread's now and suspended at its enter */
	size_t metric_room;
	uint64_t clock; /* until resumed_at */
	uint64_t resumed_at;
	bool explicit_task, running;
	/* For the path: who suspended it last, and when; 0: no thread did. */
	uint32_t suspender;
	uint64_t suspended_at;
};

/* One execution of a work-sharing construct by a team, until all its threads left it. */
struct execution {
	uint32_t construct, left; /* how many threads have left it */
	uint64_t sum, max;
	struct map_key key;
};

/*
 * One barrier of a team, until all its threads have arrived; of an explicit one, their work since
 * the barrier before.
 */
struct barrier {
	uint32_t construct, arrived;
	uint64_t sum, max;
	struct map_key key;
};

struct member {
	uint32_t thread;
	uint64_t begun_at;
	uint64_t ended_at;           /* 0: still in the team */
	uint64_t useful, waits, mpi; /* in the team, once it ended; waits for threads */
};

/* One execution of a parallel region. */
struct team {
	uint32_t comm;
	uint32_t size; /* announced, 0: unknown */
	uint32_t begun, ended;
	uint64_t forked_at, joined_at;
	bool forked, joined, outermost;
	bool has_chosen; /* of its threads so far one is chosen */
	struct member *members;
	size_t member_room;
	uint64_t useful_sum, useful_max; /* of the members that ended */
	uint64_t body_sum, body_max;     /* of the parallel construct, bodies counted so far */
	uint32_t bodies;
	uint32_t construct;         /* its parallel construct */
	uint32_t attached;          /* threads and forks that point here; freed at 0 */
	struct pair_map executions; /* (construct, ordinal) to index */
	struct pair_map ordinals;   /* (construct, thread) to how often it was left */
	struct execution *open;
	/* The same of barriers, until all threads have arrived. */
	struct pair_map barrier_of, barrier_ordinals;
	struct barrier *barriers;
	size_t barrier_count, barrier_room;
	size_t open_count, open_room;
	/* For the path. */
	uint32_t fork_cause, barrier_cause; /* of the fork; of the barrier waited at */
	uint32_t completer;                 /* of its last task that completed, and when */
	uint64_t completed_at;
	bool ends_in_barrier;
	struct pair_map barrier_causes; /* (region, ordinal) to cause, until all threads arrived */
	struct pair_map arrivals;       /* (region, thread) to how often it arrived */
	struct meetings *meetings;      /* behind.c's, or NULL */
};

/* What a thread worked in a construct since it left the barrier before, ticks. */
struct spent {
	uint32_t construct;
	uint64_t ticks;
};

/* Of a barrier's times those before which the busiest thread had most of a construct beyond others.
 */
struct behind {
	uint32_t barrier, construct;
	uint64_t lost; /* (its work in the construct - the team's mean) x threads, ticks; no more
			  than by all its work */
};

/* A thread's stay in a team. */
struct stay {
	struct team *team;
	struct task *base; /* what it executed when it joined the team */
	uint64_t begun_at, useful, waits, mpi;
	uint64_t useful_before; /* when it left the last barrier, or began */
	struct spent *spent;    /* since then, where a report asks for it */
	size_t spent_count, spent_room;
	uint64_t waits_before; /* what it had waited by then */
	uint32_t member;
};

/* A fork of this thread that was not joined yet. */
struct fork {
	uint64_t at;
	struct team *team; /* NULL until this thread began in it */
	size_t depth;      /* teams around it */
	/*
	 * The frame that it happened in: of this task, its depth, its nested time and the clock
	 * then.
	 */
	struct task *task;
	size_t frame_depth;
	uint64_t nested, clock;
};

/*
 * One thread's part in a construct, in ticks; the constructs have the sums when the pass is over.
 */
struct visited {
	uint32_t construct;
	uint32_t depth;      /* frames that the thread entered and that are open; */
	uint64_t open_since; /* time counts once while there are any, of tasks they may overlap */
	uint64_t visits, time, self, body, barrier_wait, enter_wait;
	uint64_t work;              /* the body's time without the waits in it */
	uint64_t arrived_last;      /* at so many of the construct's completed barriers */
	uint64_t startup, shutdown; /* of a parallel region: fork to begin, end to join */
};

struct thread {
	struct task base; /* everything but explicit tasks */
	struct task *current;
	struct stay *stays;
	size_t stay_count, stay_room;
	struct fork *forks;
	size_t fork_count, fork_room;
	uint64_t activities[ACTIVITIES]; /* ticks */
	uint64_t mpi_in_team;            /* what of ACTIVITY_MPI was within parallel regions */
	uint64_t imbalance;     /* less useful time than its teams' busiest, outermost ones */
	enum activity activity; /* what it does since last_time */
	uint32_t activity_construct;
	uint64_t last_time, first_time;
	uint64_t last_real_time;  /* not clipped */
	uint64_t parallel;        /* fork to join of its outermost forks */
	bool seen, initial;       /* initial: the thread that the program began with */
	uint64_t lock_wait_since; /* analysis' count of lock events when it began to wait for one */
	struct thread_metrics metrics;
	/* What is kept by construct for each thread: visited[visited_of(construct)]. */
	struct map visited_of;
	struct visited *visited;
	size_t visited_count, visited_room;
};

struct analysis {
	struct archive *archive;
	struct timeline *timeline; /* or NULL */
	struct path *path;         /* or NULL */
	struct mpi *mpi;           /* or NULL: the archive has no functions of MPI */
	struct cuts *cuts;         /* or NULL */
	struct region_part *parts; /* by region */
	struct construct *constructs;
	size_t construct_count, construct_room;
	struct thread *threads;  /* by location */
	struct map current_team; /* comm to the struct team that began last */
	struct pair_map tasks;   /* (team, creator and number) to struct task, until completed */
	struct pair_map created; /* key of a task that did not start to the path's cause */
	struct pair_map lock_of; /* (lock, process) to index */
	struct lock *locks;
	size_t lock_count, lock_room;
	struct pair_map behind_of; /* (barrier, construct) to index */
	struct behind *behind;
	size_t behind_count, behind_room;
	uint64_t lock_events; /* releases and beginnings of waits so far: their order */
	uint64_t kinds[EVENT_KINDS];
	size_t metric_count;
	uint32_t *metrics;     /* the archive's index of each that is summed up */
	uint32_t *metric_of;   /* by the archive's index: ours, or ARCHIVE_NO_INDEX */
	uint64_t *metric_sums; /* constructs x metric_count */
	const struct analysis_choice *choice; /* while events are read */
	uint64_t clip_from, clip_to;          /* ticks; events before and after happen then */
	uint64_t shortest;                    /* ticks: visits that are shorter do not count */
	uint64_t real_time;                   /* of the event at hand, before it is clipped */
	uint64_t order;                       /* the latest time of an event so far, not clipped */
	uint64_t events; /* from clip_from to clip_to; skipped kinds are not known */
	uint64_t first_time, last_time;
	bool has_teams, has_forks, has_mpi;
	/* Of threads that are seen, those that are chosen; 0: no threads were chosen among all. */
	uint64_t chosen_threads;
	bool splits_teams;  /* of a process some threads are chosen, and some are not */
	bool lacks_threads; /* some are chosen of sums (cuts.h), which have imbalance, locks and the
			       creation of tasks of all threads only: they are left out */
	/* By process: location group, the last one for locations without. */
	uint64_t *largest_teams;
	uint64_t *imbalances; /* outermost teams: sum of (max - mean) useful */
	uint64_t mpi_held;    /* outermost teams: waits that MPI in others of the team explains */
	uint64_t unbalanced;  /* leaves without enter, frames left open */
};

/*
 * Which part of the archive counts. Times are those between from and to, in ns since the clock's
 * start, which is the first event; to may be SUMMARY_NOT_MEASURED, the end. A visit counts when
 * some of it lies in between and it took min_duration at least; an acquisition when it happened in
 * between. Constructs, locks and tasks count what the chosen threads did; the threads' own times
 * are those of all, and imbalance, what is behind it, and who came last are those of all threads of
 * the teams that a chosen thread is in.
 */
struct analysis_choice {
	uint64_t from, to, min_duration;
	const bool *threads; /* by location, or NULL for all */
	struct timeline_shape timeline;
	bool has_path, has_behind;
	/* Sums of up to so many steps, of at most so many entries (cuts.h); 0: none. */
	size_t cuts, cut_entries_max;
	/* Called with each event of a thread as it was recorded, before it counts; or NULL. */
	void (*record)(void *context, const struct archive_event *event);
	void *record_context;
	/*
	 * Called after each event of a thread, with all that it changed; or NULL. The event's time
	 * is the one that was counted: clipped, and not before the thread's last.
	 */
	void (*observe)(
	    void *observer, const struct analysis *analysis, const struct archive_event *event);
	void *observer;
	const struct mpi_observer *mpi_observer; /* or NULL */
};

/* Reads the archive's events to their end. The choice is not needed afterwards. */
struct analysis *analysis_run(struct archive *archive, const struct analysis_choice *choice);
void analysis_free(struct analysis *analysis);

/* The process of a location; all locations without a location group are one. */
static inline size_t analysis_process_of(const struct archive *archive, size_t location)
{
	uint32_t group = archive->locations[location].group;

	return group == ARCHIVE_NO_INDEX ? archive->group_count : group;
}

/* Whether it is that row of the list of constructs. */
static inline bool analysis_is_construct(const struct construct *construct, enum construct_id id)
{
	return strcmp(construct->name, construct_name(id)) == 0;
}

/* What the thread keeps of the construct; NULL when it never entered it. */
const struct visited *analysis_visited(const struct thread *thread, uint32_t construct);

/*
 * The thread that arrived last at most of the construct's completed barriers (of equals the first),
 * and at how many of them; ARCHIVE_NO_INDEX without any.
 */
uint32_t analysis_last_to_arrive(
    const struct analysis *analysis, uint32_t construct, uint64_t *count);

/*
 * What is mostly behind the waits at the barriers of that construct; NULL where nothing is, or
 * where the choice was without has_behind.
 */
const struct behind *analysis_behind(const struct analysis *analysis, uint32_t barrier);

/*
 * Whether the construct's imbalance is known (threads share its work, or it is a barrier); if so,
 * *imbalance in ticks.
 */
bool analysis_imbalance(const struct construct *construct, uint64_t *imbalance);

/* "file.c:12 critical(name)". The caller frees it. */
char *analysis_construct_name(const struct construct *construct);

/* Ticks to nanoseconds. */
uint64_t analysis_nanoseconds(const struct analysis *analysis, uint64_t ticks);

/*
 * The analysis as a summary, times in nanoseconds. Names are valid as long as the analysis, arrays
 * until analysis_free_summary().
 */
void analysis_summarize(const struct analysis *analysis, struct summary *summary);
void analysis_free_summary(struct summary *summary);

#endif
