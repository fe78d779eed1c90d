/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The figures that the reports give for an archive. One pass over the events collects them, with
 * memory for what is open at a time (frames, tasks, executions), never for all events.
 *
 * Words: a construct is what the source contains (the loop at a.c:6); an OTF2 region may be a part
 * of one (its implicit barrier, the body of a critical). A frame is a region that a thread has
 * entered and not left. A task's clock runs only while a thread executes the task, so that a
 * barrier's wait does not contain the tasks that were executed in it. All times are ticks of the
 * archive's clock.
 */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include "archive.h"
#include "common/summary.h"
#include "mpi.h"
#include "path.h"
#include "shared/constructs.h"
#include "shared/trace-usage.h"
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
	/* Over all threads; set when the pass is over. */
	uint64_t visits, time, self, barrier_wait, enter_wait;
	uint64_t threads, body_min, body_sum, body_max;
	uint64_t imbalance;
	uint64_t usage[TRACE_USAGE_VALUES], wait_delayed; /* see struct visited */
	/*
	 * Barriers, explicit or the construct's own, at which a whole team arrived. For explicit
	 * barriers also how unevenly the threads worked since the previous barrier, in ticks.
	 */
	uint64_t barriers_completed, arrival_imbalance;
	bool has_barrier_wait, has_enter_wait, has_imbalance, has_body;
	/* Tasks. */
	uint64_t created, undeferred, create_time;
	uint64_t task_min, task_max; /* of one execution, by its own clock */
	/* For the path: the thread that left its body last, and when. */
	uint32_t leaver;
	uint64_t left_at;
};

/* A region's place in its construct. */
struct region_part {
	uint32_t construct; /* or NO_CONSTRUCT */
	enum part part;
	bool is_mpi; /* a function of MPI */
	/* The thread's activity while this region is the innermost; ACTIVITY_NONE: work. */
	enum activity wait;
};

struct lock {
	char *name;
	bool has_name; /* of its construct or variable; all processes share it */
	uint64_t acquisitions, contended, wait, hold;
	uint64_t acquired_at;
	uint32_t holder;         /* thread index while held */
	uint32_t depth;          /* of nestable locks; 0: free */
	uint64_t released_since; /* analysis.lock_events at its last release */
	uint64_t released_at;    /* time of that release, by the holder at that time */
	uint64_t released_real;  /* the same, not clipped */
};

struct frame {
	uint32_t region;
	uint32_t innermost; /* its construct or the nearest one around it, or NO_CONSTRUCT */
	struct region_part part;
	enum activity wait;     /* of the thread while this is the top frame; ACTIVITY_NONE: work */
	uint64_t entered_at;    /* wall */
	uint64_t entered_real;  /* the same, not clipped */
	uint64_t entered;       /* the task's clock */
	uint64_t nested;        /* frames directly within, by the task's clock */
	uint64_t enter_wait;    /* ENTER_WAIT_OPEN until the body begins */
	uint64_t waited;        /* by the thread before it entered: waits and MPI, within teams */
	uint64_t barriers;      /* its PART_BARRIER frames, wall ... */
	uint64_t barrier_work;  /* ... and without the waits in them */
	uint64_t body;          /* its PART_BODY frames, wall ... */
	uint64_t body_work;     /* ... and without the waits in them */
	uint64_t barrier_wait;  /* waits in its PART_BARRIER and PART_WAIT frames */
	uint32_t barrier_cause; /* for a barrier: the path's cause of its end */
	uint32_t entered_by;    /* a thread; another one may leave (untied tasks) */
	uint32_t visited;       /* of a whole construct: index in what that thread keeps */
	struct mpi_visit *mpi;  /* the MPI call that this frame is or lies in, or NULL */
};

/* Metrics of a thread: each array has analysis.metric_count elements. */
struct thread_metrics {
	uint64_t *now; /* the last value read, minus the first */
	uint64_t *first;
	bool *read;
	uint64_t *suspended; /* counted by finished tasks that ran within unfinished ones */
};

