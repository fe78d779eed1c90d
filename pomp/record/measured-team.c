/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: which threads took part in an execution of a parallel region, and how evenly the work was
 * spread.
 *
 * The imbalance of a work-sharing construct needs, for each execution, the slowest and the mean
 * thread. Every thread of a team executes the same sequence of such constructs (OpenMP 5.2, 11), so
 * each member keeps its last few body times by sequence number, and the members take turns
 * comparing: the i-th of n members to arrive compares executions i, i + n, ... once all members
 * have published theirs. That costs each thread one read of another member's record per execution,
 * whatever the team's size, and no locked instruction. If a thread is more than POMP_EXECUTIONS
 * ahead (only possible with nowait), values are overwritten before their turn comes; those
 * executions are left out.
 */
#include "measured-team.h"

#include "accumulator.h"
#include "lasting-memory.h"
#include "process-state.h"
#include "shared/precondition.h"
#include "thread-stack.h"

/* From whatever OpenMP runtime the program brings; libpomp links none. */
extern int omp_get_thread_num(void) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));

struct pomp_teams pomp_teams;

struct pomp_team *pomp_team_new(struct pomp_thread *thread, uint64_t now)
{
	CHECK(thread == pomp_self, "the calling thread forks");

	struct pomp_team *team = thread->spare_teams;

	if (team != NULL) {
		thread->spare_teams = team->next;
	} else {
		team = pomp_lasting_memory(sizeof(*team));
		if (team == NULL) {
			pomp_out_of_memory("a team");
			return NULL;
		}
		team->master = thread;
	}
	team->fork = now;
	team->alone = false;
	team->silent = thread->off != 0;
	team->origin = NULL;
	store_relaxed(&team->size, 0);
	store_relaxed(&team->arrived, 0);
	store_relaxed(&team->members, NULL);
	store_relaxed(&team->number, fetch_add_relaxed(&pomp_teams.made, 1) + 1);
	return team;
}

static struct pomp_member *member_new(struct pomp_thread *thread)
{
	if (thread->spare_members == NULL)
		thread->spare_members = exchange_acquire(&thread->returned_members, NULL);
	struct pomp_member *member = thread->spare_members;
	if (member != NULL)
		thread->spare_members = member->next;
	else
		member = pomp_lasting_memory(sizeof(*member));
	return member;
}

static void member_push(_Atomic(struct pomp_member *) *list, struct pomp_member *member)
{
	struct pomp_member *first = load_relaxed(list);

	do
		member->next = first;
	while (!replace_release(list, &first, member));
}

void pomp_team_free(struct pomp_team *team)
{
	struct pomp_member *next;

	for (struct pomp_member *member = load_acquire(&team->members); member; member = next) {
		next = member->next;
		/* Everything the member did with the team happens before the team's next use. */
		(void)load_acquire(&member->ended);
		member_push(&member->owner->returned_members, member);
	}
	store_relaxed(&team->members, NULL);
	team->next = team->master->spare_teams;
	team->master->spare_teams = team;
}

static void note_size(struct pomp_team *team, uint32_t size)
{
	uint64_t most = load_relaxed(&pomp_teams.most_threads);

	store_relaxed(&team->size, size);
	while (most < size && !replace_relaxed(&pomp_teams.most_threads, &most, size))
		;
}

/*
 * Returns the thread's number in the team. With two runtimes in one process, the wrong one may
 * answer. The master is 0 in any case, and the order of arrival replaces a number outside the team.
 */
static uint32_t number_in_team(struct pomp_team *team, const struct pomp_thread *thread,
    uint32_t arrival, const struct pomp_numbers *numbers)
{
	uint32_t number = arrival;

	if (numbers != NULL) {
		if (load_relaxed(&team->size) < numbers->size)
			note_size(team, numbers->size);
		return numbers->number;
	}
	if (team->alone) {
		note_size(team, 1);
		return 0;
	}
	if (omp_get_num_threads != NULL && omp_get_thread_num != NULL) {
		number = (uint32_t)omp_get_thread_num();
		uint32_t size = (uint32_t)omp_get_num_threads();
		if (load_relaxed(&team->size) < size)
			note_size(team, size);
	} else if (load_relaxed(&team->size) <= arrival) {
		note_size(team, arrival + 1);
	}
	return team->master == thread ? 0 : number;
}

