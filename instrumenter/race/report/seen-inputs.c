/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs have shown a finding, and if the program was run with several inputs, with which. */
#include "race-report.h"

enum { MOST_SHOWN = 8 };

static unsigned runs_with(const struct race_report_input *input, size_t number)
{
	unsigned count = 0;

	for (unsigned i = 0; i < input->run_count; i++)
		count += input->runs[i].input == number;
	return count;
}

static unsigned seen_with(
    const struct race_report_input *input, const struct race_seen *seen, size_t number)
{
	unsigned count = 0;

	for (unsigned i = 0; i < seen->count; i++)
		count += input->runs[seen->runs[i]].input == number;
	return count;
}

const char *race_seen_inputs(const struct race_report_input *input, const struct race_seen *seen)
{
	struct inst_buffer text = {.arena = input->arena};
	size_t shown = 0;

	for (size_t i = 0; i < input->input_count; i++) {
		const unsigned count = seen_with(input, seen, i), all = runs_with(input, i);
		if (count > 0 && ++shown <= MOST_SHOWN)
			buffer_format(&text, "%s'%s' (%u of %u run%s)", shown > 1 ? ", " : "",
			    input->inputs[i], count, all, all == 1 ? "" : "s");
	}
	if (shown > MOST_SHOWN)
		buffer_format(&text, " and %zu more", shown - MOST_SHOWN);
	return input->input_count > 0 ? text.data : NULL;
}

bool race_needs_another_input(
    const struct race_report_input *input, const struct race_deadlock *deadlock)
{
	for (size_t i = 0; i < input->input_count; i++) {
		bool all = true;
		for (size_t j = 0; j < deadlock->count && all; j++)
			all = seen_with(input, &deadlock->steps[j].seen, i) > 0;
		if (all)
			return false;
	}
	return deadlock->is_joined && input->input_count > 0;
}

const char *race_seen_list(const struct race_report_input *input, const struct race_seen *seen)
{
	struct inst_buffer text = {.arena = input->arena};
	const char *inputs = race_seen_inputs(input, seen);
	const unsigned shown = seen->count > MOST_SHOWN ? MOST_SHOWN : seen->count;

	for (unsigned i = 0; i < shown; i++)
		buffer_format(&text, "%s%u",
		    i == 0                ? ""
		    : i + 1 < seen->count ? ", "
					  : " and ",
		    seen->runs[i] + 1);
	if (seen->count > shown)
		buffer_format(&text, " and %u more", seen->count - shown);
	return arena_format(input->arena, "run%s %s%s%s", seen->count == 1 ? "" : "s", text.data,
	    inputs != NULL ? ", with " : "", inputs != NULL ? inputs : "");
}

void race_seen_text(const struct race_report_input *input, const struct race_seen *seen, FILE *out)
{
	const char *inputs = race_seen_inputs(input, seen);

	fprintf(out, "%s%s\n\n", inputs != NULL ? ", with " : "", inputs != NULL ? inputs : "");
}

void race_seen_message(
    const struct race_report_input *input, const struct race_seen *seen, struct inst_buffer *text)
{
	const char *inputs = race_seen_inputs(input, seen);

	if (inputs != NULL)
		buffer_format(text, "; seen with %s", inputs);
}

void race_seen_json(
    struct json_writer *json, const struct race_report_input *input, const struct race_seen *seen)
{
	json_put_number(json, "first_run", seen->runs[0] + 1);
	json_put_number(json, "runs", seen->count);
	json_open_array(json, "in_runs");
	for (unsigned i = 0; i < seen->count; i++)
		json_put_number(json, NULL, seen->runs[i] + 1);
	json_close_array(json);
	if (input->input_count == 0)
		return;
	json_open_array(json, "with_inputs");
	for (size_t i = 0; i < input->input_count; i++)
		if (seen_with(input, seen, i) > 0)
			json_put_number(json, NULL, i + 1);
	json_close_array(json);
}

void race_inputs_json(struct json_writer *json, const struct race_report_input *input)
{
	if (input->input_count == 0)
		return;
	json_begin_line(json);
	json_open_array(json, "inputs");
	for (size_t i = 0; i < input->input_count; i++)
		json_put_text(json, NULL, input->inputs[i]);
	json_close_array(json);
}
