/* SPDX-License-Identifier: BSD-3-Clause */
/* The account of a conversion, for its caller and as properties of the archive. */
#include "account.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void set_number(struct convert_output *output, const char *name, uint64_t number)
{
	char value[24];

	snprintf(value, sizeof(value), "%" PRIu64, number);
	convert_output_property(output, name, value);
}

/* Sums over the ranks; properties are left out if one rank's figures are not known. */
static void write_processor(struct convert_output *output, const struct convert_set *set)
{
	uint64_t ran = 0, system = 0, faults = 0, cost = UINT64_MAX, processors = 0;
	bool is_refused = false;

	for (size_t i = 0; i < set->ranks.count; i++) {
		size_t count;
		const uint64_t *rank = convert_pool_at(&set->ranks, i, &count);
		if (!rank[SET_RANK_HAS_PROCESSOR])
			return;
		is_refused |= rank[SET_RANK_RAN] == UINT64_MAX;
		ran += rank[SET_RANK_RAN];
		system += rank[SET_RANK_SYSTEM];
		faults += rank[SET_RANK_FAULTS];
		cost = rank[SET_RANK_FAULT_COST] < cost ? rank[SET_RANK_FAULT_COST] : cost;
		processors = rank[SET_RANK_PROCESSORS];
	}
	if (is_refused) {
		set_number(output, "POMP::USAGE_REFUSED", 1);
	} else {
		set_number(output, "POMP::PROCESSOR_TIME_NS", ran);
		set_number(output, "POMP::SYSTEM_TIME_NS", system);
		set_number(output, "POMP::PAGE_FAULTS", faults);
	}
	if (cost != UINT64_MAX)
		set_number(output, "POMP::PAGE_FAULT_NS", cost);
	/* It is unknown on how many machines ranks are, and which of them share processors. */
	if (set->ranks.count != 1)
		return;
	set_number(output, "POMP::PROCESSORS", processors);
	size_t count;
	const uint64_t *only = convert_pool_at(&set->ranks, 0, &count);
	set_number(output, "POMP::QUOTA_THOUSANDTHS", only[SET_RANK_QUOTA]);
	set_number(output, "POMP::THROTTLED_NS", only[SET_RANK_THROTTLED]);
	set_number(output, "POMP::STOLEN_NS", only[SET_RANK_STOLEN]);
	set_number(output, "POMP::MACHINE_IDLE_NS", only[SET_RANK_IDLE]);
	set_number(output, "POMP::PROCESSORS_ONLINE", only[SET_RANK_ONLINE]);
	set_number(output, "POMP::PROCESSORS_BOUND", only[SET_RANK_BOUND]);
}

/* As ns since the archive's clock begins. */
static void write_begin(
    struct convert_output *output, const struct convert_set *set, uint64_t ticks_per_second)
{
	uint64_t begin = UINT64_MAX, complete = 0;

	for (size_t i = 0; i < set->ranks.count; i++) {
		size_t count;
		const uint64_t *rank = convert_pool_at(&set->ranks, i, &count);
		begin = rank[SET_RANK_BEGIN] < begin ? rank[SET_RANK_BEGIN] : begin;
		complete = rank[SET_RANK_COMPLETE_FROM] > complete ? rank[SET_RANK_COMPLETE_FROM]
								   : complete;
	}
	if (complete > begin)
		set_number(output, "POMP::COMPLETE_FROM_NS",
		    (uint64_t)((double)(complete - begin) * 1e9 / (double)ticks_per_second));
}

void convert_write_account(struct convert_output *output, const struct convert_set *set,
    uint64_t ticks_per_second, struct trace_conversion *conversion)
{
	bool cut = false;

	conversion->complete = true;
	for (size_t i = 0; i < set->ranks.count; i++) {
		size_t count;
		const uint64_t *rank = convert_pool_at(&set->ranks, i, &count);
		conversion->locations += rank[SET_RANK_LOCATIONS];
		conversion->events += rank[SET_RANK_EVENTS];
		conversion->lost_events += rank[SET_RANK_LOST];
		conversion->closed += rank[SET_RANK_CLOSED];
		conversion->complete &= rank[SET_RANK_COMPLETE] != 0;
		cut |= rank[SET_RANK_CUT] != 0;
		conversion->ranks += rank[SET_RANK_NUMBER] != SET_NO_RANK;
	}
	set_number(output, "POMP::LOST_EVENTS", conversion->lost_events);
	if (cut || !conversion->complete)
		set_number(output, "POMP::ENDS_EARLY", 1);
	if (conversion->early_messages > 0)
		set_number(output, "POMP::EARLY_MESSAGES", conversion->early_messages);
	write_begin(output, set, ticks_per_second);
	write_processor(output, set);
	if (conversion->has_event_cost)
		set_number(output, "POMP::EVENT_COST_NS", conversion->event_cost);
}

void convert_write_left_out(struct convert_output *output, const struct convert_input *input)
{
	size_t words = convert_count_words(input);

	if (words > CONVERT_MOST_WORDS)
		set_number(output, "POMP::ARGUMENTS_LEFT_OUT", words - CONVERT_MOST_WORDS);
	for (size_t i = 0; i < input->dropped_count; i++) {
		const struct convert_metric *metric = &input->dropped[i];
		char name[40], *text;
		snprintf(name, sizeof(name), "POMP::DROPPED_METRIC_%zu", i + 1);
		if (asprintf(&text, "%s: %s", metric->name, metric->meaning) < 0)
			continue;
		convert_output_property(output, name, text);
		free(text);
	}
}
