/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: one per execution of a parallel region, from the first thread that begins in it until it
 * is joined and all threads have left it. An OTF2 communicator is a set of threads and is reused.
 * All threads wait for each other at a region's end; therefore the threads that begin under a
 * communicator belong to the same execution until it is full or joined.
 *
 * For each thread, the time from fork to begin and from end to join is team management.
 */
#include <stdlib.h>

#include "memory.h"
#include "pass.h"

enum { TEAM_MAPS = 6 };

static void list_maps(struct team *team, struct pair_map *maps[TEAM_MAPS])
{
	struct pair_map *const all[TEAM_MAPS] = {&team->executions, &team->ordinals,
	    &team->barrier_causes, &team->arrivals, &team->barrier_of, &team->barrier_ordinals};

	for (int i = 0; i < TEAM_MAPS; i++)
		maps[i] = all[i];
}

static void free_team(struct team *team)
{
	struct pair_map *maps[TEAM_MAPS];

	list_maps(team, maps);
	for (int i = 0; i < TEAM_MAPS; i++)
		pair_map_free(maps[i]);
	analysis_free_meetings(team->meetings);
	free(team->barriers);
	free(team->members);
	free(team->open);
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the map skips entries without a team */
	free(team);
}

/* A team with more members or larger maps is freed: small teams would take long to clear those. */
enum { SPARE_MEMBERS = 64, SPARE_SLOTS = 256 };

static bool is_small(struct team *team)
{
	struct pair_map *maps[TEAM_MAPS];
	bool is_small = team->member_room <= SPARE_MEMBERS;

	list_maps(team, maps);
	for (int i = 0; i < TEAM_MAPS; i++)
		is_small &= maps[i]->map.capacity <= SPARE_SLOTS;
	return is_small;
}

/* Keeps the memory of a small team for the next one. */
static void put_away(struct analysis *analysis, struct team *team)
{
	struct pair_map *maps[TEAM_MAPS];

	if (!is_small(team)) {
		free_team(team);
		return;
	}
	list_maps(team, maps);
	for (int i = 0; i < TEAM_MAPS; i++)
		pair_map_clear(maps[i]);
	analysis_clear_meetings(team->meetings);
	*team = (struct team){
	    .next_spare = analysis->spare_teams,
	    .executions = team->executions,
	    .ordinals = team->ordinals,
	    .barrier_causes = team->barrier_causes,
	    .arrivals = team->arrivals,
	    .barrier_of = team->barrier_of,
	    .barrier_ordinals = team->barrier_ordinals,
	    .meetings = team->meetings,
	    .barriers = team->barriers,
	    .barrier_room = team->barrier_room,
	    .members = team->members,
	    .member_room = team->member_room,
	    .open = team->open,
	    .open_room = team->open_room,
	};
	analysis->spare_teams = team;
}

/* A team that is zero except for the memory of a previous one. */
static struct team *take_team(struct analysis *analysis)
{
	struct team *team = analysis->spare_teams;

	if (!team)
		return memory_new(1, sizeof(*team));
	analysis->spare_teams = team->next_spare;
	team->next_spare = NULL;
	return team;
}

static void free_spare_teams(struct analysis *analysis)
{
	while (analysis->spare_teams)
		free_team(take_team(analysis));
}

static void count_imbalance(struct analysis *analysis, const struct team *team, uint32_t construct,
    uint64_t threads, uint64_t max, uint64_t sum)
{
	if (construct == NO_CONSTRUCT || !team->has_chosen)
		return;
	analysis->constructs[construct].has_imbalance = true;
	analysis->constructs[construct].imbalance += max * threads - sum;
}

/*
 * The members' waits that MPI explains: for each member at most the time by which the longest MPI
 * time of a member exceeds its own.
 */
static void count_held(struct analysis *analysis, const struct team *team)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < team->begun; i++) {
		if (team->members[i].ended_at && team->members[i].mpi > most)
			most = team->members[i].mpi;
	}
	for (uint32_t i = 0; i < team->begun && most > 0; i++) {
		const struct member *member = &team->members[i];
		uint64_t longer = most - member->mpi;

		if (member->ended_at)
			analysis->mpi_held += member->waits < longer ? member->waits : longer;
	}
}

/* How much more work the busiest thread of an outermost team had than the others. */
static void count_useful(struct analysis *analysis, const struct team *team)
{
	analysis->imbalances[analysis_process_of(analysis->archive, team->members[0].thread)] +=
	    team->useful_max - team->useful_sum / team->ended;
	for (uint32_t i = 0; i < team->begun; i++) {
		const struct member *member = &team->members[i];

		if (member->ended_at)
			analysis->threads[member->thread].imbalance +=
			    team->useful_max - member->useful;
	}
}

