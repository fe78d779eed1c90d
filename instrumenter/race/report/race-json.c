/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the report as JSON, with all that is known about each finding and each run. */
#include "race-report.h"

#include "common/json-writer.h"

static const char *end_of(const struct race_run *run)
{
	static const char *const ends[] = {[RACE_NOT_RUN] = "not run",
	    [RACE_EXITED] = "exited",
	    [RACE_KILLED] = "signal",
	    [RACE_HUNG] = "hung",
	    [RACE_DEADLOCKED] = "deadlock",
	    [RACE_OUT_OF_TIME] = "out of time",
	    [RACE_INTERRUPTED] = "interrupted"};

	return ends[run->end];
}

static void put_runs(struct json_writer *json, const struct race_report_input *input)
{
	json_begin_line(json);
	json_open_array(json, "runs");
	for (unsigned i = 0; i < input->run_count; i++) {
		const struct race_run *run = &input->runs[i];
		json_begin_line(json);
		json_open_object(json, NULL);
		if (input->input_count > 0)
			json_put_number(json, "input", run->input + 1);
		json_put_number(json, "threads", run->threads);
		json_put_text(json, "schedule", run->schedule);
		json_put_number(json, "chunk", run->chunk);
		json_put_number(json, "seed", run->seed);
		json_put_boolean(json, "strands", run->strands);
		json_put_boolean(json, "cancellation", run->cancellation);
		json_put_text(json, "end", end_of(run));
		json_put_signed(json, "status", run->status);
		json_put_decimal(json, "seconds", run->seconds, 3);
		json_close_object(json);
	}
	json_close_array(json);
}

static void put_construct(struct json_writer *json, const struct race_position *at)
{
	if (at->innermost == NULL) {
		json_put_null(json, "construct");
		return;
	}
	json_open_object(json, "construct");
	json_put_text(json, "name", at->innermost->name);
	json_put_text(json, "file", at->innermost_text->path);
	json_put_signed(json, "line", at->innermost->line);
	json_close_object(json);
}

static void put_side(struct json_writer *json, const struct race_side *side,
    const struct race_words *words, int index)
{
	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "file", side->line.file);
	json_put_signed(json, "line", side->line.line);
	json_put_signed(json, "column", side->line.column);
	json_put_text(json, "function", side->line.function);
	json_put_text(json, "module", side->module);
	json_put_number(json, "offset", side->offset);
	json_put_boolean(json, "reads", side->reads);
	json_put_boolean(json, "writes", side->writes);
	json_put_boolean(json, "atomic", side->atomic);
	json_put_text(json, "called", side->called);
	json_put_text(json, "expression", words->expression[index]);
	json_put_text(json, "source", words->source[index]);
	put_construct(json, &words->relation.at[index]);
	json_close_object(json);
}

static void put_edits(struct json_writer *json, const struct race_words *words)
{
	json_begin_line(json);
	json_open_array(json, "fix");
	for (size_t i = 0; i < words->edit_count; i++) {
		const struct race_edit *edit = &words->edits[i];

		json_open_object(json, NULL);
		json_put_text(json, "file", edit->file);
		json_put_number(json, "line", edit->line);
		json_put_number(json, "column", edit->column);
		json_put_number(json, "end_line", edit->end_line);
		json_put_number(json, "end_column", edit->end_column);
		json_put_text(json, "text", edit->text);
		json_close_object(json);
	}
	json_close_array(json);
}

static void put_finding(
    struct json_writer *json, const struct race_report_input *input, size_t index)
{
	const struct race_finding *finding = &input->findings->items[index];
	const struct race_words *words = &input->words[index];
	const struct race_options *options = input->options;

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "rule", race_rule_names[words->relation.rule]);
	race_verdict_json(json, &finding->verdict, options->baseline != NULL);
	json_put_number(json, "cause", finding->cause + 1);
	json_put_text(json, "title", words->title);
	json_put_text(json, "memory", words->object);
	if (finding->memory.kind != RACE_NO_MEMORY_ERROR)
		json_put_text(json, "memory_error", finding->memory.error);
	json_put_text(json, "shared", words->sharing);
	race_seen_json(json, input, &finding->seen);
	json_begin_line(json);
	json_open_array(json, "places");
	put_side(json, &finding->side[0], words, 0);
	put_side(json, &finding->side[1], words, 1);
	json_close_array(json);
	json_begin_line(json);
	json_open_array(json, "remedies");
	for (unsigned i = 0; i < words->remedy_count; i++)
		json_put_text(json, NULL, words->remedies[i]);
	json_close_array(json);
	if (options->fix)
		put_edits(json, words);
	json_close_object(json);
}

static void put_results(struct json_writer *json, const struct race_results *results)
{
	static const char *const names[] = {"one thread", "repetition", "order", "threads"};

	if (!results->is_wanted)
		return;
	json_begin_line(json);
	json_open_object(json, "results");
	json_put_boolean(json, "equal", results->variations == 0);
	json_open_array(json, "vary_by");
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if ((results->variations >> i & 1) != 0)
			json_put_text(json, NULL, names[i]);
	json_close_array(json);
	if (results->variations != 0) {
		json_put_number(json, "left_run", results->left + 1);
		json_put_number(json, "right_run", results->right + 1);
		json_put_signed(json, "line", results->by_status ? 0 : results->difference.line);
		json_put_text(json, "left", results->difference.left);
		json_put_text(json, "right", results->difference.right);
		if (results->difference.is_numeric)
			json_put_real(json, "relative", results->difference.relative);
	}
	json_open_array(json, "responsible");
	for (unsigned i = 0; i < results->responsible_count; i++)
		json_put_text(json, NULL, results->responsible[i]);
	json_close_array(json);
	json_close_object(json);
}

void race_report_json(const struct race_report_input *input, FILE *out)
{
	struct json_writer json;

	json_start(&json, out, 2);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "tool", race_baseline_form.tool);
	json_put_text(&json, "program", input->program);
	if (input->options->baseline != NULL)
		json_put_text(&json, "baseline", input->options->baseline);
	race_inputs_json(&json, input);
	put_runs(&json, input);
	json_begin_line(&json);
	json_open_array(&json, "races");
	for (size_t i = 0; i < input->findings->count; i++)
		if (race_is_documented(&input->findings->items[i].verdict, input->options->all))
			put_finding(&json, input, i);
	json_close_array(&json);
	race_deadlocks_json(input, &json);
	put_results(&json, input->results);
	json_close_object(&json);
	json_finish(&json);
}