/*
 * Clears what the record holds from its last use. Mostly it was used for few constructs; no other
 * cache lines are touched.
 */
static void forget_executions(struct pomp_member *member)
{
	uint64_t used = member->executed < POMP_EXECUTIONS ? member->executed : POMP_EXECUTIONS;

	member->executed = 0;
	for (uint64_t i = 0; i < used; i++)
		store_relaxed(&member->execution[i].tag, 0);
}

/* The part of the thread's waits in teams that it spent without a processor, or blocked. */
static uint64_t away(const struct pomp_thread *thread)
{
	return thread->figures[POMP_FIGURE_DELAYED] + thread->figures[POMP_FIGURE_BLOCKED];
}

bool pomp_team_enter(struct pomp_team *team, struct pomp_thread *thread,
    struct pomp_accumulator *region, uint64_t now, const struct pomp_numbers *numbers)
{
	CHECK(thread == pomp_self, "the calling thread begins in the team");

	struct pomp_member *member = member_new(thread);

	if (member == NULL) {
		pomp_out_of_memory("a team's member");
		thread->lost_events++;
		return false;
	}
	bool silent = team->silent || thread->off != 0;
	if (silent) /* until the frame is closed, which undoes this */
		pomp_thread_off(thread, true);
	struct pomp_frame *frame = pomp_frame_push(thread, region, POMP_ROLE_PARALLEL, now);
	if (frame == NULL) {
		if (silent)
			pomp_thread_off(thread, false);
		member_push(&thread->returned_members, member);
		return false;
	}
	frame->parallel.team = team;
	frame->parallel.outer_team = thread->team;
	frame->parallel.outer_member = thread->member;
	frame->parallel.outer_origin = thread->origin;
	frame->parallel.managed = thread->managed;
	frame->parallel.mpi = thread->mpi;
	member->away = away(thread);
	member->owner = thread;
	member->compared = fetch_add_relaxed(&team->arrived, 1);
	member->number = number_in_team(team, thread, (uint32_t)member->compared, numbers);
	store_relaxed(&member->ended, false);
	store_relaxed(&member->arrived, false);
	store_relaxed(&member->joined, 0);
	store_relaxed(&member->left, 0);
	member->begin = now;
	forget_executions(member);
	thread->team = team;
	thread->member = member;
	if (team->origin != NULL)
		thread->origin = team->origin;
	else if (team->master != thread) /* the master's own stack shows it */
		thread->origin = &pomp_origin_unknown;
	member_push(&team->members, member);
	return !silent;
}

void pomp_team_close(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	CHECK(frame == thread->top, "the frame is on top of the stack");
	CHECK(frame->role == POMP_ROLE_PARALLEL, "it is a frame of a team");

	struct pomp_accumulator *sums = frame->accumulator;
	uint64_t duration = now - frame->enter;

	thread->top = frame - 1;
	sums->depth--;
	thread->team = frame->parallel.outer_team;
	thread->member = frame->parallel.outer_member;
	thread->origin = frame->parallel.outer_origin;
	if (frame->silent) {
		pomp_thread_off(thread, false); /* undoes pomp_team_enter() of a silent team */
		return;
	}
	if (!thread->profiling)
		return;
	thread->top->children += duration;
	add_own(&sums->visits, 1);
	add_own(&sums->all, duration);
	if (sums->depth > (thread->top->role == POMP_ROLE_FORK))
		add_own(&sums->nested, duration);
	else if (thread->metrics != NULL)
		pomp_metrics_leave(thread, frame);
	add_own(&sums->inside, frame->children);
	add_own(&sums->own, frame->own + pomp_frame_waits(thread, frame));
	if (thread->team == NULL)
		thread->useful += duration - pomp_frame_waits(thread, frame) -
				  (thread->managed - frame->parallel.managed);
}