/* No thread or fork refers to the team any more, so its sums are complete. */
static void finish_team(struct analysis *analysis, struct team *team)
{
	for (size_t i = 0; i < team->open_count; i++) {
		const struct execution *open = &team->open[i];

		/*
		 * Not all threads executed it (measurement was switched off for some): the
		 * imbalance is that of the threads that did.
		 */
		if (open->left > 0)
			count_imbalance(
			    analysis, team, open->construct, open->left, open->max, open->sum);
	}
	if (team->ended > 0 && team->outermost) {
		count_useful(analysis, team);
		count_held(analysis, team);
	}
	if (team->bodies > 0)
		count_imbalance(
		    analysis, team, team->construct, team->bodies, team->body_max, team->body_sum);
	put_away(analysis, team);
}

static struct team *new_team(struct analysis *analysis, uint32_t comm)
{
	uint64_t found = map_find(&analysis->current_team, comm);
	struct team *team;

	if (found != MAP_NONE && ((struct team *)(uintptr_t)found)->attached == 0)
		finish_team(analysis, (struct team *)(uintptr_t)found);
	team = take_team(analysis);
	team->comm = comm;
	team->size = comm == ARCHIVE_NO_INDEX ? 0 : analysis->archive->comms[comm].size;
	team->construct = NO_CONSTRUCT;
	team->fork_cause = team->barrier_cause = PATH_NONE;
	memory_map_set(&analysis->current_team, comm, (uintptr_t)team);
	return team;
}

static void detach(struct analysis *analysis, struct team *team)
{
	bool is_current = map_find(&analysis->current_team, team->comm) == (uintptr_t)team;

	if (--team->attached > 0)
		return;
	/* The thread that forked it may begin after others have ended. */
	if (is_current && !team->forked && team->begun < team->size)
		return;
	if (is_current)
		map_erase(&analysis->current_team, team->comm);
	finish_team(analysis, team);
}

void analysis_finish_teams(struct analysis *analysis)
{
	const struct map *teams = &analysis->current_team;

	for (size_t at = map_used(teams, 0); at != MAP_END; at = map_used(teams, at + 1))
		finish_team(analysis, (struct team *)(uintptr_t)map_value(teams, at));
	map_free(&analysis->current_team);
	free_spare_teams(analysis);
}

/* Time of team management, which is known only when its second end is. */
static void add_management(struct analysis *analysis, uint32_t thread, const struct team *team,
    uint64_t from, uint64_t to, bool at_start)
{
	struct thread *state = &analysis->threads[thread];
	struct visited *visited;

	if (to <= from)
		return;
	state->activities[ACTIVITY_TEAM] += to - from;
	visited = analysis_find_visited(state, team->construct);
	if (visited)
		*(at_start ? &visited->startup : &visited->shutdown) += to - from;
	if (analysis->timeline)
		timeline_add(analysis->timeline, thread, ACTIVITY_TEAM, team->construct, from, to);
}

void analysis_fork(struct analysis *analysis, uint32_t thread, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	const struct frame *top = analysis_top_frame(state);

	analysis->has_forks = true;
	*MEMORY_ADD(state->forks, state->fork_room, state->fork_count) = (struct fork){
	    .at = now,
	    .depth = state->stay_count,
	    .task = state->current,
	    .frame_depth = state->current->depth,
	    .nested = top ? top->nested : 0,
	    .clock = analysis_task_clock(state->current, now),
	};
}

/* The time from fork to join is the team's, not the region's around it. */
static void nest_fork(struct thread *thread, const struct fork *fork, uint64_t now)
{
	struct task *task = thread->current;

	if (task == fork->task && fork->frame_depth > 0 && task->depth == fork->frame_depth &&
	    task->frames[task->depth - 1].entered_at <= fork->at)
		task->frames[task->depth - 1].nested =
		    fork->nested + (analysis_task_clock(task, now) - fork->clock);
}

void analysis_join(struct analysis *analysis, uint32_t thread, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	struct fork *fork;
	struct team *team;

	if (state->fork_count == 0) {
		analysis->unbalanced++;
		return;
	}
	fork = &state->forks[--state->fork_count];
	if (fork->depth == 0)
		state->parallel += now - fork->at;
	nest_fork(state, fork, now);
	team = fork->team;
	if (!team)
		return;
	analysis_path_join(analysis, thread, team, now);
	team->joined = true;
	team->joined_at = now;
	for (uint32_t i = 0; i < team->begun; i++) {
		if (team->members[i].ended_at)
			add_management(analysis, team->members[i].thread, team,
			    team->members[i].ended_at, now, false);
	}
	detach(analysis, team);
}

