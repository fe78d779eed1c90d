/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack of what is open on a location, and what each entry writes when it is closed. */
#include "location.h"

#include "shared/array.h"
#include "shared/precondition.h"
#include "shared/search.h"

#include <stdlib.h>

void convert_location_check(struct convert_location *location, OTF2_ErrorCode code)
{
	convert_check(location->archive, code);
}

/*
 * Metrics are written before each enter and leave, as a strict class requires: something that is
 * closed together with an enclosing region gets the values of that region. If only parallel regions
 * read metrics, they are written where they were read.
 */
static void write_metrics(struct convert_location *location)
{
	static const OTF2_Type types[TRACE_LOG_METRICS_MAX] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64,
	    OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64,
	    OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	const struct convert_input *input = location->archive->input;
	OTF2_MetricValue values[TRACE_LOG_METRICS_MAX];

	if (!location->metrics_known)
		return;
	location->metrics_known = input->metrics_everywhere;
	for (size_t i = 0; i < input->metric_count; i++)
		values[i].unsigned_int = location->metric[i];
	convert_location_check(
	    location, OTF2_EvtWriter_Metric(location->writer, NULL, location->time, 0,
			  (uint8_t)input->metric_count, types, values));
}

void convert_enter(struct convert_location *location, OTF2_RegionRef region)
{
	write_metrics(location);
	convert_location_check(
	    location, OTF2_EvtWriter_Enter(location->writer, NULL, location->time, region));
}

static void leave(struct convert_location *location, OTF2_RegionRef region)
{
	write_metrics(location);
	convert_location_check(
	    location, OTF2_EvtWriter_Leave(location->writer, NULL, location->time, region));
}

struct convert_open *convert_push(struct convert_location *location, struct convert_open open)
{
	if (!ARRAY_ROOM(location->open, location->depth, location->capacity, 1)) {
		convert_location_check(location, OTF2_ERROR_ENOMEM);
		return NULL;
	}
	open.team = location->depth > 0 ? location->open[location->depth - 1].team : 0;
	if (open.kind == OPEN_TEAM)
		open.team = (uint32_t)location->depth + 1;
	location->open[location->depth] = open;
	return &location->open[location->depth++];
}

const struct convert_open *convert_team_below(const struct convert_location *location, size_t depth)
{
	CHECK(depth <= location->depth, "so many are open");

	uint32_t team = depth > 0 ? location->open[depth - 1].team : 0;

	return team > 0 ? &location->open[team - 1] : NULL;
}

uint32_t convert_creator_of(
    const struct convert_location *location, const struct convert_open *team, uint64_t task)
{
	const struct convert_input *input = location->archive->input;
	uint64_t creator = (task >> TRACE_LOG_TASK_SHIFT) - 1;
	size_t log = creator;

	/* Usually no log is missing. */
	if (creator >= input->log_count || input->logs[creator].location != creator)
		SEARCH(log, input->log_count, input->logs[log].location < creator);
	if (log == input->log_count || input->logs[log].location != creator)
		return 0;
	return convert_comm_rank(&location->archive->teams->comms[team->comm], (uint32_t)log);
}

/* Writes that the thread continues with what runs at that depth: a task, or its implicit task. */
static void switch_to_task_below(struct convert_location *location, size_t depth)
{
	const struct convert_open *team = convert_team_below(location, depth);
	uint32_t creator = team != NULL ? team->rank : 0;
	uint64_t task = 0;

	if (team == NULL || team->comm == CONVERT_NONE)
		return;
	while (depth > 0 && location->open[depth - 1].kind != OPEN_TEAM)
		if (location->open[--depth].kind == OPEN_TASK) {
			task = location->open[depth].number;
			creator = convert_creator_of(location, team, task);
			break;
		}
	convert_location_check(location, OTF2_EvtWriter_ThreadTaskSwitch(location->writer, NULL,
					     location->time, team->comm, creator, (uint32_t)task));
}

void convert_complete_task(struct convert_location *location, uint64_t task)
{
	const struct convert_open *team = convert_team_below(location, location->depth);

	if (team != NULL && team->comm != CONVERT_NONE)
		convert_location_check(location,
		    OTF2_EvtWriter_ThreadTaskComplete(location->writer, NULL, location->time,
			team->comm, convert_creator_of(location, team, task), (uint32_t)task));
}

void convert_close_top(struct convert_location *location)
{
	CHECK(location->depth > 0, "something is open");

	struct convert_open open = location->open[--location->depth];

	switch ((enum convert_open_kind)open.kind) {
	case OPEN_PLAIN:
	case OPEN_CREATE:
	case OPEN_ROUTINE:
		leave(location, open.region);
		break;
	case OPEN_CRITICAL:
		leave(location, open.region);
		if (open.comm == CONVERT_NONE)
			break;
		convert_location_check(location,
		    OTF2_EvtWriter_ThreadReleaseLock(location->writer, NULL, location->time,
			OTF2_PARADIGM_OPENMP, open.comm, (uint32_t)open.number));
		break;
	case OPEN_FORK:
		convert_location_check(location, OTF2_EvtWriter_ThreadJoin(location->writer, NULL,
						     location->time, OTF2_PARADIGM_OPENMP));
		break;
	case OPEN_TEAM:
		leave(location, open.region);
		if (open.comm != CONVERT_NONE)
			convert_location_check(
			    location, OTF2_EvtWriter_ThreadTeamEnd(
					  location->writer, NULL, location->time, open.comm));
		break;
	case OPEN_TASK:
		leave(location, open.region);
		if (open.completed)
			convert_complete_task(location, open.number);
		switch_to_task_below(location, location->depth);
		break;
	}
}

void convert_close_to(struct convert_location *location, size_t depth)
{
	CHECK(depth <= location->depth, "so many are open");
	while (location->depth > depth)
		convert_close_top(location);
}

void convert_close_matching(struct convert_location *location, enum convert_open_kind kind,
    enum convert_part part, uint32_t id)
{
	for (size_t depth = location->depth; depth > 0; depth--) {
		const struct convert_open *open = &location->open[depth - 1];
		if (open->kind == kind && open->part == part && open->id == id) {
			convert_close_to(location, depth - 1);
			return;
		}
		if (open->kind == OPEN_TEAM || open->kind == OPEN_TASK)
			return;
	}
}

size_t convert_find_number(
    const struct convert_location *location, enum convert_open_kind kind, uint64_t number)
{
	for (size_t depth = location->depth; depth > 0; depth--)
		if (location->open[depth - 1].kind == kind &&
		    location->open[depth - 1].number == number)
			return depth;
	return 0;
}

size_t convert_find_innermost(const struct convert_location *location, enum convert_open_kind kind)
{
	for (size_t depth = location->depth; depth > 0; depth--)
		if (location->open[depth - 1].kind == kind)
			return depth;
	return 0;
}
