/* SPDX-License-Identifier: BSD-3-Clause */
/* The account of a conversion, for its caller and as properties of the archive. */
#include "account.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static OTF2_ErrorCode set_number(OTF2_Archive *archive, const char *name, uint64_t number)
{
	char value[24];

	snprintf(value, sizeof(value), "%" PRIu64, number);
	return OTF2_Archive_SetProperty(archive, name, value, true);
}

OTF2_ErrorCode convert_tell_account(
    OTF2_Archive *archive, const struct convert_set *set, struct trace_conversion *conversion)
{
	conversion->complete = true;
	for (size_t i = 0; i < set->ranks.count; i++) {
		size_t count;
		const uint64_t *rank = convert_pool_at(&set->ranks, i, &count);
		conversion->locations += rank[SET_RANK_LOCATIONS];
		conversion->events += rank[SET_RANK_EVENTS];
		conversion->lost_events += rank[SET_RANK_LOST];
		conversion->closed += rank[SET_RANK_CLOSED];
		conversion->complete &= rank[SET_RANK_COMPLETE] != 0;
		conversion->ranks += rank[SET_RANK_NUMBER] != SET_NO_RANK;
	}
	OTF2_ErrorCode code = set_number(archive, "POMP::LOST_EVENTS", conversion->lost_events);
	if (code == OTF2_SUCCESS && conversion->early_messages > 0)
		code = set_number(archive, "POMP::EARLY_MESSAGES", conversion->early_messages);
	if (code == OTF2_SUCCESS && conversion->has_event_cost)
		code = set_number(archive, "POMP::EVENT_COST_NS", conversion->event_cost);
	return code;
}

OTF2_ErrorCode convert_tell_dropped(OTF2_Archive *archive, const struct convert_input *input)
{
	OTF2_ErrorCode code = OTF2_SUCCESS;

	for (size_t i = 0; i < input->dropped_count && code == OTF2_SUCCESS; i++) {
		const struct convert_metric *metric = &input->dropped[i];
		char name[40], *text;
		snprintf(name, sizeof(name), "POMP::DROPPED_METRIC_%zu", i + 1);
		if (asprintf(&text, "%s: %s", metric->name, metric->meaning) < 0)
			continue;
		code = OTF2_Archive_SetProperty(archive, name, text, true);
		free(text);
	}
	return code;
}