/* The execution that a thread belongs to when it begins under comm. */
static struct team *find_team(struct analysis *analysis, uint32_t comm)
{
	uint64_t found = map_find(&analysis->current_team, comm);
	struct team *team = found == MAP_NONE ? NULL : (struct team *)(uintptr_t)found;

	if (!team || team->joined || (team->size > 0 && team->begun >= team->size))
		team = new_team(analysis, comm);
	return team;
}

/*
 * Some tools record a region around everything that a worker does. A thread that begins in its
 * first team without having forked is a worker, so its time until then was not serial.
 */
static void recognise_worker(const struct analysis *analysis, struct thread *thread)
{
	if (!thread->initial || !analysis->has_forks || thread->fork_count + thread->stay_count > 0)
		return;
	thread->initial = false;
	thread->activities[ACTIVITY_SERIAL] = 0;
	thread->activities[ACTIVITY_DELAYED] -= thread->serial_delayed;
	thread->activities[ACTIVITY_BLOCKED] -= thread->serial_blocked;
	thread->serial_delayed = thread->serial_blocked = 0;
}

void analysis_team_begin(struct analysis *analysis, uint32_t thread, uint32_t comm, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	struct team *team = find_team(analysis, comm);
	size_t process = analysis_process_of(analysis->archive, thread);
	struct fork *fork = state->fork_count ? &state->forks[state->fork_count - 1] : NULL;

	analysis->has_teams = true;
	recognise_worker(analysis, state);
	MEMORY_GROW(team->members, team->member_room, team->begun + 1);
	team->members[team->begun] = (struct member){.thread = thread, .begun_at = now};
	team->attached++;
	team->has_chosen |= analysis_counts_thread(analysis, thread);
	if (fork && !fork->team && fork->depth == state->stay_count) {
		fork->team = team;
		team->forked = true;
		team->forked_at = fork->at;
		team->outermost = fork->depth == 0;
		team->attached++;
		for (uint32_t i = 0; i < team->begun; i++) {
			const struct member *member = &team->members[i];

			if (member->ended_at)
				add_management(analysis, member->thread, team, fork->at,
				    member->begun_at, true);
		}
	}
	*MEMORY_ADD(state->stays, state->stay_room, state->stay_count) = (struct stay){
	    .team = team,
	    .base = state->current,
	    .begun_at = now,
	    .useful = analysis_useful(state),
	    .useful_before = analysis_useful(state),
	    .waits_before = analysis_waits(state),
	    .waits = analysis_waits(state),
	    .mpi = state->mpi_in_team,
	    .member = team->begun++,
	};
	analysis_path_begin(analysis, thread, team, fork, now);
	if (team->begun > analysis->largest_teams[process])
		analysis->largest_teams[process] = team->begun;
}

void analysis_team_end(struct analysis *analysis, uint32_t thread, uint64_t now)
{
	struct thread *state = &analysis->threads[thread];
	struct stay *stay;
	struct team *team;
	uint64_t useful;

	if (state->stay_count == 0) {
		analysis->unbalanced++;
		return;
	}
	stay = &state->stays[--state->stay_count];
	team = stay->team;
	free(stay->spent);
	analysis_resume(state, stay->base, now);
	useful = analysis_useful(state) - stay->useful;
	team->useful_sum += useful;
	if (useful > team->useful_max)
		team->useful_max = useful;
	team->ended++;
	team->members[stay->member].ended_at = now;
	team->members[stay->member].useful = useful;
	team->members[stay->member].waits = analysis_waits(state) - stay->waits;
	team->members[stay->member].mpi = state->mpi_in_team - stay->mpi;
	if (team->forked)
		add_management(analysis, thread, team, team->forked_at, stay->begun_at, true);
	if (team->joined)
		add_management(analysis, thread, team, now, team->joined_at, false);
	detach(analysis, team);
}

void analysis_count_parallel(struct analysis *analysis, uint32_t thread, uint64_t body)
{
	struct thread *state = &analysis->threads[thread];
	struct team *team = state->stay_count ? state->stays[state->stay_count - 1].team : NULL;

	if (!team)
		return;
	team->bodies++;
	team->body_sum += body;
	if (body > team->body_max)
		team->body_max = body;
}

/*
 * When a thread leaves the construct for the n-th time in this team, that belongs to the team's
 * n-th execution of the construct, whatever order the threads arrive in (nowait).
 */
void analysis_count_execution(
    struct analysis *analysis, uint32_t thread, uint32_t construct, uint64_t body)
{
	struct thread *state = &analysis->threads[thread];
	struct team *team = state->stay_count ? state->stays[state->stay_count - 1].team : NULL;
	struct map_key by_thread = {construct, thread}, key = {construct, 0};
	struct execution *execution;
	uint64_t index;