/*
 * An explicit task, or everything else that a thread executes (implicit tasks and the serial part).
 */
struct task {
	struct frame *frames;
	size_t depth, room;
	uint64_t *metrics; /* by frame: the thread's `now` and `suspended` when it entered */
	size_t metric_room;
	uint64_t clock; /* until resumed_at */
	uint64_t resumed_at;
	bool explicit_task, running;
	/* For the path: the thread that suspended it last, and when; 0: never suspended. */
	uint32_t suspender;
	uint64_t suspended_at;
};

/* One execution of a work-sharing construct by a team, until all threads have left it. */
struct execution {
	uint32_t construct, left; /* how many threads have left it */
	uint64_t sum, max;
	struct map_key key;
};

/*
 * One barrier of a team, until all its threads have arrived; for an explicit barrier, with the
 * threads' work since the previous one.
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
	uint64_t useful, waits, mpi; /* of the ended stay; waits: for threads */
};

/* One execution of a parallel region. */
struct team {
	struct team *next_spare; /* while it is not in use */
	uint32_t comm;
	uint32_t size; /* announced, 0: unknown */
	uint32_t begun, ended;
	uint64_t forked_at, joined_at;
	bool forked, joined, outermost;
	bool has_chosen; /* one of its threads so far is chosen */
	struct member *members;
	size_t member_room;
	uint64_t useful_sum, useful_max; /* of the members that have ended */
	uint64_t body_sum, body_max;     /* of the parallel construct: bodies counted so far */
	uint32_t bodies;
	uint32_t construct;         /* its parallel construct */
	uint32_t attached;          /* threads and forks that point here; freed at 0 */
	struct pair_map executions; /* (construct, ordinal) to index */
	struct pair_map ordinals;   /* (construct, thread) to how often the thread left it */
	struct execution *open;
	/* The same for barriers, until all threads have arrived. */
	struct pair_map barrier_of, barrier_ordinals;
	struct barrier *barriers;
	size_t barrier_count, barrier_room;
	size_t open_count, open_room;
	/* For the path. */
	uint32_t fork_cause, barrier_cause; /* of the fork; of the barrier that threads wait at */
	uint32_t completer; /* thread that completed the team's last task, and when */
	uint64_t completed_at;
	bool ends_in_barrier;
	struct pair_map barrier_causes; /* (region, ordinal) to cause, until all have arrived */
	struct pair_map arrivals;       /* (region, thread) to the number of its arrivals */
	struct meetings *meetings;      /* belongs to behind.c; may be NULL */
};

/* The thread's work in a construct since it left the previous barrier, in ticks. */
struct spent {
	uint32_t construct;
	uint64_t ticks;
};

/*
 * The executions of a barrier at which the same construct accounts for most of the busiest thread's
 * extra work. lost: (its work in the construct - the team's mean) x threads, at most the same
 * difference for all its work.
 */
struct behind {
	uint32_t barrier, construct;
	uint64_t lost; /* ticks */
};

/* A thread's stay in a team. */
struct stay {
	struct team *team;
	struct task *base; /* the task that it executed when it joined the team */
	uint64_t begun_at, useful, waits, mpi;
	uint64_t useful_before; /* when it left the last barrier or began */
	struct spent *spent;    /* since then, if a report asks for it */
	size_t spent_count, spent_room;
	uint64_t waits_before; /* what it had waited when it left the last barrier */
	uint32_t member;
};

/* A fork by this thread that is not joined yet. */
struct fork {
	uint64_t at;
	struct team *team; /* NULL until this thread began in it */
	size_t depth;      /* number of teams around it */
	/*
	 * The frame of the fork: its task, its depth, and its nested time and the clock at the
	 * fork.
	 */
	struct task *task;
	size_t frame_depth;
	uint64_t nested, clock;
};

