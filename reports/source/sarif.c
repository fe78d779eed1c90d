/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Annotations as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code hosts
 * and editors show beside the source. The rules are kinds of waits. Files below the current folder
 * have paths relative to it, as services expect.
 */
#include "sarif.h"

#include <stdlib.h>
#include <string.h>

#include "common/sarif-writer.h"
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

static const char *construct_of(const struct annotation *annotation)
{
	const char *construct = strchr(annotation->name, ' ');

	return construct ? construct : "";
}

/*
 * Identifies the same region in another commit, where its line may differ: by the file, the
 * construct, and the number of equal constructs before it in the file.
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

/* Appends a part such as ", 12ms to enter"; nothing if there is no time. */
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
    struct sarif_writer *sarif, const struct annotations *annotations, size_t index)
{
	const struct annotation *annotation = &annotations->annotations[index];
	const struct summary_region *region = annotation->region;
	char *text = annotation_text(annotation);
	char *message = memory_print("%s: %s", annotation->name, text);
	const struct sarif_place place = {.file = inside_folder(region->file),
	    .line = (uint64_t)region->begin_line,
	    .end_line = region->end_line > 0 ? (uint64_t)region->end_line : 0};

	sarif_open_result(sarif, rule_of(region)->id,
	    annotation->share >= ANNOTATION_WARNING ? "warning" : "note", message);
	sarif_put_place(sarif, &place);
	put_fingerprint(&sarif->json, annotations, index);
	json_open_object(&sarif->json, "properties");
	json_put_number(&sarif->json, "lost_ns", annotation->gain);
	json_put_real(&sarif->json, "share", annotation->share);
	json_close_object(&sarif->json);
	sarif_close_result(sarif);
	free(message);
	free(text);
}

void annotations_write_sarif(FILE *out, const struct annotations *annotations)
{
	struct sarif_writer sarif;

	sarif_start(&sarif, out, "ompreport");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		sarif_put_rule(&sarif, rules[i].id, rules[i].text);
	sarif_open_results(&sarif);
	for (size_t i = 0; i < annotations->count; i++) {
		if (annotations->annotations[i].share >= ANNOTATION_NOTE)
			put_result(&sarif, annotations, i);
	}
	sarif_finish(&sarif);
}