void pomp_team_leave(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now)
{
	CHECK(thread->member != NULL, "the thread is in a team");

	struct pomp_member *member = thread->member;
	uint64_t duration = now - frame->enter, waits = pomp_frame_waits(thread, frame);

	member->end = now;
	member->body = duration - frame->own - waits;
	member->useful = duration - waits - (thread->managed - frame->parallel.managed);
	member->mpi = thread->mpi - frame->parallel.mpi;
	member->waits = waits - member->mpi - (away(thread) - member->away);
	pomp_team_close(thread, frame, now);
	store_release(&member->ended, true);
}

/*
 * Records what the team must know of a member in its last barrier, as if it left now (see
 * pomp_team_leave()). In the barrier, only time that is not waiting counts as its work: tasks.
 */
static void note_arrival(struct pomp_thread *thread, uint64_t now)
{
	struct pomp_member *member = thread->member;
	const struct pomp_frame *barrier = thread->top, *frame = barrier - 1;
	uint64_t waits = pomp_frame_waits(thread, frame);
	uint64_t in_barrier = now - barrier->enter - barrier->children;

	member->end = now;
	member->useful =
	    now - frame->enter - waits - in_barrier - (thread->managed - frame->parallel.managed);
	member->mpi = thread->mpi - frame->parallel.mpi;
	member->waits = waits + in_barrier - member->mpi - (away(thread) - member->away);
	store_release(&member->arrived, true);
}

void pomp_team_arrive(struct pomp_thread *thread, uint64_t now)
{
	const struct pomp_frame *barrier = thread->top, *frame = barrier - 1;

	if (thread->member == NULL || frame->role != POMP_ROLE_PARALLEL)
		return;
	thread->member->body = now - frame->enter - frame->own - pomp_frame_waits(thread, frame);
	note_arrival(thread, now);
}

void pomp_team_work_on(struct pomp_thread *thread, uint64_t now)
{
	const struct pomp_frame *barrier = thread->top;

	if (thread->member != NULL && barrier->role == POMP_ROLE_BARRIER &&
	    barrier[-1].role == POMP_ROLE_PARALLEL && load_relaxed(&thread->member->arrived))
		note_arrival(thread, now);
}

void pomp_team_depart(struct pomp_thread *thread, uint64_t now)
{
	struct pomp_team *team = thread->team;

	if (team != NULL && team->master == thread)
		team->left = now;
}

/*
 * A member that has arrived writes nothing but `left` to its record, so it does not matter whether
 * it has left meanwhile.
 */
void pomp_team_release(struct pomp_team *team, uint64_t now)
{
	uint64_t left = team->left != 0 ? team->left : now;

	for (struct pomp_member *member = load_acquire(&team->members); member;
	     member = member->next) {
		if (!load_acquire(&member->arrived))
			continue;
		uint64_t own = load_relaxed(&member->left), end = own != 0 ? own : left;
		if (member->end < end) {
			member->waits += end - member->end;
			member->end = end;
		}
		store_relaxed(&member->ended, true);
		store_relaxed(&member->joined, left);
	}
}

/*
 * Compares one execution. Returns false when some member has not published its share yet. An
 * execution that can no longer be compared counts as compared.
 */
