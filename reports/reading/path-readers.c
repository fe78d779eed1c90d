/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks along the critical path, and adds it up. If several processes make the report (readers.h),
 * each has the path of the threads that it has read. After the replay of MPI's calls, process 0
 * sends each of them what ended the waits of its threads, and then leads the walk from one to the
 * next.
 *
 * A leg is the part of the path from where it comes to threads of one process of the report to
 * where it leaves them. Where the path leaves a thread is mostly the thread's last wait that
 * another process of the program ended; process 0 knows all of these. So it foresees thousands of
 * legs, and all walk theirs at the same time. If one ends elsewhere than foreseen, those after it
 * are not on the path: they are taken back, by walking them once more, and new legs are foreseen
 * from where the path really came to.
 *
 * Memory is some megabytes for legs and messages in process 0, and as much in the others.
 */
#include <stdlib.h>

#include "memory.h"
#include "pass.h"
#include "path-regions.h"
#include "readers.h"

enum {
	LEGS_FIRST = 256, /* how many are foreseen at first, and at most */
	LEGS_MOST = 8192,
	ENDS_LOOKED_AT = 1 << 16, /* at most, in foreseeing */
};
#define ENDS_SENT ((size_t)1 << 20) /* bytes of one message of ends */

struct leg {
	struct path_position from, to;
	size_t reader;
};

/* What process 0 knows of the walk. */
struct lead {
	const struct analysis *analysis;
	struct path_regions *regions;
	struct path_walker *walker;
	struct leg *legs;
	size_t count;
	/* By reader: the next or last message, and how many of its latest legs are wrong. */
	struct message *messages;
	size_t *wrong;
};

/* What another process knows of it: the latest legs begin there. */
struct followed {
	struct path_regions *regions;
	struct path_walker *walker;
	struct path_position *froms;
	size_t count, room;
	uint64_t start;
};

/* An end, on its way to the process that has the thread's path. */
struct sent_end {
	struct remote_end end;
	uint32_t thread;
};

/* The message for one process, which is sent when it is full. */
struct end_sender {
	struct message message;
	size_t reader;
	uint32_t thread;
};

/* More ends follow unless `is_last`. */
static void begin_ends(struct message *message, bool is_last)
{
	message_clear(message);
	MESSAGE_FIELD(message, is_last);
}

static void send_end(void *context, const struct remote_end *end)
{
	struct end_sender *sender = context;
	struct sent_end sent = {*end, sender->thread};

	MESSAGE_FIELD(&sender->message, sent);
	if (sender->message.used < ENDS_SENT)
		return;
	readers_send(sender->reader, &sender->message);
	begin_ends(&sender->message, false);
}

static void send_ends(const struct analysis *analysis, size_t reader)
{
	struct end_sender sender = {.reader = reader};

	begin_ends(&sender.message, false);
	for (uint32_t i = 0; i < analysis->archive->thread_count; i++) {
		sender.thread = i;
		if (analysis->path_readers[i] == reader)
			remote_ends_for_each(analysis->path->remote, i, send_end, &sender);
	}
	readers_send(reader, &sender.message);
	begin_ends(&sender.message, true);
	readers_send(reader, &sender.message);
	message_free(&sender.message);
}

static void receive_ends(struct analysis *analysis)
{
	struct message message = {0};
	bool is_last = false;

	while (!is_last) {
		readers_receive(0, &message);
		MESSAGE_FIELD(&message, is_last);
		while (message.at < message.used) {
			struct sent_end sent;

			MESSAGE_FIELD(&message, sent);
			remote_ends_add(analysis->path->remote, sent.thread, &sent.end);
		}
	}
	remote_ends_finish(analysis->path->remote);
	message_free(&message);
}

/* What the sums of a process need to be made, and the sums. */
static void exchange_choice(
    struct message *message, uint64_t *start, const bool **counted, size_t threads)
{
	bool has_counted = *counted;

	MESSAGE_FIELD(message, *start);
	MESSAGE_FIELD(message, has_counted);
	threads = has_counted ? threads : 0;
	*counted = message_array(message, (bool *)*counted, &threads, sizeof((*counted)[0]));
}

