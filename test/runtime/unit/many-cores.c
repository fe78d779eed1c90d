/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers, forks and joins of up to 1,024 members on machines that are not at hand: the runtime's
 * own code is executed, one coroutine a member, and each of its atomic operations asks a model of
 * the caches what it costs. The coroutine whose clock is behind all others runs next, so operations
 * happen in the order of the model's time. What is counted is exact: transfers of cache lines,
 * those between sockets, the longest chain of transfers that depend on each other. The times are as
 * good as the model; `cost` says where its figures come from.
 *
 * Asserted: in groups a release goes between sockets once to each, no thread writes or wakes more
 * than a group of others, and chains grow with the logarithm of the members. With --table it prints
 * the table of doc/performance.md, else only what is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "atomics.h"

/* An operation on a word: waits for its turn in the model's time, then pays for the line. */
enum operation { READ, WRITE };
static void operate(const volatile void *word, enum operation operation);
static void changed(const volatile void *word);
/* A store that its thread does not wait for. */
static void publish(const volatile void *word);

/* clang-format off */
#undef sub_acq_rel
#define sub_acq_rel(p, v) (operate((p), WRITE), atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel))
#undef add_acq_rel
#define add_acq_rel(p, v) (operate((p), WRITE), atomic_fetch_add_explicit((p), (v), memory_order_acq_rel))
#undef cas_relaxed
#define cas_relaxed(p, expected, v) \
	(operate((p), WRITE), atomic_compare_exchange_strong_explicit((p), (expected), (v), \
	    memory_order_relaxed, memory_order_relaxed))
#undef load_relaxed
#define load_relaxed(p) (operate((p), READ), atomic_load_explicit((p), memory_order_relaxed))
#undef load_sequential
#define load_sequential(p) (operate((p), READ), atomic_load_explicit((p), memory_order_seq_cst))
#undef store_sequential
#define store_sequential(p, v) \
	(operate((p), WRITE), atomic_store_explicit((p), (v), memory_order_seq_cst), changed(p))
#undef store_release
#define store_release(p, v) \
	(publish(p), atomic_store_explicit((p), (v), memory_order_release), changed(p))
/* clang-format on */

/* The code under test, and the code that it replaces in large teams. */
#include "barrier.c"
#include "groups.c"
#include "process.h"

static int failures;

static void expect(bool held, const char *what, unsigned threads, int line)
{
	if (held)
		return;
	fprintf(stderr, "many-cores.c:%d: %u threads: %s: expected true, found false\n", line,
	    threads, what);
	failures++;
}

#define EXPECT(condition) expect((condition), #condition, machine.threads, __LINE__)

/* Consecutive members share a socket; within it caches, `cores` of them each. */
struct machine {
	unsigned sockets, cores, cache_cores, threads;
};

static struct machine machine;

/*
 * Nanoseconds. A transfer within a cache, within a socket and between sockets: Xeon Platinum 8275CL
 * 47 and 134, 8375C 51 and 108; EPYC 7R13 23 within a cache of 8 cores, 107 within the socket and
 * 197 between (medians of github.com/nviennot/core-to-core-latency). Transfers of one line come one
 * after the other, however many ask: a write occupies it for the whole transfer, a read for a part,
 * since what is shared is in several places; that this part is a quarter is the model's assumption.
 * wake: of the thread that wakes, for each sleeper; start: until that one runs. Both were measured
 * on two processors: a futex() call that wakes 128 threads, and half a hand-over there and back.
 */
struct cost {
	const char *name;
	double cache, socket, machine, hit, readers_share, wake, start;
};

static const struct cost xeon = {"Xeon", 49, 49, 121, 1.5, 0.25, 1000, 4800};
static const struct cost epyc = {"EPYC", 23, 107, 197, 1.5, 0.25, 1000, 4800};
static struct cost cost;

enum { MOST_MEMBERS = 1024, MOST_LINES = 4096, STACK_BYTES = 32768 };

enum state { RUNS, WATCHES, SLEEPS, ENDED };

/* The waiting member, for which word it waits, and where it is. */
static struct member {
	ucontext_t context;
	char *stack;
	enum state state;
	double clock;
	double stored_at; /* when all that it stored so far can be seen */
	unsigned chain;   /* transfers before this moment, one after the other */
	const volatile void *watched;
	struct rt_event *event; /* where it sleeps */
	unsigned writes, wakes; /* since the release began */
} members[MOST_MEMBERS];