static bool compare_execution(
    const struct pomp_team *team, struct pomp_thread *thread, uint64_t sequence)
{
	uint64_t slowest = 0, sum = 0, region = 0;
	uint32_t count = 0;

	for (struct pomp_member *member = load_acquire(&team->members); member;
	     member = member->next) {
		const struct pomp_execution *share = &member->execution[sequence % POMP_EXECUTIONS];
		uint64_t tag = load_acquire(&share->tag);
		if (tag < sequence + 1)
			return false;
		uint64_t body = load_acquire(&share->body);
		uint64_t its_region = load_relaxed(&share->region);
		if (load_relaxed(&share->tag) != sequence + 1 ||
		    (region != 0 && region != its_region))
			return true;
		region = its_region;
		sum += body;
		slowest = body > slowest ? body : slowest;
		count++;
	}
	if (count < load_relaxed(&team->size))
		return false;
	struct pomp_accumulator *sums = pomp_thread_accumulator(thread, region);
	add_own(&sums->imbalance, slowest * count - sum);
	return true;
}

static void compare_executions(
    const struct pomp_team *team, struct pomp_thread *thread, struct pomp_member *member)
{
	uint64_t size = load_relaxed(&team->size);
	uint64_t step = size > 0 ? size : 1;

	for (; member->compared < member->executed; member->compared += step) {
		if (compare_execution(team, thread, member->compared))
			continue;
		/*
		 * Not all members have published theirs. Wait, unless our own share is about to be
		 * overwritten.
		 */
		if (member->executed - member->compared < POMP_EXECUTIONS)
			break;
	}
}

void pomp_team_executed(struct pomp_thread *thread, uint64_t region, uint64_t body)
{
	CHECK(thread->member != NULL, "the thread is in a team");

	struct pomp_member *member = thread->member;
	struct pomp_execution *share = &member->execution[member->executed % POMP_EXECUTIONS];

	/* The tag is cleared first and set last: no reader takes old values for new ones. */
	store_relaxed(&share->tag, 0);
	store_relaxed(&share->region, region);
	store_release(&share->body, body);
	member->executed++;
	store_release(&share->tag, member->executed);
	if (member->executed % (POMP_EXECUTIONS / 2) == 0)
		compare_executions(thread->team, thread, member);
}

void pomp_team_executed_last(struct pomp_thread *thread, uint64_t region, uint64_t body)
{
	pomp_team_executed(thread, region, body);
	pomp_event_end(thread);
}

/*
 * Returns how long the members waited because of MPI. most: the longest time that a member was in
 * MPI. Of each member's waits, at most the difference between `most` and its own time in MPI
 * counts. Acquires again: a member may have ended since the caller looked.
 */
static uint64_t held_by_mpi(const struct pomp_team *team, uint64_t most)
{
	uint64_t held = 0;

	for (struct pomp_member *member = load_acquire(&team->members); member && most > 0;
	     member = member->next) {
		if (!load_acquire(&member->ended))
			continue;
		uint64_t longer = most - member->mpi;
		held += member->waits < longer ? member->waits : longer;
	}
	return held;
}

void pomp_team_settle(struct pomp_team *team, struct pomp_thread *thread,
    struct pomp_accumulator *region, uint64_t now, bool outer)
{
	uint64_t most_useful = 0, useful = 0, slowest = 0, bodies = 0, most_mpi = 0;
	uint32_t count = 0;

	for (struct pomp_member *member = load_acquire(&team->members); member;
	     member = member->next) {
		uint64_t begin = member->begin > team->fork ? member->begin - team->fork : 0;
		if (!load_acquire(&member->ended)) { /* cancelled: its end is unknown */
			thread->management += begin;
			continue;
		}
		compare_executions(team, thread, member);
		uint64_t end = now > member->end ? now - member->end : 0;
		thread->management += begin + end;
		if (member->owner == thread)
			thread->managed += begin + end;
		most_useful = member->useful > most_useful ? member->useful : most_useful;
		useful += member->useful;
		most_mpi = member->mpi > most_mpi ? member->mpi : most_mpi;
		slowest = member->body > slowest ? member->body : slowest;
		bodies += member->body;
		count++;
	}
	if (count == 0)
		return;
	add_own(&region->imbalance, slowest * count - bodies);
	if (!outer)
		return;
	thread->imbalance += most_useful - useful / count;
	thread->held += held_by_mpi(team, most_mpi);
}
