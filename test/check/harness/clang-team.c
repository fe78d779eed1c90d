/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions, loops and copyprivate of clang's code. Members combine their copies one after the
 * other, in the order of their numbers if results must repeat, and all see the result after the
 * barrier. Chunks of a dispatched loop are executed once. copyprivate copies one member's values.
 * The loop in every order, the rest within one or two preemptions.
 */
#include "check.h"
#include "mutex.h"
#include "team-by-hand.h"

enum { DYNAMIC = 35, ITERATIONS = 3 };

struct kmp_ident;

int32_t __kmpc_reduce(const struct kmp_ident *where, int32_t gtid, int32_t variables, size_t size,
    void *data, void (*combine)(void *, void *), struct rt_mutex *mutex);
void __kmpc_end_reduce(const struct kmp_ident *where, int32_t gtid, struct rt_mutex *mutex);
void __kmpc_dispatch_init_4(const struct kmp_ident *where, int32_t gtid, int32_t schedule,
    int32_t lower, int32_t upper, int32_t step, int32_t chunk);
int32_t __kmpc_dispatch_next_4(const struct kmp_ident *where, int32_t gtid, int32_t *last,
    int32_t *lower, int32_t *upper, int32_t *step);
void __kmpc_copyprivate(const struct kmp_ident *where, int32_t gtid, size_t size, void *data,
    void (*copy)(void *to, void *from), int32_t did_it);

static struct rt_mutex mutex;
static int sum, combined;
static bool in_order;
static int executed[ITERATIONS];

static void reduce(void *argument)
{
	struct rt_thread *self = hand_team_enter();

	(void)argument;
	EXPECT(__kmpc_reduce(NULL, 0, 1, sizeof(sum), &sum, NULL, &mutex) == 1);
	EXPECT(!in_order || combined == (int)self->number);
	combined++;
	sum += (int)self->number + 1;
	__kmpc_end_reduce(NULL, 0, &mutex);
	EXPECT(sum == 3);
}

static void any_order(void)
{
	hand_team_run(2, reduce);
}
HARNESS(kmp_reduce_pair, "a reduction of two members") = {.run = any_order, .preemptions = 2};

static void by_number(void)
{
	rt_self();
	rt_process.ordered_reductions = in_order = true;
	hand_team_run(2, reduce);
}
HARNESS(kmp_reduce_ordered, "a reduction of two members in their order") = {
    .run = by_number, .preemptions = 2};

static void dispatch(void *argument)
{
	int32_t last, lower, upper, step;

	hand_team_enter();
	(void)argument;
	__kmpc_dispatch_init_4(NULL, 0, DYNAMIC, 0, ITERATIONS - 1, 1, 1);
	while (__kmpc_dispatch_next_4(NULL, 0, &last, &lower, &upper, &step) != 0)
		for (; lower <= upper; lower += step)
			executed[lower]++;
}

static void dispatched(void)
{
	hand_team_run(2, dispatch);
	for (int i = 0; i < ITERATIONS; i++)
		EXPECT(executed[i] == 1);
}
HARNESS(kmp_dispatch_pair, "a dynamic loop of two members") = {.run = dispatched};

static void copy_sum(void *to, void *from)
{
	*(int *)to = *(int *)from;
}

/* The source is a variable of member 0, which may leave only when the other one has copied. */
static void copy(void *argument)
{
	struct rt_thread *self = hand_team_enter();
	int own = self->number == 0 ? 7 : 0;

	(void)argument;
	__kmpc_copyprivate(NULL, 0, sizeof(own), &own, copy_sum, self->number == 0);
	EXPECT(own == 7);
	own = 8;
}

static void copyprivate(void)
{
	hand_team_run(2, copy);
}
HARNESS(kmp_copyprivate_pair, "copyprivate of two members") = {
    .run = copyprivate, .preemptions = 1};
