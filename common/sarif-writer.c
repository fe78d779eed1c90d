/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of SARIF that are the same for every tool, written with the JSON writer. */
#include "common/sarif-writer.h"

#include <ctype.h>
#include <string.h>

/* RFC 3986: bytes other than unreserved characters and slashes become hexadecimal. */
static void put_uri(struct json_writer *json, const char *path)
{
	json_open_text(json, "uri");
	if (path[0] == '/')
		fputs("file://", json->out);
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
			putc(*path, json->out);
		else
			fprintf(json->out, "%%%02X", (unsigned char)*path);
	}
	json_close_text(json);
}

static void put_message(struct json_writer *json, const char *key, const char *text)
{
	json_open_object(json, key);
	json_put_text(json, "text", text);
	json_close_object(json);
}

void sarif_start(struct sarif_writer *sarif, FILE *out, const char *tool)
{
	struct json_writer *json = &sarif->json;

	json_start(json, out, 2);
	json_open_object(json, NULL);
	json_begin_line(json);
	json_put_text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_begin_line(json);
	json_put_text(json, "version", "2.1.0");
	json_begin_line(json);
	json_open_array(json, "runs");
	json_begin_line(json);
	json_open_object(json, NULL);
	json_begin_line(json);
	json_open_object(json, "tool");
	json_open_object(json, "driver");
	json_put_text(json, "name", tool);
	json_put_text(json, "version", OMPINST_VERSION);
	if (OMPINST_INFORMATION_URI[0] != '\0') /* -Dinformation_uri */
		json_put_text(json, "informationUri", OMPINST_INFORMATION_URI);
	json_open_array(json, "rules");
}

void sarif_put_rule(struct sarif_writer *sarif, const char *id, const char *text)
{
	struct json_writer *json = &sarif->json;

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "id", id);
	put_message(json, "shortDescription", text);
	json_close_object(json);
}

void sarif_open_results(struct sarif_writer *sarif)
{
	struct json_writer *json = &sarif->json;

	json_close_array(json);
	json_close_object(json);
	json_close_object(json);
	json_begin_line(json);
	json_open_array(json, "results");
}

void sarif_open_result(
    struct sarif_writer *sarif, const char *rule, const char *level, const char *message)
{
	struct json_writer *json = &sarif->json;

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "ruleId", rule);
	json_put_text(json, "level", level);
	put_message(json, "message", message);
}

static void put_place(struct json_writer *json, const struct sarif_place *place)
{
	json_open_object(json, NULL);
	json_open_object(json, "physicalLocation");
	json_open_object(json, "artifactLocation");
	put_uri(json, place->file);
	json_close_object(json);
	json_open_object(json, "region");
	json_put_number(json, "startLine", place->line);
	if (place->column > 0)
		json_put_number(json, "startColumn", place->column);
	if (place->end_line >= place->line)
		json_put_number(json, "endLine", place->end_line);
	json_close_object(json);
	json_close_object(json);
	if (place->message != NULL)
		put_message(json, "message", place->message);
	json_close_object(json);
}

void sarif_put_place(struct sarif_writer *sarif, const struct sarif_place *place)
{
	json_open_array(&sarif->json, "locations");
	put_place(&sarif->json, place);
	json_close_array(&sarif->json);
}

void sarif_put_related(struct sarif_writer *sarif, const struct sarif_place *places, size_t count)
{
	json_open_array(&sarif->json, "relatedLocations");
	for (size_t i = 0; i < count; i++)
		put_place(&sarif->json, &places[i]);
	json_close_array(&sarif->json);
}

void sarif_open_fix(struct sarif_writer *sarif, const char *description)
{
	json_open_array(&sarif->json, "fixes");
	json_open_object(&sarif->json, NULL);
	put_message(&sarif->json, "description", description);
	json_open_array(&sarif->json, "artifactChanges");
}

void sarif_put_replacement(
    struct sarif_writer *sarif, const struct sarif_range *range, const char *text)
{
	struct json_writer *json = &sarif->json;

	json_open_object(json, NULL);
	json_open_object(json, "artifactLocation");
	put_uri(json, range->file);
	json_close_object(json);
	json_open_array(json, "replacements");
	json_open_object(json, NULL);
	json_open_object(json, "deletedRegion");
	json_put_number(json, "startLine", range->line);
	json_put_number(json, "startColumn", range->column);
	json_put_number(json, "endLine", range->end_line);
	json_put_number(json, "endColumn", range->end_column);
	json_close_object(json);
	put_message(json, "insertedContent", text);
	json_close_object(json);
	json_close_array(json);
	json_close_object(json);
}

void sarif_close_fix(struct sarif_writer *sarif)
{
	json_close_array(&sarif->json);
	json_close_object(&sarif->json);
	json_close_array(&sarif->json);
}

void sarif_close_result(struct sarif_writer *sarif)
{
	json_close_object(&sarif->json);
}

void sarif_finish(struct sarif_writer *sarif)
{
	struct json_writer *json = &sarif->json;

	json_close_array(json);
	json_close_object(json);
	json_close_array(json);
	json_close_object(json);
	json_finish(json);
}
