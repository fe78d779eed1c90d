/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team: the threads that execute one parallel region together, and what they share.
 *
 * Teams stay hot. A team belongs to the place from which it was forked (a member of the enclosing
 * team, struct rt_member.inner). It keeps its worker threads after the region and serves that
 * place's next region, even if that has another size: workers beyond the region's size sleep until
 * they are needed. So a program's teams form a tree that mirrors the nesting of its regions; the
 * tree is freed when the root thread ends.
 */
#ifndef RT_TEAM_H
#define RT_TEAM_H
#include "barrier.h"
#include "deque.h"
#include "groups.h"
#include "places.h"
#include "shared/loop-schedule.h"
#include "ready-queue.h"
#include "shared/precondition.h"
#include "task.h"
#include "thread.h"
#include "wait.h"
#include "workshare.h"

struct rt_mutex;
struct rt_region_request;

/*
 * The last binding of a member: the place `own` follows from the other fields. It is kept because
 * successive regions are mostly alike.
 */
struct rt_binding {
	struct rt_placement primary, own;
	uint32_t size; /* 0: not bound yet */
	uint8_t bind;
};

/* How long the tasks of a taskloop took when the member last executed one. */
struct rt_taskloop_timing {
	rt_task_fn *fn;
	uint64_t cycles;
};

/* One member; allocated once per number and kept until the team is freed. */
struct rt_member {
	RT_PADDED struct rt_task implicit; /* its implicit task */
	struct rt_team *team;
	struct rt_thread *thread; /* executes it; number 0: the thread that forked */
	struct rt_team *inner;    /* hot team of the regions that it forks, or NULL */
	struct rt_team
	    *serialized; /* the same for its regions of one thread, which needs no workers */
	uint32_t number;
	uint32_t single_turn; /* `single` constructs encountered, over all regions */
	uint32_t single_seen; /* team->single_turn when last read: constructs before it are taken */
	uint64_t seen;        /* the value of team->region that it last acted on */
	bool starts_asleep;   /* worker: sleeps at once before its first region */
	bool has_pages;       /* it has pages of its own, which move with it; see home.h */
	bool announced;       /* it is about to sleep; see rt_member_looks_at_team() */
	uint32_t looks;       /* number of looks at words of its group, while it waits */
	struct rt_loop loop;  /* its part of the current work-sharing construct */
	/* Of its next loop with schedule(runtime); kind 0: it has none of its own. */
	struct loop_schedule next_schedule;
	struct loop_marks *next_marks; /* who notes its pieces, or NULL */
	struct rt_task_icvs own_icvs;  /* implicit.icvs points here when places differ by member */
	struct rt_binding binding;     /* how it was bound last, see rt_affinity_enter() */
	int32_t shown_place; /* where it ran when that was last shown, -1: it was not bound */
	struct rt_taskloop_timing taskloop_timing;
	struct rt_mutex *reduction; /* held while it combines its copies, or NULL */
	struct rt_open_work work;   /* for tools */
	struct rt_deque deque;      /* ready tasks; the owner pushes, all take */
	/* What other members read while they wait for this one; see rt_team_join(). */
	RT_PADDED _Atomic uint64_t joined; /* the last region whose end it has reached */
	_Atomic uint32_t parked;           /* 1: sleeps until a region needs it; see park() */
	_Atomic int32_t processor;         /* where its thread's last wait began; a hint */
	_Atomic uint64_t
	    idle_since; /* rt_cycles() when it yielded or went to sleep, 0: it runs; a hint */
	/* By slot: claimed chunks of its share; see rt_chunk_stealing_begin(). */
	RT_PADDED _Atomic uint64_t taken[RT_WORKSHARES];
};

/*
 * The members by number. When the team grows, a larger roster replaces this one, which stays
 * allocated.
 */
struct rt_roster {
	struct rt_roster *previous;
	uint32_t capacity;
	struct rt_member *members[];
};

/* Header of memory that is freed when the region has ended. */
struct rt_garbage {
	struct rt_garbage *next;
};

/*
 * Stores a field that the forking thread writes and the workers read at each region, unless it has
 * that value already: as long as nothing is written, the workers keep their copy of the line, and
 * most regions are like the previous one. In a team of one thread a store is cheaper than the
 * comparison.
 */
#define RT_UPDATE(has_workers, field, value)                                                       \
	do {                                                                                       \
		if (!(has_workers) || (field) != (value))                                          \
			(field) = (value);                                                         \
	} while (0)

/*
 * From the word that publishes a region: how many members the region has. 0: the workers have to
 * end, or to emit their ends (rt_team.emits_ends).
 */
#define REGION_SIZE(region) ((uint32_t)((region) >> 32))

