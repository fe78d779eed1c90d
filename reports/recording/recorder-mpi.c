/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of MPI. A call gives a signal when it is entered if another call waited for it, and it
 * awaits the call that it waited for in the trace. Collective operations that need all members
 * await all of them. The time of a call beyond its wait is work. The account in reports/mpi does
 * the matching.
 */
#include <stdlib.h>

#include "memory.h"
#include "recorder-state.h"

void recorder_enter_mpi(struct recorder *recorder, struct place *place, uint32_t construct,
    uint32_t thread, uint64_t now)
{
	/* An action of its own marks where the call's work begins. */
	strand_add(recorder->recording, place->strand, ACTION_CALL, construct, 0);
	MEMORY_GROW(recorder->calls, recorder->call_room, recorder->call_count + 1);
	recorder->calls[recorder->call_count] = (struct open_call){
	    .strand = place->strand,
	    .action = recorder->recording->strands[place->strand].count - 1,
	    .signal = RECORDED_NONE,
	    .meeting = RECORDED_NONE,
	    .awaited = RECORDED_NONE,
	    .entered = now,
	    .until = now,
	};
	memory_pair_map_set(
	    &recorder->call_of, (struct map_key){thread, now}, recorder->call_count++);
}

static struct open_call *find_call(struct recorder *recorder, uint32_t thread, uint64_t entered)
{
	uint64_t found = pair_map_find(&recorder->call_of, (struct map_key){thread, entered});

	return found == MAP_NONE ? NULL : &recorder->calls[found];
}

static void waited(void *context, const struct mpi_waited *report)
{
	struct recorder *recorder = context;
	struct open_call *call = find_call(recorder, report->location, report->entered);
	struct open_call *other = find_call(recorder, report->by, report->until);

	if (!call)
		return;
	call->until = report->until < report->left ? report->until : report->left;
	if (call->meeting != RECORDED_NONE || !other || other == call)
		return;
	if (other->signal == RECORDED_NONE)
		other->signal = recorder_new_signal(recorder, 1);
	call->awaited = (uint32_t)(other - recorder->calls);
}

static void met(void *context, const struct mpi_member *members, size_t count)
{
	struct recorder *recorder = context;
	uint32_t signal = recorder_new_signal(recorder, (uint32_t)count), given = 0;

	for (size_t i = 0; i < count; i++) {
		struct open_call *begun =
		    find_call(recorder, members[i].location, members[i].begun);
		struct open_call *ended =
		    find_call(recorder, members[i].location, members[i].entered);

		if (!begun)
			continue;
		*MEMORY_ADD(recorder->meetings, recorder->meeting_room, recorder->meeting_count) =
		    (struct open_meeting){(uint32_t)(begun - recorder->calls), signal};
		given++;
		if (ended)
			ended->meeting = signal;
	}
	recorder->recording->signals[signal] = given;
}

void recorder_observe_mpi(struct recorder *recorder)
{
	recorder->mpi_observer = (struct mpi_observer){waited, met, recorder};
}

/* Shortens the work after the call's begin by the time that it waited. */
static void take_wait(struct recorder *recorder, const struct open_call *call)
{
	struct strand *strand = &recorder->recording->strands[call->strand];
	uint64_t wait = call->until > call->entered ? call->until - call->entered : 0;

	for (size_t i = call->action + 1; i < strand->count && wait > 0; i++) {
		struct action *action = &strand->actions[i];
		uint64_t taken = action->ticks < wait ? action->ticks : wait;

		if (action->kind != ACTION_WORK)
			break;
		action->ticks -= taken;
		wait -= taken;
	}
}

/* An action to insert after another one. */
struct insertion {
	uint32_t strand;
	size_t action;
	struct action inserted;
};

static int compare_insertions(const void *one, const void *other)
{
	const struct insertion *a = one, *b = other;

	if (a->strand != b->strand)
		return a->strand < b->strand ? -1 : 1;
	if (a->action != b->action)
		return a->action < b->action ? -1 : 1;
	/* The awaited call arrives before it begins to wait itself. */
	return (a->inserted.kind == ACTION_AWAIT) - (b->inserted.kind == ACTION_AWAIT);
}

static void insert_all(
    struct recording *recording, const struct insertion *insertions, size_t count)
{
	for (size_t first = 0, last; first < count; first = last) {
		const struct strand *strand = &recording->strands[insertions[first].strand];
		struct action *actions;
		size_t put = 0, next = first;

		for (last = first; last < count; last++) {
			if (insertions[last].strand != insertions[first].strand)
				break;
		}
		actions = memory_new(strand->count + last - first, sizeof(actions[0]));
		for (size_t i = 0; i < strand->count; i++) {
			actions[put++] = strand->actions[i];
			while (next < last && insertions[next].action == i)
				actions[put++] = insertions[next++].inserted;
		}
		strand_replace(recording, insertions[first].strand, actions, put);
	}
	recording->actions += count;
}

static void add(struct insertion *insertion, const struct open_call *call, enum action_kind kind,
    uint32_t signal)
{
	*insertion = (struct insertion){call->strand, call->action, {0, signal, kind}};
}

void recorder_finish_mpi(struct recorder *recorder)
{
	size_t count = 0;
	struct insertion *insertions =
	    memory_new(2 * recorder->call_count + recorder->meeting_count, sizeof(insertions[0]));

	for (size_t i = 0; i < recorder->meeting_count; i++)
		add(&insertions[count++], &recorder->calls[recorder->meetings[i].call],
		    ACTION_SIGNAL, recorder->meetings[i].signal);
	for (size_t i = 0; i < recorder->call_count; i++) {
		const struct open_call *call = &recorder->calls[i];

		if (call->signal != RECORDED_NONE)
			add(&insertions[count++], call, ACTION_SIGNAL, call->signal);
		if (call->meeting != RECORDED_NONE)
			add(&insertions[count++], call, ACTION_AWAIT, call->meeting);
		else if (call->awaited != RECORDED_NONE)
			add(&insertions[count++], call, ACTION_AWAIT,
			    recorder->calls[call->awaited].signal);
		else
			continue;
		take_wait(recorder, call);
	}
	qsort(insertions, count, sizeof(insertions[0]), compare_insertions);
	insert_all(recorder->recording, insertions, count);
	free(insertions);
}
