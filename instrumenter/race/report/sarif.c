/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format). Files below the
 * current folder are named as seen from there, as services know them.
 */
#include "race-report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/json-writer.h"
#include "shared/text-hash.h"

/* RFC 3986: what is no unreserved character or slash becomes its bytes in hexadecimal. */
static const char *uri_of(struct inst_arena *arena, const char *path)
{
	struct inst_buffer uri = {.arena = arena};

	if (path[0] == '/')
		buffer_add_string(&uri, "file://");
	for (; *path != '\0'; path++)
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path) != NULL)
			buffer_add(&uri, path, 1);
		else
			buffer_format(&uri, "%%%02X", (unsigned char)*path);
	return uri.data != NULL ? uri.data : "";
}

static void put_message(struct json_writer *json, const char *key, const char *text)
{
	json_open_object(json, key);
	json_put_text(json, "text", text);
	json_close_object(json);
}

/* What stands in a list of locations; `text`: what is there, or NULL. */
static void put_location(struct json_writer *json, struct inst_arena *arena,
    const struct race_line *line, const char *text)
{
	json_open_object(json, NULL);
	json_open_object(json, "physicalLocation");
	json_open_object(json, "artifactLocation");
	json_put_text(json, "uri", uri_of(arena, race_short_path(line->file)));
	json_close_object(json);
	json_open_object(json, "region");
	json_put_signed(json, "startLine", line->line);
	if (line->column > 0)
		json_put_signed(json, "startColumn", line->column);
	json_close_object(json);
	json_close_object(json);
	if (text != NULL)
		put_message(json, "message", text);
	json_close_object(json);
}

static void put_locations(struct json_writer *json, struct inst_arena *arena,
    const struct race_finding *finding, const struct race_words *words)
{
	const struct race_line *first = &finding->side[0].line, *second = &finding->side[1].line;

	json_open_array(json, "locations");
	if (first->file != NULL)
		put_location(json, arena, first, NULL);
	json_close_array(json);
	json_open_array(json, "relatedLocations");
	if (second->file != NULL && !finding->one_place)
		put_location(json, arena, second,
		    arena_format(arena, "%s %s", words->verb[1],
			words->expression[1] != NULL ? words->expression[1] : "the memory"));
	if (finding->allocated.file != NULL)
		put_location(json, arena, &finding->allocated, "allocated here");
	json_close_array(json);
}

/* The same race of another commit, where lines may have moved: the texts of its lines. */
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
	}
	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
	json_open_object(json, "partialFingerprints");
	json_put_text(json, "race/v1", digits);
	json_close_object(json);
}

static void put_result(
    struct json_writer *json, const struct race_report_input *input, size_t index)
{
	const struct race_finding *finding = &input->findings->items[index];
	const struct race_words *words = &input->words[index];
	struct inst_buffer text = {.arena = input->arena};

	buffer_add_string(&text, words->title);
	if (words->sharing != NULL)
		buffer_format(&text, "; %s", words->sharing);
	for (unsigned i = 0; i < words->remedy_count; i++)
		buffer_format(&text, "; %s %s", i == 0 ? "to mend it:" : "or:", words->remedies[i]);
	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "ruleId", race_rule_names[words->relation.rule]);
	json_put_text(json, "level", finding->by_threads ? "error" : "note");
	put_message(json, "message", text.data);
	put_locations(json, input->arena, finding, words);
	put_fingerprint(json, finding, words);
	json_close_object(json);
}

static void put_tool(struct json_writer *json)
{
	json_open_object(json, "tool");
	json_open_object(json, "driver");
	json_put_text(json, "name", "ompinst race");
	json_open_array(json, "rules");
	for (size_t i = 0; i < RACE_RULE_COUNT; i++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		json_put_text(json, "id", race_rule_names[i]);
		put_message(json, "shortDescription", race_rule_texts[i]);
		json_close_object(json);
	}
	json_close_array(json);
	json_close_object(json);
	json_close_object(json);
}

void race_report_sarif(const struct race_report_input *input, FILE *out)
{
	struct json_writer json;

	json_start(&json, out, 2);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_begin_line(&json);
	json_put_text(&json, "version", "2.1.0");
	json_begin_line(&json);
	json_open_array(&json, "runs");
	json_begin_line(&json);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	put_tool(&json);
	json_begin_line(&json);
	json_open_array(&json, "results");
	for (size_t i = 0; i < input->findings->count; i++)
		if (input->findings->items[i].by_threads || input->all)
			put_result(&json, input, i);
	json_close_array(&json);
	json_close_object(&json);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}