static ucontext_t scheduler;
static unsigned current;

/* One line: which caches have a copy, when it is free for the next transfer, and by which chain it
 * came. */
static struct line {
	uintptr_t address;
	double free_at;
	unsigned chain;
	bool has[MOST_MEMBERS];
} lines_of_model[MOST_LINES];

static struct totals {
	unsigned messages, between_sockets;
} totals;

static struct line *line_of(const volatile void *word)
{
	uintptr_t address = (uintptr_t)word / PROCESSOR_LINE;
	unsigned slot = (unsigned)(address * 2654435761u % MOST_LINES);

	while (lines_of_model[slot].address != 0 && lines_of_model[slot].address != address)
		slot = (slot + 1) % MOST_LINES;
	lines_of_model[slot].address = address;
	return &lines_of_model[slot];
}

enum distance { NOWHERE, CACHE, SOCKET, MACHINE };

static enum distance distance(unsigned one, unsigned other)
{
	if (one / machine.cores != other / machine.cores)
		return MACHINE;
	return one / machine.cache_cores == other / machine.cache_cores ? CACHE : SOCKET;
}

/* How far the nearest copy, or the farthest, of a line is from the current member's. */
static enum distance nearest(const struct line *line)
{
	enum distance found = NOWHERE;

	for (unsigned i = 0; i < machine.threads; i++)
		if (line->has[i] && i != current &&
		    (found == NOWHERE || distance(i, current) < found))
			found = distance(i, current);
	return found;
}

static enum distance farthest(const struct line *line)
{
	enum distance found = NOWHERE;

	for (unsigned i = 0; i < machine.threads; i++)
		if (line->has[i] && i != current && distance(i, current) > found)
			found = distance(i, current);
	return found;
}

static double later(double one, double other)
{
	return one > other ? one : other;
}

static double time_of(enum distance way)
{
	return way == MACHINE  ? cost.machine
	       : way == SOCKET ? cost.socket
	       : way == CACHE  ? cost.cache
			       : cost.hit;
}

static void note_written(struct line *line, unsigned chain)
{
	memset(line->has, 0, sizeof(line->has));
	line->has[current] = true;
	line->chain = chain;
	members[current].writes++;
}

/*
 * The time and the chain of one operation of the current member: a read brings the nearest copy,
 * a write has to reach the farthest one. Both are one message.
 */
static void pay(const volatile void *word, enum operation operation)
{
	struct member *self = &members[current];
	struct line *line = line_of(word);
	enum distance way = operation == WRITE ? farthest(line) : nearest(line);
	double begin = later(self->clock, line->free_at), time = time_of(way);

	if ((operation == READ && line->has[current]) || way == NOWHERE) {
		self->clock += cost.hit;
	} else {
		self->clock = begin + time;
		self->chain = (self->chain > line->chain ? self->chain : line->chain) + 1;
		line->free_at = begin + (operation == WRITE ? time : time * cost.readers_share);
		totals.messages++;
		totals.between_sockets += way == MACHINE;
	}
	if (operation == WRITE) {
		self->clock = self->stored_at = later(self->clock, self->stored_at);
		note_written(line, self->chain);
	}
	line->has[current] = true;
}

/* Stores become visible in order, and their transfers overlap. */
static void pay_for_store(const volatile void *word)
{
	struct member *self = &members[current];
	struct line *line = line_of(word);
	enum distance way = farthest(line);

	self->clock += cost.hit;
	self->stored_at = later(self->stored_at, later(self->clock, line->free_at) + time_of(way));
	line->free_at = self->stored_at;
	totals.messages += way != NOWHERE;
	totals.between_sockets += way == MACHINE;
	note_written(line, self->chain + (way != NOWHERE));
}

static void yield_to_scheduler(void)
{
	swapcontext(&members[current].context, &scheduler);
}

static bool in_model;

static void operate(const volatile void *word, enum operation operation)
{
	if (!in_model)
		return;
	members[current].state = RUNS;
	yield_to_scheduler();
	pay(word, operation);
}

static void publish(const volatile void *word)
{
	if (!in_model)
		return;
	members[current].state = RUNS;
	yield_to_scheduler();
	pay_for_store(word);
}