	if (!team)
		return;
	key.second = (*memory_pair_map_place(&team->ordinals, by_thread, 0))++;
	index = pair_map_find(&team->executions, key);
	if (index == MAP_NONE) {
		index = team->open_count++;
		MEMORY_GROW(team->open, team->open_room, team->open_count);
		team->open[index] = (struct execution){.construct = construct, .key = key};
		memory_pair_map_set(&team->executions, key, index);
	}
	execution = &team->open[index];
	execution->left++;
	execution->sum += body;
	if (body > execution->max)
		execution->max = body;
	if (execution->left < team->size || team->size == 0)
		return;
	count_imbalance(analysis, team, construct, execution->left, execution->max, execution->sum);
	pair_map_erase(&team->executions, key);
	/* The last element fills the gap. */
	*execution = team->open[--team->open_count];
	if (index < team->open_count)
		memory_pair_map_set(&team->executions, execution->key, index);
}

/* The thread's n-th barrier of the construct; the first thread to arrive creates it. */
static struct barrier *find_barrier(struct team *team, uint32_t thread, uint32_t construct)
{
	struct map_key by_thread = {construct, thread}, key = {construct, 0};
	uint64_t index;

	key.second = (*memory_pair_map_place(&team->barrier_ordinals, by_thread, 0))++;
	index = pair_map_find(&team->barrier_of, key);
	if (index == MAP_NONE) {
		index = team->barrier_count++;
		MEMORY_GROW(team->barriers, team->barrier_room, team->barrier_count);
		team->barriers[index] = (struct barrier){.construct = construct, .key = key};
		memory_pair_map_set(&team->barrier_of, key, index);
	}
	return &team->barriers[index];
}

/* All threads have arrived, this one last. */
static void count_barrier(
    struct analysis *analysis, struct team *team, uint32_t thread, struct barrier *barrier)
{
	struct construct *construct = &analysis->constructs[barrier->construct];
	struct visited *visited =
	    analysis_find_visited(&analysis->threads[thread], barrier->construct);
	size_t index = (size_t)(barrier - team->barriers);

	if (team->has_chosen && analysis->real_time >= analysis->clip_from &&
	    analysis->real_time <= analysis->clip_to && visited) {
		construct->barriers_completed++;
		construct->arrival_imbalance += barrier->max * barrier->arrived - barrier->sum;
		visited->arrived_last++;
	}
	pair_map_erase(&team->barrier_of, barrier->key);
	/* The last element fills the gap. */
	*barrier = team->barriers[--team->barrier_count];
	if (index < team->barrier_count)
		memory_pair_map_set(&team->barrier_of, barrier->key, index);
}

void analysis_arrive(struct analysis *analysis, uint32_t thread, const struct frame *frame)
{
	struct thread *state = &analysis->threads[thread];
	struct stay *stay = state->stay_count ? &state->stays[state->stay_count - 1] : NULL;
	struct barrier *barrier;
	uint64_t work;

	/* A task has no barriers, and a thread alone has no imbalance. */
	if (!stay || stay->team->size < 2 || frame->part.construct == NO_CONSTRUCT)
		return;
	barrier = find_barrier(stay->team, thread, frame->part.construct);
	work = analysis_useful(state) - stay->useful_before;
	barrier->sum += work;
	if (work > barrier->max)
		barrier->max = work;
	if (++barrier->arrived == stay->team->size)
		count_barrier(analysis, stay->team, thread, barrier);
}

void analysis_depart(struct analysis *analysis, uint32_t thread)
{
	struct thread *state = &analysis->threads[thread];

	if (state->stay_count)
		state->stays[state->stay_count - 1].useful_before = analysis_useful(state);
}

uint32_t analysis_last_to_arrive(
    const struct analysis *analysis, uint32_t construct, uint64_t *count)
{
	uint32_t last = ARCHIVE_NO_INDEX;

	*count = 0;
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		const struct visited *visited = analysis_visited(&analysis->threads[i], construct);

		if (visited && visited->arrived_last > *count) {
			*count = visited->arrived_last;
			last = (uint32_t)i;
		}
	}
	return last;
}

bool analysis_imbalance(const struct construct *construct, uint64_t *imbalance)
{
	bool has_barriers =
	    construct->kind == CONSTRUCT_KIND_BARRIER && construct->barriers_completed > 0;

	*imbalance = has_barriers ? construct->arrival_imbalance : construct->imbalance;
	return has_barriers || (construct->has_imbalance && construct->threads > 0);
}