/*
 * One thread's part in a construct, in ticks. When the pass is over, the constructs get the sums.
 */
struct visited {
	uint32_t construct;
	uint32_t depth;      /* open frames that the thread entered; frames of tasks may overlap */
	uint64_t open_since; /* when depth became 1: overlapping frames add to `time` once */
	uint64_t visits, time, self, body, barrier_wait, enter_wait;
	uint64_t work;         /* the body's time without waits */
	uint64_t arrived_last; /* how many of its completed barriers this thread reached last */
	/*
	 * The kernel's figures outside of constructs and waits in it: ticks, and page faults. The
	 * first two are no part of `self` and `work`.
	 */
	uint64_t usage[TRACE_USAGE_VALUES];
	uint64_t wait_delayed;      /* the same of the first in waits in it */
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
	uint64_t mpi_in_team;            /* the part of ACTIVITY_MPI within parallel regions */
	uint64_t
	    usage[TRACE_USAGE_VALUES]; /* the kernel's figures as of the latest event with them */
	/* What counters have counted: as of the latest event with it, and for the next sample. */
	uint64_t counted[SAMPLE_COUNTERS_MOST], growth[SAMPLE_COUNTERS_MOST];
	/* The parts of ACTIVITY_DELAYED and ACTIVITY_BLOCKED outside of parallel regions. */
	uint64_t serial_delayed, serial_blocked;
	uint64_t wait_delayed; /* without a processor in OpenMP's waits and in MPI */
	uint64_t just_delayed; /* in the time before the latest event: with work, no processor */
	uint64_t late_delayed; /* without a processor while idle, so that it began late in a team */
	uint64_t imbalance;    /* busiest thread's useful time - its own, over outermost teams */
	enum activity activity; /* what it has been doing since last_time */
	uint32_t activity_construct;
	uint64_t last_time, first_time;
	uint64_t last_real_time;  /* not clipped */
	uint64_t parallel;        /* fork to join of its outermost forks */
	bool seen, initial;       /* initial: the program began on this thread */
	uint64_t lock_wait_since; /* analysis.lock_events when it began to wait */
	struct thread_metrics metrics;
	/* What each thread keeps for a construct: visited[visited_of(construct)]. */
	struct map visited_of;
	struct visited *visited;
	size_t visited_count, visited_room;
};

/*
 * Samples at one place in one construct. Of blocked threads: how often they were seen in the call,
 * or without a context the ticks that they were blocked.
 */
struct code_samples {
	uint32_t context, construct; /* or ARCHIVE_NO_INDEX; or NO_CONSTRUCT */
	bool waits, is_serial;       /* in a wait; outside of all parallel regions */
	bool is_blocked;
	bool faults; /* in a page fault */
	uint64_t count;
	uint64_t counted[SAMPLE_COUNTERS_MOST]; /* of the archive's counters; not in cuts */
};