/* The members that watch the word look at it again from now on. */
static void changed(const volatile void *word)
{
	for (unsigned i = 0; in_model && i < machine.threads; i++) {
		struct member *member = &members[i];
		if (member->state != WATCHES || member->watched != word)
			continue;
		member->state = RUNS;
		member->clock = later(member->clock, members[current].stored_at);
	}
}

/* The current member's wait at a word that another writes: it has a copy of it when it begins. */
static void watch(const volatile void *word)
{
	line_of(word)->has[current] = true;
	members[current].state = WATCHES;
	members[current].watched = word;
	yield_to_scheduler();
}

/* The same asleep; that the sleeper wrote the event before is no part of a release. */
static void sleep_at(struct rt_event *event)
{
	struct line *line = line_of(&event->sleepers);

	memset(line->has, 0, sizeof(line->has));
	line->has[current] = true;
	atomic_store_explicit(&event->sleepers,
	    atomic_load_explicit(&event->sleepers, memory_order_relaxed) + 1, memory_order_relaxed);
	members[current].state = SLEEPS;
	members[current].event = event;
	yield_to_scheduler();
	atomic_store_explicit(&event->sleepers,
	    atomic_load_explicit(&event->sleepers, memory_order_relaxed) - 1, memory_order_relaxed);
}

/* The kernel's part, which wait.c has in the runtime. */
int rt_futex_wake(_Atomic uint32_t *word, int most)
{
	int woken = 0;

	for (unsigned i = 0; i < machine.threads && woken < most; i++) {
		struct member *member = &members[i];
		if (member->state != SLEEPS || &member->event->count != word)
			continue;
		members[current].clock += cost.wake;
		members[current].wakes++;
		member->state = RUNS;
		member->clock = members[current].clock + cost.start;
		if (member->chain < members[current].chain)
			member->chain = members[current].chain;
		member->chain++;
		woken++;
	}
	return woken;
}

void rt_event_wake(struct rt_event *event, int threads)
{
	rt_futex_wake(&event->count, threads);
}

void rt_futex_wait(_Atomic uint32_t *word, uint32_t expected)
{
	(void)word;
	(void)expected;
}

/* The member that is behind all others; -1: none runs. */
static int first_to_run(void)
{
	int next = -1;

	for (unsigned i = 0; i < machine.threads; i++)
		if (members[i].state == RUNS &&
		    (next < 0 || members[i].clock < members[next].clock))
			next = (int)i;
	return next;
}

static void prepare(unsigned number, void (*function)(void))
{
	struct member *member = &members[number];

	getcontext(&member->context);
	if (member->stack == NULL)
		member->stack = malloc(STACK_BYTES);
	member->context.uc_stack.ss_sp = member->stack;
	member->context.uc_stack.ss_size = STACK_BYTES;
	member->context.uc_link = &scheduler;
	makecontext(&member->context, function, 0);
	member->state = RUNS;
	member->clock = member->stored_at = 0;
	member->chain = member->writes = member->wakes = 0;
}

/* Runs the members' function until all have ended; member 0 begins at first_clock, others at 0. */
static void run(void (*function)(void), unsigned first_clock)
{
	totals = (struct totals){0, 0};
	for (unsigned i = 0; i < MOST_LINES; i++)
		lines_of_model[i].free_at = lines_of_model[i].chain = 0;
	in_model = true;
	for (unsigned i = 0; i < machine.threads; i++)
		prepare(i, function);
	members[0].clock = first_clock;
	for (int next; (next = first_to_run()) >= 0;) {
		current = (unsigned)next;
		members[current].state = ENDED; /* unless it says otherwise before it comes back */
		swapcontext(&scheduler, &members[current].context);
	}
	in_model = false;
	for (unsigned i = 0; i < machine.threads; i++)
		EXPECT(members[i].state == ENDED);
}

/* What the members share: the words of a team that the code under test does not hold itself. */
static struct team {
	struct rt_barrier barrier, join;
	RT_PADDED struct rt_region_begin begin;
	RT_PADDED struct rt_event event;
	RT_PADDED _Atomic uint32_t single_turn;
	RT_PADDED _Atomic uint32_t left;
	struct rt_groups *groups;
	bool asleep; /* waits are asleep from the first */
} team;

static void wait_for_generation(_Atomic uint32_t *word, uint32_t target, struct rt_event *event)
{
	while (atomic_load_explicit(word, memory_order_relaxed) != target)
		if (team.asleep)
			sleep_at(event);
		else
			watch(word);
	(void)load_sequential(word);
}

