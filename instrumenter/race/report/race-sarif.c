/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as SARIF: each race is a result at the place of its write, with the other access as a
 * related place.
 */
#include "race-report.h"

#include "common/sarif-writer.h"
#include "shared/text-hash.h"

#include <stdio.h>

static void put_places(struct sarif_writer *sarif, struct inst_arena *arena,
    const struct race_finding *finding, const struct race_words *words)
{
	const struct race_line *lines[] = {
	    &finding->side[0].line, &finding->side[1].line, &finding->allocated};
	const char *other = arena_format(arena, "%s %s", words->verb[1],
	    words->expression[1] != NULL ? words->expression[1] : "the memory");
	const char *const messages[] = {NULL, other, "allocated here"};

	/* At most one related place: the other access, else the place of the allocation. */
	bool related = false;
	for (int i = 0; i < 3 && !related; i++) {
		if (lines[i]->file == NULL || (i == 1 && finding->one_place))
			continue;
		struct sarif_place place = {.file = race_short_path(lines[i]->file),
		    .line = (uint64_t)lines[i]->line,
		    .column = (uint64_t)lines[i]->column,
		    .message = messages[i]};
		related = i > 0;
		if (related)
			sarif_put_related(sarif, &place);
		else
			sarif_put_place(sarif, &place);
	}
}

/*
 * Identifies the same race in another commit, where its lines may have moved, by the text of the
 * lines.
 */
static void put_fingerprint(
    struct json_writer *json, const struct race_finding *finding, const struct race_words *words)
{
	char digits[32];
	uint64_t hash = TEXT_HASH_START;

	for (int i = 0; i < 2; i++) {
		const struct race_line *line = &finding->side[i].line;
		hash = text_hash(hash, line->file != NULL ? race_short_path(line->file) : "");
		hash = text_hash(hash, line->function != NULL ? line->function : "");
		hash = text_hash(hash, words->source[i]);
		if (finding->shares_places && words->expression[i] != NULL)
			hash = text_hash(hash, words->expression[i]);
	}
	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
	json_open_object(json, "partialFingerprints");
	json_put_text(json, "race/v1", digits);
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
	sarif_open_result(sarif, race_rule_names[words->relation.rule],
	    finding->by_threads ? "error" : "note", text.data);
	put_places(sarif, input->arena, finding, words);
	put_fingerprint(&sarif->json, finding, words);
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
		if (input->findings->items[i].by_threads || input->all)
			put_result(&sarif, input, i);
	sarif_finish(&sarif);
}
