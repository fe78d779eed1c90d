/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A comparison of clocks has an error, and between two comparisons clocks change their speed: a
 * message that was quicker than the error seems to arrive before it was sent. Here every message
 * between machines serves as another comparison. Each sender sends its times to the receiver, the
 * receiver notes by how much its clock is behind the sender's machine, and rank 0 finds the least
 * shifts of the machines' clocks with which no message is early. Whole machines are shifted, so
 * that events within one keep their exact times.
 *
 * With a single machine none of this happens, and without an early message no clock is changed.
 */
#include "message-order.h"

#include "message-list.h"
#include "set-tree.h"
#include "shared/array.h"
#include "shared/debug-log.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 1 << 20, FEWEST_WINDOWS = 64, MOST_WINDOWS = 4096, GENTLY = 8 };

struct order {
	struct convert_rank *rank;
	const struct pomp_ranks *ranks;
	struct convert_scale scale;
	struct convert_messages messages;
	uint32_t *machine; /* by number in MPI_COMM_WORLD; MESSAGE_NO_MACHINE: no logs */
	uint32_t *number;  /* by rank among those with logs: its number */
	uint32_t machine_count;
	struct convert_set common;
	uint64_t *comm_place;
};

/* Called by all ranks: returns whether any of them has failed; -1 when they cannot be reached. */
static int any(const struct pomp_ranks *ranks, bool mine)
{
	uint64_t sum = mine;

	return ranks->sum(ranks, &sum, 1) != 0 ? -1 : mine || sum > 0;
}

/* clocks: each rank's clock + 1, by its number; 0: it has no logs. */
static void number_machines(struct order *order, const uint64_t *clocks)
{
	uint32_t rank = 0;

	for (uint32_t number = 0; number < order->ranks->program_size; number++) {
		uint32_t first = 0;
		order->machine[number] = MESSAGE_NO_MACHINE;
		if (clocks[number] == 0)
			continue;
		if (rank < order->ranks->size)
			order->number[rank++] = number;
		while (clocks[first] != clocks[number])
			first++;
		order->machine[number] =
		    first == number ? order->machine_count++ : order->machine[first];
	}
}

/* Called by all ranks: ranks with the same boot read the same counter. */
static int find_machines(struct order *order)
{
	const struct trace_log_process *process = &order->rank->input.process;
	uint32_t size = order->ranks->program_size;
	uint64_t *clocks = calloc(size, sizeof(*clocks));

	order->machine = calloc(size, sizeof(*order->machine));
	order->number = calloc(order->ranks->size, sizeof(*order->number));
	int failed =
	    any(order->ranks, clocks == NULL || order->machine == NULL || order->number == NULL);
	if (failed == 0) {
		clocks[order->ranks->number] =
		    process->boot * 2 + (process->tick_is_nanosecond != 0) + 1;
		failed = order->ranks->sum(order->ranks, clocks, (int)size);
		if (failed == 0)
			number_machines(order, clocks);
	}
	free(clocks);
	return failed;
}

/*
 * Called by all ranks: collects the members of communicators, which only the first member has
 * written down.
 */
static int find_members(struct order *order)
{
	struct convert_rank_local local = {.comm_count = order->rank->archive.mpi_comms};
	struct convert_set own, all;
	struct convert_maps maps;

	convert_set_init(&own);
	convert_set_init(&all);
	convert_rank_define_comms(&order->rank->input, &own, &local);
	convert_set_merge(&all, &own, NULL);
	convert_set_gather(order->ranks, &all);
	convert_set_share(order->ranks, &all, &order->common);
	convert_set_merge(&order->common, &own, &maps);
	order->comm_place = calloc(local.comm_count + 1, sizeof(*order->comm_place));
	int failed = any(order->ranks,
	    own.failed || all.failed || order->common.failed || order->comm_place == NULL);
	for (size_t i = 0; failed == 0 && i < local.comm_count; i++)
		order->comm_place[i] = maps.comms[local.comm_place[i]];
	order->scale.comm_count = local.comm_count;
	convert_maps_free(&maps);
	convert_rank_local_free(&local);
	convert_set_free(&own);
	convert_set_free(&all);
	return failed;
}

/* Called by all ranks: divides rank 0's run into windows. */
static int choose_windows(struct order *order, const struct convert_reference *reference)
{
	struct convert_scale *scale = &order->scale;
	uint64_t run = order->rank->archive.end > reference->start.ticks
			   ? order->rank->archive.end - reference->start.ticks
			   : 0;
	uint32_t windows = MOST_PLACES / order->machine_count;

	scale->windows = windows > MOST_WINDOWS     ? MOST_WINDOWS
			 : windows < FEWEST_WINDOWS ? FEWEST_WINDOWS
						    : windows;
	scale->start = reference->start.ticks;
	scale->window = run / scale->windows + 1;
	scale->longest = reference->ticks_per_second / 10;
	scale->machine = order->machine;
	scale->rank_count = order->ranks->program_size;
	scale->common = &order->common;
	scale->comm_place = order->comm_place;
	return order->ranks->broadcast(order->ranks, &scale->window, sizeof(scale->window), 0);
}

static int tell_sent(struct order *order, uint32_t peer)
{
	uint64_t count;
	struct convert_message *sent =
	    convert_messages_to(&order->messages, order->number[peer], &count);
	int failed = order->ranks->send(order->ranks, &count, sizeof(count), peer);

	if (failed == 0 && count > 0)
		failed = order->ranks->send(order->ranks, sent, count * sizeof(*sent), peer);
	free(sent);
	return failed;
}

