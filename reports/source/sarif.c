/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Annotations as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code hosts
 * and editors show beside the source. Rules are what threads wait for. Files below the current
 * folder are named as seen from there, as services know them.
 */
#include "sarif.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/json-writer.h"
#include "inside-folder.h"
#include "memory.h"
#include "shared/text-hash.h"

static const struct rule {
	const char *id, *text;
} rules[] = {
    {"wait-at-barrier", "Threads wait at the end of a construct for those that have more to do"},
    {"wait-to-enter", "Threads wait until they may enter a critical section, a lock or their turn"},
    {"uneven-work", "Threads of a team get different amounts of a construct's work"},
};

static const struct rule *rule_of(const struct summary_region *region)
{
	uint64_t enter = summary_add(region->enter_wait, 0);
	uint64_t barrier = summary_add(region->barrier_wait, 0);

	if (enter > barrier)
		return &rules[1];
	return barrier > 0 ? &rules[0] : &rules[2];
}

/* RFC 3986: what is no unreserved character or slash becomes its bytes in hexadecimal. */
static char *uri_of(const char *path)
{
	char *uri = memory_new(3 * strlen(path) + sizeof("file://"), 1), *end = uri;

	if (path[0] == '/')
		end += sprintf(end, "file://");
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
			*end++ = *path;
		else
			end += sprintf(end, "%%%02X", (unsigned char)*path);
	}
	*end = '\0';
	return uri;
}

static void put_message(struct json_writer *json, const char *key, const char *text)
{
	json_open_object(json, key);
	json_put_text(json, "text", text);
	json_close_object(json);
}

static void put_place(struct json_writer *json, const struct summary_region *region)
{
	char *uri = uri_of(inside_folder(region->file));

	json_open_array(json, "locations");
	json_open_object(json, NULL);
	json_open_object(json, "physicalLocation");
	json_open_object(json, "artifactLocation");
	json_put_text(json, "uri", uri);
	json_close_object(json);
	json_open_object(json, "region");
	json_put_number(json, "startLine", (uint64_t)region->begin_line);
	if (region->end_line >= region->begin_line)
		json_put_number(json, "endLine", (uint64_t)region->end_line);
	json_close_object(json);
	json_close_object(json);
	json_close_object(json);
	json_close_array(json);
	free(uri);
}

static const char *construct_of(const struct annotation *annotation)
{
	const char *construct = strchr(annotation->name, ' ');

	return construct ? construct : "";
}

/*
 * The same region of another commit, where its line may have moved: the file, the construct, and
 * how many such stand before it in the file.
 */
static void put_fingerprint(
    struct json_writer *json, const struct annotations *annotations, size_t index)
{
	const struct annotation *own = &annotations->annotations[index];
	size_t before = 0;
	char *key;
	char digits[32];

	for (size_t i = index; i-- > 0;) {
		const struct annotation *other = &annotations->annotations[i];
		if (strcmp(other->region->file, own->region->file) != 0)
			break;
		before += strcmp(construct_of(other), construct_of(own)) == 0;
	}
	key = memory_print("%s%s %zu", inside_folder(own->region->file), construct_of(own), before);
	snprintf(
	    digits, sizeof(digits), "%016llx", (unsigned long long)text_hash(TEXT_HASH_START, key));
	json_open_object(json, "partialFingerprints");
	json_put_text(json, "region/v1", digits);
	json_close_object(json);
	free(key);
}

/* ", 12ms WHAT" behind what there is; nothing without a time. */
static char *add_part(char *text, uint64_t time, const char *what)
{
	char figure[SUMMARY_FIGURE_SIZE];
	char *longer;

	if (time == SUMMARY_NOT_MEASURED || time == 0)
		return text;
	longer = memory_print("%s%s%s %s", text ? text : "", text ? ", " : "",
	    summary_format_time(figure, time), what);
	free(text);
	return longer;
}

/* "threads wait 12.3ms (4.5% of their time): 2.3ms to enter, 10ms at its barrier" */
static char *annotation_text(const struct annotation *annotation)
{
	const struct summary_region *region = annotation->region;
	char gain[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];
	char *parts = add_part(NULL, region->enter_wait, "to enter");
	char *text;

	if (region->barrier_wait != SUMMARY_NOT_MEASURED && region->barrier_wait != 0)
		parts = add_part(parts, region->barrier_wait, "at its barrier");
	else
		parts = add_part(parts, region->imbalance, "for uneven work");
	text = memory_print("threads wait %s (%s of their time): %s",
	    summary_format_time(gain, annotation->gain),
	    summary_format_share(share, annotation->share), parts ? parts : "nowhere");
	free(parts);
	return text;
}

static void put_result(
    struct json_writer *json, const struct annotations *annotations, size_t index)
{
	const struct annotation *annotation = &annotations->annotations[index];
	char *text = annotation_text(annotation);
	char *message = memory_print("%s: %s", annotation->name, text);

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "ruleId", rule_of(annotation->region)->id);
	json_put_text(json, "level", annotation->share >= ANNOTATION_WARNING ? "warning" : "note");
	put_message(json, "message", message);
	put_place(json, annotation->region);
	put_fingerprint(json, annotations, index);
	json_open_object(json, "properties");
	json_put_number(json, "lost_ns", annotation->gain);
	json_put_real(json, "share", annotation->share);
	json_close_object(json);
	json_close_object(json);
	free(message);
	free(text);
}

static void put_tool(struct json_writer *json)
{
	json_open_object(json, "tool");
	json_open_object(json, "driver");
	json_put_text(json, "name", "ompreport");
	json_open_array(json, "rules");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		json_put_text(json, "id", rules[i].id);
		put_message(json, "shortDescription", rules[i].text);
		json_close_object(json);
	}
	json_close_array(json);
	json_close_object(json);
	json_close_object(json);
}

void annotations_write_sarif(FILE *out, const struct annotations *annotations)
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
	for (size_t i = 0; i < annotations->count; i++) {
		if (annotations->annotations[i].share >= ANNOTATION_NOTE)
			put_result(&json, annotations, i);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}