struct analysis {
	struct archive *archive;
	struct timeline *timeline; /* or NULL */
	struct path *path;         /* or NULL */
	/* The sums of the path's steps (path-regions.h); NULL without a path. */
	struct path_regions *path_regions;
	/* By thread: which process of the report has its path; NULL: this one has all. */
	size_t *path_readers;
	struct mpi *mpi;           /* NULL if the archive has no MPI functions */
	struct cuts *cuts;         /* or NULL */
	struct region_part *parts; /* by region */
	struct construct *constructs;
	size_t construct_count, construct_room;
	struct thread *threads;   /* by location */
	struct map current_team;  /* comm to the struct team that began last */
	struct team *spare_teams; /* small teams that are over, for the next ones */
	struct pair_map tasks;    /* (team, creator and number) to struct task, until completed */
	struct pair_map created;  /* key of a task that has not started to the path's cause */
	struct pair_map lock_of;  /* (lock, process) to index */
	struct lock *locks;
	size_t lock_count, lock_room;
	struct pair_map behind_of; /* (barrier, construct) to index */
	struct behind *behind;
	size_t behind_count, behind_room;
	uint64_t lock_events; /* releases and beginnings of waits so far; defines their order */
	uint64_t kinds[EVENT_KINDS]; /* EVENT_SAMPLE: with those of EVENT_FAULT */
	size_t metric_count;
	uint32_t *metrics;          /* the archive's index of each metric that is summed up */
	uint32_t *metric_of;        /* by the archive's index: ours, or ARCHIVE_NO_INDEX */
	uint64_t *metric_sums;      /* constructs x metric_count */
	struct pair_map samples_of; /* analysis_place_key() to index */
	struct code_samples *samples;
	size_t sample_count, sample_room;
	struct pair_map blocked_of; /* the same for those of blocked threads */
	struct code_samples *blocked;
	size_t blocked_count, blocked_room;
	const struct analysis_choice *choice; /* while events are read */
	uint64_t clip_from, clip_to;          /* ticks; events outside are moved to these bounds */
	uint64_t shortest;                    /* ticks; shorter visits do not count */
	uint64_t real_time;                   /* of the current event, before clipping */
	uint64_t order;                       /* the latest event time so far, not clipped */
	uint64_t events;                      /* from clip_from to clip_to, without skipped kinds */
	uint64_t beside; /* samples, and records of what the kernel counted: not in `events` */
	uint64_t first_time, last_time;
	bool has_teams, has_forks, has_mpi;
	/* Number of chosen threads that have events; 0: no choice was made. */
	uint64_t chosen_threads;
	bool splits_teams; /* of one process, some threads are chosen and some are not */
	/*
	 * Threads are chosen from sums (cuts.h). Imbalance, locks and the creation of tasks are
	 * left out: sums have them only for all threads.
	 */
	bool lacks_threads;
	/* By process: location group; the last element is for locations without group. */
	uint64_t *largest_teams;
	uint64_t *imbalances; /* outermost teams: sum of (max - mean) useful */
	uint64_t mpi_held;    /* outermost teams: waits explained by other members' MPI calls */
	uint64_t unbalanced;  /* leaves without enter, and frames left open */
};

/*
 * Which part of the archive counts. Times are those between `from` and `to`, in ns since the
 * clock's start, which is the first event; `to` may be SUMMARY_NOT_MEASURED for the end. A visit
 * counts if it overlaps this span and took at least min_duration; an acquisition counts if it
 * happened within the span. Constructs, locks and tasks count what the chosen threads did. The
 * threads' own times cover all threads. Imbalance, the work behind it, and who came last cover all
 * threads of each team that has a chosen thread.
 */
struct analysis_choice {
	uint64_t from, to, min_duration;
	const bool *threads; /* by location, or NULL for all */
	struct timeline_shape timeline;
	bool has_path, has_behind;
	const bool *path_threads; /* by location: whose part of the path counts; NULL: all */
	/* Sums of at most this many steps, entries and entries of samples (cuts.h); 0: none. */
	size_t cuts, cut_entries_max, cut_samples_max;
	/* Called with each event of a thread as recorded, before it counts; or NULL. */
	void (*record)(void *context, const struct archive_event *event);
	void *record_context;
	/*
	 * Called after each event of a thread has taken effect; or NULL. The event's time is the
	 * counted one: clipped, and not earlier than the thread's last.
	 */
	void (*observe)(
	    void *observer, const struct analysis *analysis, const struct archive_event *event);
	void *observer;
	const struct mpi_observer *mpi_observer; /* or NULL */
};

/* Reads all of the archive's events. The choice is not needed afterwards. */
struct analysis *analysis_run(struct archive *archive, const struct analysis_choice *choice);
void analysis_free(struct analysis *analysis);