/*
 * The forking thread writes a team's fields before it publishes the region; they are constant
 * during the region. They are grouped by which threads read them and when, because each write to a
 * line costs every reader a transfer.
 */
struct rt_team {
	/* Rarely changes from one region to the next, and is written only then. */
	uint32_t size;         /* omp_get_num_threads() */
	uint32_t level;        /* enclosing parallel regions, this one included: omp_get_level() */
	uint32_t active_level; /* the active ones of them: omp_get_active_level() */
	uint32_t width;        /* largest number of threads that this nest keeps busy at once */
	uint32_t resources;    /* rt_process.changes when the shortage was found */
	_Atomic uint8_t
	    shortage; /* enum rt_shortage, of `width` threads; workers between regions read it */
	uint8_t bind; /* enum rt_bind, when is_bound */
	bool bind_passes_on; /* the policy comes from a clause and is the members' bind-var too */
	bool shows_affinity; /* OMP_DISPLAY_AFFINITY: each member reports where it runs */
	uint32_t primary_place; /* the forking thread's, when is_bound */
	struct rt_team *parent; /* NULL: an initial team */
	struct rt_member *parent_member;
	uint32_t parent_number; /* the forking thread's: omp_get_ancestor_thread_num() */
	uint32_t task_depth;    /* of the implicit tasks */
	uint32_t teams_count, teams_number; /* the league; see struct rt_thread */
	uint32_t race_group;  /* initial team: see rt_race_lock_identity(), 0: of a thread */
	uint64_t race_region; /* see ompinst_race_fork() */
	uint32_t started;     /* members that have a thread, numbers 0 .. started - 1 */
	bool emits_ends;      /* with a region of size 0: workers emit their ends and stay */
	_Atomic(struct rt_roster *) roster;
	/*
	 * The division of a large team, NULL: it is not divided. The forking thread writes it
	 * between regions; release, pairs with the acquire of workers that wait for the next
	 * region.
	 */
	_Atomic(struct rt_groups *) groups;
	_Atomic(struct rt_groups *) divisions; /* list of all divisions that it has had */

	/* Only the forking thread uses these. */
	RT_PADDED struct rt_task *parent_tied;
	/*
	 * For debuggers: the request, which is on the stack of the caller of the region's body.
	 * NULL: the program calls the body.
	 */
	const struct rt_region_request *request;
	bool parent_icvs_shared;
	uint32_t last_size;  /* of the region before */
	uint32_t shown_size; /* of the region that last showed where its threads run, 0: none */
	/*
	 * Properties that few regions have, read when the region ends. Each is read by a load that
	 * is as wide as the store at the region's begin: otherwise the load would have to wait for
	 * the store.
	 */
	uint32_t reserved; /* threads taken from the group's thread-limit-var */
	union {
		struct {
			uint8_t is_shown;   /* 1: ompd_bp_parallel_begin() was called */
			uint8_t is_seen;    /* 1: a tool has seen its begin */
			uint16_t is_shared; /* 1: rt_resources_share() counts its threads */
		};
		uint32_t at_end;
	};
	struct rt_task_icvs region_icvs; /* storage for `icvs` when the region changes them */
	uint32_t *inner_threads; /* of the num_threads clause: the list in region_icvs; or NULL */
	struct rt_loop_args loop_args; /* GOMP_parallel_loop_*, GOMP_parallel_sections */
	uintptr_t *reductions;         /* GOMP_parallel_reductions */
	struct rt_team_tool tool;      /* written before the region is published */

	/*
	 * All that a worker needs to begin, in the line that it watches. In a team of two the only
	 * worker answers in the same line: a thread that takes a line to write to it also gets what
	 * the other thread wrote there.
	 */
	union {
		RT_PADDED struct rt_region_begin begin;
		struct {
			RT_REGION_BEGIN
			/* The last region whose end the worker of a pair reached. */
			_Atomic uint64_t pair_joined;
		};
	};

	/* Changes rarely. */
	RT_PADDED struct rt_event event; /* where waits that execute tasks sleep; in a divided team
					    they sleep at the group's and count here */
	_Atomic uint32_t has_tasks;      /* a task was queued in this region: look for some */
	/*
	 * offered: how often one member was woken because a task was queued. passed_on: the value
	 * of `offered` when all members were last woken because one found only tasks that it may
	 * not execute.
	 */
	_Atomic uint32_t offered, passed_on;
	_Atomic uint32_t cancelled;           /* `cancel parallel` was encountered in this region */
	_Atomic(struct rt_garbage *) garbage; /* freed when the region has ended */
	_Atomic uint32_t busy; /* initial team: threads of its contention group in inner regions */