static void exchange_sums(struct message *message, struct path_regions *regions)
{
	message_bytes(message, regions->regions, regions->count * sizeof(regions->regions[0]));
	MESSAGE_FIELD(message, regions->cuts);
	regions->shares = message_array(
	    message, regions->shares, &regions->share_count, sizeof(regions->shares[0]));
}

static void add_leg(struct lead *lead, const struct path_position *from)
{
	lead->legs[lead->count++] =
	    (struct leg){*from, *from, lead->analysis->path_readers[from->thread]};
}

/*
 * Foresees up to `most` legs of the path from the position on. A leg that is left without taking
 * time is the last one, because the number of such jumps in a row is not known.
 */
static void foresee(struct lead *lead, struct path_position position, size_t most)
{
	const struct analysis *analysis = lead->analysis;
	struct remote_end end;

	lead->count = 0;
	add_leg(lead, &position);
	for (size_t i = 0; lead->count < most && i < ENDS_LOOKED_AT; i++) {
		if (!remote_ends_before(
			analysis->path->remote, position.thread, position.time, &end) ||
		    end.at <= analysis->first_time || end.at >= end.to)
			return;
		position = (struct path_position){.time = end.at, .thread = end.by};
		if (analysis->path_readers[end.by] != lead->legs[lead->count - 1].reader)
			add_leg(lead, &position);
	}
}

static void begin_order(struct lead *lead, size_t reader, bool is_last)
{
	struct message *message = &lead->messages[reader];

	message_clear(message);
	MESSAGE_FIELD(message, is_last);
	MESSAGE_FIELD(message, lead->wrong[reader]);
	lead->wrong[reader] = 0;
}

static void send_legs(struct lead *lead)
{
	size_t readers = readers_count();

	for (size_t i = 1; i < readers; i++)
		message_clear(&lead->messages[i]);
	for (size_t i = 0; i < lead->count; i++) {
		size_t reader = lead->legs[i].reader;

		if (reader == 0)
			continue;
		if (lead->messages[reader].used == 0)
			begin_order(lead, reader, false);
		MESSAGE_FIELD(&lead->messages[reader], lead->legs[i].from);
	}
	for (size_t i = 1; i < readers; i++) {
		if (lead->messages[i].used > 0)
			readers_send(i, &lead->messages[i]);
	}
}

/* All walk their legs. */
static void walk_legs(struct lead *lead)
{
	send_legs(lead);
	for (size_t i = 0; i < lead->count; i++) {
		if (lead->legs[i].reader == 0)
			path_walker_go(lead->walker, &lead->legs[i].to, lead->analysis->first_time,
			    path_regions_add, lead->regions);
	}
	for (size_t i = 1; i < readers_count(); i++) {
		if (lead->messages[i].used > 0)
			readers_receive(i, &lead->messages[i]);
	}
	for (size_t i = 0; i < lead->count; i++) {
		if (lead->legs[i].reader > 0)
			MESSAGE_FIELD(&lead->messages[lead->legs[i].reader], lead->legs[i].to);
	}
}

static bool is_same(const struct path_position *one, const struct path_position *other)
{
	return one->time == other->time && one->thread == other->thread &&
	       one->jumps == other->jumps;
}

/* Returns how many legs of the walked ones are on the path; the others are taken back. */
static size_t judge(struct lead *lead)
{
	size_t right = 1;

	while (right < lead->count && is_same(&lead->legs[right].from, &lead->legs[right - 1].to))
		right++;
	for (size_t i = right; i < lead->count; i++) {
		struct leg *leg = &lead->legs[i];

		if (leg->reader > 0)
			lead->wrong[leg->reader]++;
		else
			path_walker_go(lead->walker, &leg->from, lead->analysis->first_time,
			    path_regions_take_back, lead->regions);
	}
	return right;
}