static void wait_for_region(_Atomic uint64_t *word, uint64_t target, struct rt_event *event)
{
	while (atomic_load_explicit(word, memory_order_relaxed) != target)
		if (team.asleep)
			sleep_at(event);
		else
			watch(word);
	(void)load_sequential(word);
}

/* One member's part in each, as in teams that are not divided ... */
static void barrier_in_one(void)
{
	uint32_t target = load_relaxed(&team.barrier.generation) + 1;

	if (rt_barrier_arrive(&team.barrier, current)) {
		rt_barrier_open(&team.barrier);
		rt_event_notify(&team.event);
	} else {
		wait_for_generation(&team.barrier.generation, target, &team.event);
	}
}

static uint64_t next_region;

static void fork_in_one(void)
{
	if (current == 0) {
		store_sequential(&team.begin.region, next_region);
		rt_event_notify(&team.event);
	} else {
		wait_for_region(&team.begin.region, next_region, &team.event);
	}
}

static void join_in_one(void)
{
	uint32_t target = load_relaxed(&team.join.generation) + 1;

	if (rt_barrier_arrive(&team.join, current))
		rt_barrier_open(&team.join);
	else if (current == 0)
		wait_for_generation(&team.join.generation, target, &team.event);
}

/* ... and in those that are, with what the callers of groups.c add to it. */
static void barrier_in_groups(void)
{
	const struct rt_group_member *own = &team.groups->members[current];
	uint32_t target = load_relaxed(&own->group->generation) + 1;

	if (rt_group_arrive(&own->group->leaves[RT_GROUP_BARRIER])) {
		rt_barrier_open(&team.barrier);
		rt_groups_open(team.groups, target, NULL);
	} else {
		wait_for_generation(&own->group->generation, target, &own->group->event);
	}
	rt_group_wake_rest(own->group);
	if (own->next != NULL)
		rt_group_open(own->next, target, NULL);
	rt_group_note_open(own->group, target, NULL);
}

static void fork_in_groups(void)
{
	const struct rt_group_member *own = &team.groups->members[current];

	if (current == 0) {
		store_sequential(&team.begin.region, next_region);
		rt_groups_begin(team.groups, &team.begin, next_region);
	} else {
		wait_for_region(&own->group->begin.region, next_region, &own->group->event);
	}
	rt_group_wake_rest(own->group);
	if (own->next != NULL)
		rt_group_begin(
		    own->next, current == 0 ? &team.begin : &own->group->begin, next_region);
}

static void join_in_groups(void)
{
	uint32_t target = load_relaxed(&team.join.generation) + 1;

	if (rt_group_arrive(rt_group_leaf(team.groups, current, RT_GROUP_JOIN)))
		rt_barrier_open(&team.join);
	else if (current == 0)
		wait_for_generation(&team.join.generation, target, &team.event);
}

/* `single`, to the moment when all know which member executes the block; and leaving a slot. */
static unsigned blocks; /* executed in the current round */

static void single_in_one(void)
{
	uint32_t seen = (uint32_t)next_region - 1;

	blocks += cas_relaxed(&team.single_turn, &seen, (uint32_t)next_region);
}

static void single_in_groups(void)
{
	blocks += rt_group_claim(rt_group_leaf(team.groups, current, RT_GROUP_BARRIER),
	    &team.single_turn, 0, (uint32_t)next_region - 1);
}

static void leave_in_one(void)
{
	uint32_t left = add_acq_rel(&team.left, 1) + 1;

	blocks += left % machine.threads == 0;
}

static void leave_in_groups(void)
{
	blocks += rt_group_arrive(rt_group_leaf(team.groups, current, RT_GROUP_SLOT));
}

/* Of one construct: from the moment when the first thread does something to the last one's end. */
struct result {
	double ns;
	unsigned chain, messages, between, most_writes, most_wakes;
};

static struct result measure(void (*function)(void), bool is_fork, bool asleep)
{
	enum { ROUNDS = 4, BEFORE = 1000 }; /* the first rounds bring lines where they then stay */
	struct result result = {0};

