/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as SARIF: each cause is a result at the place of its write, with the other accesses as
 * related places.
 */
#include "race-report.h"
#include "sarif-places.h"

#include "common/sarif-writer.h"

/* The place of the write, and the others of the cause; that of the allocation if it is the only
 * one. */
static void put_places(
    struct sarif_writer *sarif, const struct race_report_input *input, size_t index)
{
	const struct race_findings *findings = input->findings;
	const struct race_line *allocated = &findings->items[index].allocated;
	struct sarif_places places = {.arena = input->arena};

	for (size_t i = index; i < findings->count; i++)
		for (int side = 0; side < 2 && findings->items[i].cause == index; side++) {
			const struct race_words *words = &input->words[i];
			const char *what = words->expression[side] != NULL ? words->expression[side]
									   : "the memory";
			sarif_places_add(&places, &findings->items[i].side[side].line,
			    arena_format(input->arena, "%s %s", words->verb[side], what));
		}
	if (places.count < 2)
		sarif_places_add(&places, allocated, "allocated here");
	sarif_places_put(sarif, &places);
}

/* What identifies the races of a cause in another commit. */
static void put_fingerprints(
    struct json_writer *json, const struct race_report_input *input, size_t index)
{
	const struct race_findings *findings = input->findings;
	unsigned number = 0;

	json_open_object(json, "partialFingerprints");
	for (size_t i = index; i < findings->count; i++)
		if (findings->items[i].cause == index)
			json_put_text(json,
			    number++ == 0 ? race_baseline_form.key
					  : arena_format(input->arena, "%s/%u",
						race_baseline_form.key, number),
			    findings->items[i].verdict.fingerprint);
	json_close_object(json);
}

static void put_fix(struct sarif_writer *sarif, const struct race_words *words)
{
	sarif_open_fix(sarif, words->remedies[0]);
	for (size_t i = 0; i < words->edit_count; i++) {
		const struct race_edit *edit = &words->edits[i];
		const struct sarif_range range = {
		    edit->file, edit->line, edit->column, edit->end_line, edit->end_column};

		sarif_put_replacement(sarif, &range, edit->text);
	}
	sarif_close_fix(sarif);
}

static void put_result(
    struct sarif_writer *sarif, const struct race_report_input *input, size_t index)
{
	const struct race_finding *finding = &input->findings->items[index];
	const struct race_words *words = &input->words[index];
	struct inst_buffer text = {.arena = input->arena};

	buffer_add_string(&text, words->title);
	if (words->sharing != NULL)
		buffer_format(&text, "; %s", words->sharing);
	for (unsigned i = 0; i < words->remedy_count; i++)
		buffer_format(&text, "; %s %s", i == 0 ? "fix:" : "or:", words->remedies[i]);
	race_seen_message(input, &finding->seen, &text);
	sarif_open_result(sarif, race_rule_names[words->relation.rule],
	    finding->by_threads ? "error" : "note", text.data);
	put_places(sarif, input, index);
	put_fingerprints(&sarif->json, input, index);
	race_verdict_sarif(&sarif->json, &finding->verdict, input->options->baseline != NULL);
	if (words->edit_count > 0)
		put_fix(sarif, words);
	sarif_close_result(sarif);
}

void race_report_sarif(const struct race_report_input *input, FILE *out)
{
	struct sarif_writer sarif;

	sarif_start(&sarif, out, "ompinst race");
	for (size_t i = 0; i < RACE_RULE_COUNT; i++)
		sarif_put_rule(&sarif, race_rule_names[i], race_rule_texts[i]);
	sarif_open_results(&sarif);
	for (size_t i = 0; i < input->findings->count; i++)
		if (input->findings->items[i].cause == i &&
		    race_is_documented(&input->findings->items[i].verdict, input->options->all))
			put_result(&sarif, input, i);
	race_deadlocks_sarif(input, &sarif);
	sarif_finish(&sarif);
}