static void walk(struct lead *lead)
{
	struct path_position position = path_regions_begin(lead->analysis);
	size_t most = LEGS_FIRST;

	while (position.time > lead->analysis->first_time) {
		size_t right;

		foresee(lead, position, most);
		walk_legs(lead);
		right = judge(lead);
		position = lead->legs[right - 1].to;
		most = right == lead->count ? 2 * most : 2 * right;
		most = most < LEGS_MOST ? most : LEGS_MOST;
	}
}

static void collect(struct lead *lead)
{
	for (size_t i = 1; i < readers_count(); i++) {
		begin_order(lead, i, true);
		readers_send(i, &lead->messages[i]);
	}
	for (size_t i = 1; i < readers_count(); i++) {
		struct path_regions *part = path_regions_new(lead->analysis, NULL);

		readers_receive(i, &lead->messages[i]);
		exchange_sums(&lead->messages[i], part);
		path_regions_join(lead->regions, part);
		path_regions_free(part);
		message_free(&lead->messages[i]);
	}
}

static void lead_walk(struct analysis *analysis, struct path_regions *regions)
{
	struct lead lead = {.analysis = analysis, .regions = regions};
	uint64_t start = analysis->first_time;
	const bool *counted = regions->counted;

	lead.walker = path_walker_new(analysis->path);
	lead.legs = memory_new(LEGS_MOST, sizeof(lead.legs[0]));
	lead.messages = memory_new(readers_count(), sizeof(lead.messages[0]));
	lead.wrong = memory_new(readers_count(), sizeof(lead.wrong[0]));
	for (size_t i = 1; i < readers_count(); i++) {
		send_ends(analysis, i);
		exchange_choice(
		    &lead.messages[i], &start, &counted, analysis->archive->thread_count);
		readers_send(i, &lead.messages[i]);
	}
	walk(&lead);
	collect(&lead);
	path_walker_free(lead.walker);
	free(lead.legs);
	free(lead.messages);
	free(lead.wrong);
}

static void take_back(struct followed *followed, size_t wrong)
{
	for (size_t i = followed->count - wrong; i < followed->count; i++)
		path_walker_go(followed->walker, &followed->froms[i], followed->start,
		    path_regions_take_back, followed->regions);
	followed->count = 0;
}

/* Walks the legs of the order, and writes to where they lead. */
static void follow_legs(struct followed *followed, struct message *order, struct message *answer)
{
	message_clear(answer);
	while (order->at < order->used) {
		struct path_position position;

		MESSAGE_FIELD(order, position);
		*MEMORY_ADD(followed->froms, followed->room, followed->count) = position;
		path_walker_go(followed->walker, &position, followed->start, path_regions_add,
		    followed->regions);
		MESSAGE_FIELD(answer, position);
	}
}

static void follow_walk(struct analysis *analysis)
{
	struct message order = {0}, answer = {0};
	struct followed followed = {0};
	const bool *counted = NULL;
	bool is_last = false;

	receive_ends(analysis);
	readers_receive(0, &order);
	exchange_choice(&order, &followed.start, &counted, 0);
	followed.regions = path_regions_new(analysis, counted);
	followed.walker = path_walker_new(analysis->path);
	while (!is_last) {
		size_t wrong;

		readers_receive(0, &order);
		MESSAGE_FIELD(&order, is_last);
		MESSAGE_FIELD(&order, wrong);
		take_back(&followed, wrong);
		if (is_last) {
			message_clear(&answer);
			exchange_sums(&answer, followed.regions);
		} else {
			follow_legs(&followed, &order, &answer);
		}
		readers_send(0, &answer);
	}
	path_walker_free(followed.walker);
	path_regions_free(followed.regions);
	free(followed.froms);
	free((bool *)counted);
	message_free(&order);
	message_free(&answer);
}

void analysis_find_path(struct analysis *analysis)
{
	if (analysis->path_readers && readers_index() > 0) {
		follow_walk(analysis);
		return;
	}
	analysis->path_regions = path_regions_new(analysis, analysis->choice->path_threads);
	if (!analysis->path_readers) {
		path_regions_walk(analysis->path_regions, analysis);
		return;
	}
	lead_walk(analysis, analysis->path_regions);
	path_regions_finish(analysis->path_regions);
	readers_depend(false);
}
