/* SPDX-License-Identifier: BSD-3-Clause */
/* Strands and signals while a run is recorded, and the part of a wait that was not needed. */
#include "memory.h"
#include "recorder-state.h"

uint32_t recorder_new_signal(struct recorder *recorder, uint32_t times)
{
	struct recording *recording = recorder->recording;

	MEMORY_GROW(recording->signals, recorder->signal_room, recording->signal_count + 1);
	recording->signals[recording->signal_count] = times;
	return (uint32_t)recording->signal_count++;
}

uint32_t recorder_new_strand(struct recorder *recorder, uint32_t team, uint32_t creator)
{
	uint32_t strand = recording_new_strand(recorder->recording);

	MEMORY_GROW(recorder->strands, recorder->strand_room, strand + 1);
	recorder->strands[strand] = (struct open_strand){.team = team, .creator = creator};
	return strand;
}

void recorder_begin_wait(struct recorder *recorder, struct place *place, enum action_kind kind,
    uint32_t construct, uint64_t now)
{
	struct open_strand *strand = &recorder->strands[place->strand];

	strand_add(recorder->recording, place->strand, kind, construct, 0);
	strand->wait = recorder->recording->strands[place->strand].count;
	strand->wait_since = now;
	place->idle_since = now;
}

void recorder_end_wait(
    struct recorder *recorder, struct place *place, uint64_t needed_until, uint64_t now)
{
	struct open_strand *strand = &recorder->strands[place->strand];
	struct action *action;

	if (strand->wait == 0)
		return;
	if (needed_until < strand->wait_since)
		needed_until = strand->wait_since;
	/* The thread was busy with a task until then. */
	if (needed_until < place->idle_since)
		needed_until = place->idle_since;
	action = &recorder->recording->strands[place->strand].actions[strand->wait - 1];
	action->ticks = now > needed_until ? now - needed_until : 0;
	action->is_long = needed_until - strand->wait_since > recorder->recording->long_wait;
	strand->wait = 0;
}