static int match_sent(struct order *order, uint32_t peer)
{
	uint64_t count = 0;
	int failed = order->ranks->receive(order->ranks, &count, sizeof(count), peer);
	struct convert_message *sent =
	    failed == 0 && count > 0 ? malloc(count * sizeof(*sent)) : NULL;

	if (failed != 0 || count == 0)
		return failed;
	if (sent == NULL)
		return -1; /* the peer is going to send: there is no way to refuse */
	failed = order->ranks->receive(order->ranks, sent, count * sizeof(*sent), peer);
	if (failed == 0)
		convert_messages_match(&order->messages, order->ranks->number, order->number[peer],
		    sent, count, &order->scale);
	free(sent);
	return failed;
}

/* Called by all ranks: in each round every rank has one partner; the lower one sends first. */
static int exchange(struct order *order)
{
	uint32_t size = order->ranks->size, own = order->ranks->rank, rounds = 1;
	int failed = 0;

	while (rounds < size)
		rounds *= 2;
	for (uint32_t round = 1; round < rounds && failed == 0; round++) {
		uint32_t peer = own ^ round;
		if (peer >= size ||
		    order->machine[order->number[peer]] == order->machine[order->ranks->number])
			continue;
		failed = own < peer ? tell_sent(order, peer) : match_sent(order, peer);
		if (failed == 0)
			failed = own < peer ? match_sent(order, peer) : tell_sent(order, peer);
	}
	convert_bounds_compact(&order->messages);
	return failed;
}

/* Called by all ranks: rank 0 appends everyone's bounds to its own. */
static int gather_bounds(struct order *order)
{
	struct convert_messages *messages = &order->messages;
	const struct pomp_ranks *ranks = order->ranks;
	uint64_t count = messages->bound_count;
	int failed = 0;

	if (ranks->rank != 0) {
		failed = ranks->send(ranks, &count, sizeof(count), 0);
		return failed == 0 && count > 0 ? ranks->send(ranks, messages->bounds,
						      count * sizeof(*messages->bounds), 0)
						: failed;
	}
	for (uint32_t rank = 1; rank < ranks->size && failed == 0; rank++) {
		failed = ranks->receive(ranks, &count, sizeof(count), rank);
		if (failed != 0 || count == 0)
			continue;
		if (!ARRAY_ROOM(
			messages->bounds, messages->bound_count, messages->bound_capacity, count))
			return -1;
		failed = ranks->receive(ranks, messages->bounds + messages->bound_count,
		    count * sizeof(*messages->bounds), rank);
		messages->bound_count += count;
	}
	return failed;
}

/* Called by all ranks: if *solved, this rank's clock has got its machine's shifts. */
static int shift_clocks(struct order *order, bool *solved)
{
	const struct convert_scale *scale = &order->scale;
	size_t places = (size_t)scale->windows + 1;
	int64_t *shift = calloc(order->machine_count * places, sizeof(*shift));
	uint64_t answer = 0;
	int failed = any(order->ranks, shift == NULL);

	if (failed == 0)
		failed = gather_bounds(order);
	if (failed == 0 && order->ranks->rank == 0)
		answer = convert_solve_shifts(order->messages.bounds, order->messages.bound_count,
		    order->machine_count, scale->windows, (int64_t)(scale->window / GENTLY), shift);
	if (failed == 0)
		failed = order->ranks->broadcast(order->ranks, &answer, sizeof(answer), 0);
	if (failed == 0 && answer)
		failed = order->ranks->broadcast(
		    order->ranks, shift, order->machine_count * places * sizeof(*shift), 0);
	*solved = failed == 0 && answer;
	if (*solved && !convert_clock_shift(&order->rank->clock,
			   shift + order->machine[order->ranks->number] * places, scale->windows,
			   scale->start, scale->window))
		failed = -1;
	free(shift);
	return failed;
}

static int order_messages(
    struct order *order, const struct convert_reference *reference, uint64_t *early, uint64_t *kept)
{
	bool solved = false;

	if (find_machines(order) != 0 || find_members(order) != 0 ||
	    choose_windows(order, reference) != 0)
		return -1;
	convert_messages_collect(&order->messages, order->rank, &order->scale);
	if (any(order->ranks, order->messages.failed) != 0 || exchange(order) != 0)
		return -1;
	*early = order->messages.early;
	if (order->ranks->sum(order->ranks, early, 1) != 0)
		return -1;
	if (*early == 0)
		return 0;
	int failed = shift_clocks(order, &solved);
	*kept = solved ? 0 : *early;
	return failed;
}

int convert_order_messages(struct convert_rank *rank, const struct pomp_ranks *ranks,
    const struct convert_reference *reference, uint64_t *early, uint64_t *kept)
{
	struct order order = {.rank = rank, .ranks = ranks};
	int several = any(ranks, rank->clock.points != NULL);

	*early = *kept = 0;
	if (several <= 0)
		return several;
	convert_set_init(&order.common);
	int failed = order_messages(&order, reference, early, kept);
	DEBUG_LOG(convert, "messages between machines: %llu seemed early, %llu still do",
	    (unsigned long long)*early, (unsigned long long)*kept);
	convert_messages_free(&order.messages);
	convert_set_free(&order.common);
	free(order.machine);
	free(order.number);
	free(order.comm_place);
	return failed == 0 ? 0 : -1;
}