/* The process of a location; all locations without a location group form one process. */
static inline size_t analysis_process_of(const struct archive *archive, size_t location)
{
	uint32_t group = archive->locations[location].group;

	return group == ARCHIVE_NO_INDEX ? archive->group_count : group;
}

/* Whether the construct is that row of the list of constructs. */
static inline bool analysis_is_construct(const struct construct *construct, enum construct_id id)
{
	return strcmp(construct->name, construct_name(id)) == 0;
}

/* What the thread keeps for the construct; NULL if the thread never entered it. */
const struct visited *analysis_visited(const struct thread *thread, uint32_t construct);

/*
 * The thread that was last to arrive most often at the construct's completed barriers (the first of
 * equals), with the number of times in *count; ARCHIVE_NO_INDEX if there is none.
 */
uint32_t analysis_last_to_arrive(
    const struct analysis *analysis, uint32_t construct, uint64_t *count);

/*
 * The main cause of the waits at that construct's barriers; NULL if there is none, or if the choice
 * did not set has_behind.
 */
const struct behind *analysis_behind(const struct analysis *analysis, uint32_t barrier);

/*
 * Whether the construct's imbalance is known (threads share its work, or it is a barrier). If so,
 * *imbalance is set, in ticks.
 */
bool analysis_imbalance(const struct construct *construct, uint64_t *imbalance);

/* What a thread that enters the region waits for at first, or ACTIVITY_NONE. */
enum activity analysis_region_wait(const struct archive_region *region);

/* "file.c:12 critical(name)". The caller frees it. */
char *analysis_construct_name(const struct construct *construct);

/* Archives may be of any depth: what is further out than so many calls is "...". */
#define ANALYSIS_CALLS_MOST 1000

/* Adds the context's call path, from the outermost function on. */
struct hot_path;
void analysis_add_path(const struct archive *archive, uint32_t index, struct hot_path *path);

/* Adds what the archive's counters have counted to sums by counter. */
void analysis_add_counts(
    const struct archive *archive, const uint64_t *counted, uint64_t sums[SAMPLE_COUNTER_COUNT]);

/* The place of samples: a construct, or one of the two outside of all. */
uint32_t analysis_place_of(const struct analysis *analysis, const struct code_samples *samples);

/*
 * "solver.c:12 for": the innermost construct around samples; "serial part" outside of all and of
 * parallel regions; else "?". The caller frees it.
 */
char *analysis_place_name(const struct analysis *analysis, uint32_t place);

/* Whether samples at a place of that name are included. */
typedef bool analysis_filter(const void *context, const char *name);

/*
 * By place, whether it is included; NULL includes all. The filter is asked for every place, so that
 * it knows whether it has any effect. The caller frees the result.
 */
bool *analysis_taken_places(
    const struct analysis *analysis, analysis_filter *takes, const void *context);

/* Ticks to nanoseconds. */
static inline uint64_t analysis_nanoseconds(const struct analysis *analysis, uint64_t ticks)
{
	unsigned __int128 nanoseconds = (unsigned __int128)ticks * 1000000000;

	return (uint64_t)(nanoseconds / analysis->archive->ticks_per_second);
}

/* Nanoseconds that the kernel counted; not measured if the archive lacks some of its figures. */
uint64_t analysis_counted(const struct analysis *analysis, uint64_t ticks);

/*
 * The analysis as a summary, with times in nanoseconds. Names are valid as long as the analysis,
 * arrays until analysis_free_summary().
 */
void analysis_summarize(const struct analysis *analysis, struct summary *summary);
/*
 * Adds the lines of Python that called regions. They are known for the whole run and all threads: a
 * summary of a part has none without this.
 */
void analysis_summarize_callers(const struct analysis *analysis, struct summary *summary);
/* Leaves only the code of the places that `takes` accepts; shares remain those of all samples. */
void analysis_choose_code(const struct analysis *analysis, struct summary *summary,
    analysis_filter *takes, const void *context);
void analysis_free_summary(struct summary *summary);

#endif