	RT_PADDED _Atomic uint64_t
	    pair_arrived[2]; /* barriers reached by each of two; see rt_team_barrier() */
	RT_PADDED struct rt_barrier barrier;    /* explicit and implicit, of larger teams */
	struct rt_barrier join;                 /* the region's end */
	RT_PADDED _Atomic uint32_t single_turn; /* `single` constructs begun */
	RT_PADDED _Atomic(void *) copyprivate;
	struct rt_workshare workshares[RT_WORKSHARES];
	struct rt_mutex extras_mutex;
	struct rt_extra_slots extras; /* under extras_mutex */
	struct rt_team *next_context; /* in struct rt_thread.contexts */
	struct rt_ready_queue ready;  /* tasks with a priority and those no deque had room for */
	/* Tasks that a member took from a deque only because another task was queued after them. */
	struct rt_ready_queue passed_over;
};

_Static_assert(
    offsetof(struct rt_team, pair_joined) + sizeof(uint64_t) - offsetof(struct rt_team, region) <=
	PROCESSOR_LINE,
    "a region is announced and answered in one line");

_Static_assert(offsetof(struct rt_team, begin) == offsetof(struct rt_team, region),
    "both forms of the line are one");
_Static_assert(offsetof(struct rt_team, is_shared) + sizeof(uint16_t) ==
		   offsetof(struct rt_team, at_end) + sizeof(uint32_t),
    "one load reads all that few regions have");

/*
 * A thread calls these before and after it works on a team of which it is not a member
 * (omp_fulfill_event). No team is freed between the two calls.
 */
void rt_team_visit(void);
void rt_team_unvisit(void);
/* Is any thread between the two calls? Asked before a team is freed. */
bool rt_team_has_visitors(void);

/*
 * Wake every sleeper of the team, or one for a task. Call them only if team->event.sleepers is not
 * 0.
 */
void rt_team_wake(struct rt_team *team);
void rt_team_wake_one(struct rt_team *team);

/*
 * Like rt_event_notify(), for a team: a condition became true for which a member may wait that
 * executes tasks meanwhile.
 */
static inline void rt_team_notify(struct rt_team *team)
{
	if (unlikely(load_sequential(&team->event.sleepers) != 0))
		rt_team_wake(team);
}

/*
 * For a member that watches its group's line: does it read the team's own word this time? It does
 * now and then, because the member that passes the value on may have lost its processor, and always
 * before it sleeps.
 */
static inline bool rt_member_looks_at_team(struct rt_member *member)
{
	enum { LOOKS = 64 };

	return member->announced || ++member->looks % LOOKS == 0;
}

/*
 * A task was queued: wakes at least one waiting member that may look for it. The store and the load
 * of `sleepers` are sequential: a member that announces itself after that load finds has_tasks set.
 * If another thread has set has_tasks before, acquire suffices: that thread's store then comes
 * before this thread's load in the sequential order, too.
 */
static inline void rt_team_offer_task(struct rt_team *team)
{
	if (unlikely(load_acquire(&team->has_tasks) == 0))
		store_sequential(&team->has_tasks, 1);
	if (unlikely(load_sequential(&team->event.sleepers) != 0))
		rt_team_wake_one(team);
}

/*
 * Is it better to execute a task at once than to queue it? True in a final task, and where tasks
 * may nest if the calling thread is alone in the team or enough tasks are queued already. If the
 * result is false, call rt_task_has_enough_queued().
 */
static inline bool rt_task_is_better_now(struct rt_thread *self)
{
	const struct rt_task *task = self->task;

	return (task->flags & RT_TASK_FINAL) ||
	       ((self->team->size == 1 || rt_deque_is_surely_saturated(&self->member->deque)) &&
		   !rt_task_queues_children(task));
}

static inline bool rt_task_has_enough_queued(struct rt_thread *self)
{
	return !rt_task_queues_children(self->task) &&
	       rt_deque_is_saturated(&self->member->deque, self->team->size);
}

/* Is a task better executed at once? Makes both checks above. */
static inline bool rt_task_is_best_now(struct rt_thread *self)
{
	return rt_task_is_better_now(self) || rt_task_has_enough_queued(self);
}

static inline struct rt_member *rt_team_member(struct rt_team *team, uint32_t number)
{
	struct rt_roster *roster = load_relaxed(&team->roster);

	CHECK(number < roster->capacity, "the team has the member");
	return roster->members[number];
}

/*
 * Returns how many members of the region published last are in the roster, and the roster. For a
 * thread that may be between two regions: the team's own size may already be that of the next
 * region, which is not published and whose members are still being made. Acquire, pairs with the
 * publication: the members up to the returned size are seen.
 */
static inline uint32_t rt_team_published(struct rt_team *team, struct rt_roster **roster)
{
	uint32_t size = REGION_SIZE(load_acquire(&team->region));

	*roster = load_acquire(&team->roster);
	return size < (*roster)->capacity ? size : (*roster)->capacity;
}

#endif