	for (int round = 0; round < ROUNDS; round++) {
		next_region++;
		blocks = 0;
		team.asleep = asleep && round == ROUNDS - 1;
		run(function, is_fork ? BEFORE : 0);
	}
	for (unsigned i = 0; i < machine.threads; i++) {
		const struct member *member = &members[i];
		double ns = member->clock - (is_fork ? BEFORE : 0);
		if (ns > result.ns)
			result.ns = ns;
		if (member->chain > result.chain)
			result.chain = member->chain;
		if (member->writes > result.most_writes)
			result.most_writes = member->writes;
		if (member->wakes > result.most_wakes)
			result.most_wakes = member->wakes;
	}
	result.messages = totals.messages;
	result.between = totals.between_sockets;
	return result;
}

static void make_team(void)
{
	struct rt_groups_key key = {.size = machine.threads, .bind = RT_BIND_CLOSE};
	struct rt_site *sites = calloc(machine.threads, sizeof(*sites));

	memset(&team, 0, sizeof(team));
	memset(lines_of_model, 0, sizeof(lines_of_model));
	for (unsigned i = 0; i < machine.threads; i++)
		sites[i] = (struct rt_site){
		    i / machine.cores, i / machine.cache_cores, (int32_t)(i / machine.cores)};
	team.groups = rt_groups_new(&key, sites, RT_GROUP_SIZE);
	free(sites);
	EXPECT(team.groups != NULL);
	EXPECT(rt_barrier_resize(&team.barrier, machine.threads));
	EXPECT(rt_barrier_resize(&team.join, machine.threads));
	rt_groups_begin_use(team.groups, 0, 0, 0);
	next_region = 0;
}

static void free_team(void)
{
	rt_groups_free(team.groups);
	rt_barrier_finish(&team.barrier);
	rt_barrier_finish(&team.join);
}

/* Each group hears of a release once, groups end with sockets, and ranges are those of the order.
 */
static void check_groups(void)
{
	const struct rt_groups *groups = team.groups;
	unsigned *heard = calloc(groups->count, sizeof(*heard));

	for (uint32_t i = 0; i < groups->firsts; i++)
		heard[groups->first_groups[i]->number]++;
	for (unsigned i = 0; i < machine.threads; i++) {
		const struct rt_group_member *member = &groups->members[i];
		if (member->next != NULL)
			heard[member->next->number]++;
		EXPECT(member->group_size >= 1 && member->group_size <= RT_GROUP_SIZE);
		for (uint32_t j = 0; j < member->group_size; j++) {
			uint32_t other = groups->order[member->group_first + j];
			EXPECT(groups->members[other].group == member->group);
			EXPECT(other / machine.cores == i / machine.cores);
		}
		EXPECT(member->group_first >= member->socket_first &&
		       member->group_first + member->group_size <=
			   member->socket_first + member->socket_size);
	}
	for (uint32_t i = 0; i < groups->count; i++)
		EXPECT(heard[i] == 1);
	free(heard);
}

/* Rounded up. */
static unsigned log_of_group_size(unsigned count)
{
	unsigned levels = 0;

	for (uint64_t reached = 1; reached < count; reached *= RT_GROUP_SIZE)
		levels++;
	return levels;
}

static unsigned used_sockets(void)
{
	return (machine.threads + machine.cores - 1) / machine.cores;
}

/* The same constructs in teams that are not divided, and in groups. */
static const struct way {
	void (*barrier)(void), (*fork)(void), (*join)(void), (*single)(void), (*leave)(void);
} ways[2] = {
    {barrier_in_one, fork_in_one, join_in_one, single_in_one, leave_in_one},
    {barrier_in_groups, fork_in_groups, join_in_groups, single_in_groups, leave_in_groups},
};

/* By way. */
struct row {
	struct result barrier[2], fork[2], join[2], asleep[2], single[2], leave[2];
};

static struct row measure_row(void)
{
	struct row row;

	for (int i = 0; i < 2; i++) {
		make_team();
		check_groups();
		row.barrier[i] = measure(ways[i].barrier, false, false);
		row.fork[i] = measure(ways[i].fork, true, false);
		row.join[i] = measure(ways[i].join, false, false);
		row.asleep[i] = measure(ways[i].fork, true, true);
		free_team();
		make_team();
		row.single[i] = measure(ways[i].single, false, false);
		EXPECT(blocks == 1);
		row.leave[i] = measure(ways[i].leave, false, false);
		EXPECT(blocks == 1);
		free_team();
	}
	return row;
}

/*
 * A release: to each further socket the old copies of one line are invalidated and the new one is
 * fetched, whatever the number of threads; no thread wakes more than the members of the groups to
 * which it passes the value.
 */
static void check_row(const struct row *row)
{
	unsigned sockets = used_sockets(), levels = log_of_group_size(machine.threads);
	unsigned given = sockets > 1 ? sockets : RT_GROUP_SIZE; /* groups that one thread writes */

	if (given > RT_GROUP_SIZE)
		given = RT_GROUP_SIZE;
	EXPECT(row->fork[1].between == 2 * (sockets - 1));
	EXPECT(row->fork[1].most_writes <= given + 2); /* the team's word, and one further group */
	EXPECT(row->asleep[1].most_wakes <= (given + 1) * RT_GROUP_SIZE);
	/* Writes to the first groups, then a group's reads and one member's write a level. */
	EXPECT(row->fork[1].chain <= 2 * given + (RT_GROUP_SIZE + 2) * (levels + 1));
	EXPECT(row->join[1].between <= 3 * sockets);
	/* A look and a claim, or an arrival, for each socket's first, on the way up. */
	EXPECT(row->single[1].between <= 8 * sockets);
	EXPECT(row->leave[1].between <= 3 * sockets);
	EXPECT(row->barrier[1].between <= 8 * sockets);
	EXPECT(row->barrier[1].chain <=
	       (RT_GROUP_SIZE + 1) * (levels + 1) + 2 * given + (RT_GROUP_SIZE + 2) * (levels + 1));
	if (machine.threads >= 4 * RT_GROUP_SIZE) {
		EXPECT(row->fork[1].ns < row->fork[0].ns);
		EXPECT(row->asleep[1].ns < row->asleep[0].ns);
		EXPECT(row->single[1].ns < row->single[0].ns);
		EXPECT(row->leave[1].ns < row->leave[0].ns);
	}
}

static void print_row(const struct row *row)
{
	printf("| %s, %u x %u | %u |", cost.name, machine.sockets, machine.cores, machine.threads);
	for (int i = 0; i < 2; i++)
		printf(" %.2f |", row->barrier[i].ns / 1000);
	for (int i = 0; i < 2; i++)
		printf(" %.2f |", row->fork[i].ns / 1000);
	for (int i = 0; i < 2; i++)
		printf(" %.0f |", row->asleep[i].ns / 1000);
	for (int i = 0; i < 2; i++)
		printf(" %.2f |", row->single[i].ns / 1000);
	for (int i = 0; i < 2; i++)
		printf(" %.2f |", row->leave[i].ns / 1000);
	for (int i = 0; i < 2; i++)
		printf(" %u |", row->fork[i].chain);
	for (int i = 0; i < 2; i++)
		printf(" %u, %u |", row->barrier[i].messages, row->barrier[i].between);
	printf("\n");
}

static void print_head(void)
{
	printf(
	    "| machine | T | barrier, one line (us) | in groups | fork, one line (us) | in groups |"
	    " fork, all asleep, one line (us) | in groups |"
	    " single, one line (us) | in groups | leaving a slot, one line (us) | in groups | chain of a fork, one line | in groups |"
	    " messages of a barrier and between sockets, one line | in groups |\n"
	    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
}

int main(int count, char **arguments)
{
	static const struct {
		unsigned sockets, cores, cache_cores;
		const struct cost *cost;
	} machines[] = {{1, 16, 16, &xeon}, {1, 64, 64, &xeon}, {2, 24, 24, &xeon},
	    {2, 64, 64, &xeon}, {2, 64, 8, &epyc}, {4, 64, 64, &xeon}, {8, 128, 128, &xeon},
	    {16, 12, 12, &xeon}};
	bool table = count > 1 && strcmp(arguments[1], "--table") == 0;

	if (table)
		print_head();
	for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		unsigned all = machines[i].sockets * machines[i].cores;
		cost = *machines[i].cost;
		/* With all processors, and with numbers that fit neither sockets nor groups. */
		for (unsigned threads = all; threads >= 2;
		     threads = threads / 2 - threads % 7 % 3) {
			struct row row;
			machine.sockets = machines[i].sockets;
			machine.cores = machines[i].cores;
			machine.cache_cores = machines[i].cache_cores;
			machine.threads = threads;
			row = measure_row();
			check_row(&row);
			if (table && (threads == all || (i == 6 && threads > 100)))
				print_row(&row);
		}
	}
	return failures != 0;
}
