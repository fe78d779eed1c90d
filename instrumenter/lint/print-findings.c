/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints findings in the form of gcc's warnings, as JSON in our own format, or as SARIF 2.1.0. */
#include "print-findings.h"

#include "common/json-writer.h"
#include "common/sarif-writer.h"

/* Errors of the parser are printed apart. */
static bool is_listed(const struct findings *findings, size_t index)
{
	return findings->all[index].check != LINT_CHECK_COUNT && !findings->fixes[index].unchanged;
}

static void print_text(FILE *out, const struct findings *findings, const struct patch *patch)
{
	(void)patch;
	for (size_t i = 0; i < findings->count; i++) {
		const struct lint_finding *finding = &findings->all[i];
		if (!is_listed(findings, i) || findings->fixes[i].known)
			continue;
		fprintf(out, "%s:%d:%d: warning: %s [-W%s]\n", finding->place.file,
		    finding->place.line, finding->place.column, finding->message,
		    lint_checks[finding->check].name);
		if (finding->note[0] != '\0')
			fprintf(out, "%s:%d:%d: note: %s\n", finding->note_place.file,
			    finding->note_place.line, finding->note_place.column, finding->note);
	}
	if (findings->baseline != NULL)
		fprintf(out, "ompinst lint: %zu known finding%s (of %s)\n", findings->known,
		    findings->known == 1 ? "" : "s", findings->baseline->path);
	if (findings->changed != NULL)
		fprintf(out,
		    "ompinst lint: %zu finding%s in lines that have not changed since %s\n",
		    findings->unchanged, findings->unchanged == 1 ? "" : "s",
		    findings->changed->commit);
}

void findings_print_errors(FILE *out, const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct lint_finding *finding = &findings->all[i];
		if (finding->check == LINT_CHECK_COUNT)
			fprintf(out, "%s:%d:%d: error: %s\n", finding->place.file,
			    finding->place.line, finding->place.column, finding->message);
	}
}

static void put_place(struct json_writer *json, const struct lint_place *place)
{
	json_put_text(json, "file", place->file);
	json_put_signed(json, "line", place->line);
	json_put_signed(json, "column", place->column);
}

/* An edit as places of editors. */
static struct sarif_range range_of(const struct patch *patch, const struct finding_edit *edit)
{
	const struct patch_file *file = &patch->files[edit->file];
	size_t line, column, end_line, end_column;

	patch_place(file, edit->edit.begin, &line, &column);
	patch_place(file, edit->edit.end, &end_line, &end_column);
	return (struct sarif_range){file->name, line, column, end_line, end_column};
}

static void put_edits(
    struct json_writer *json, const struct finding_fix *fix, const struct patch *patch)
{
	json_open_array(json, "fix");
	for (size_t i = 0; i < fix->count && fix->offered; i++) {
		const struct sarif_range range = range_of(patch, &fix->edits[i]);

		json_open_object(json, NULL);
		json_put_text(json, "file", range.file);
		json_put_number(json, "line", range.line);
		json_put_number(json, "column", range.column);
		json_put_number(json, "end_line", range.end_line);
		json_put_number(json, "end_column", range.end_column);
		json_put_text(json, "text", fix->edits[i].edit.text);
		json_close_object(json);
	}
	json_close_array(json);
}

/* The finding's state against the baseline, in SARIF's words. */
static const char *state_of(const struct findings *findings, size_t index)
{
	return findings->fixes[index].known ? "unchanged" : "new";
}

static void print_json(FILE *out, const struct findings *findings, const struct patch *patch)
{
	struct json_writer json;

	json_start(&json, out, 2);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "tool", lint_baseline_form.tool);
	json_begin_line(&json);
	json_open_array(&json, "findings");
	for (size_t i = 0; i < findings->count; i++) {
		const struct lint_finding *finding = &findings->all[i];
		if (!is_listed(findings, i))
			continue;
		json_begin_line(&json);
		json_open_object(&json, NULL);
		json_put_text(&json, "check", lint_checks[finding->check].name);
		put_place(&json, &finding->place);
		json_put_text(&json, "message", finding->message);
		if (findings->baseline != NULL)
			json_put_text(&json, "baseline_state", state_of(findings, i));
		json_put_text(&json, "fingerprint", findings->fixes[i].fingerprint);
		if (finding->note[0] != '\0') {
			json_open_object(&json, "note");
			put_place(&json, &finding->note_place);
			json_put_text(&json, "message", finding->note);
			json_close_object(&json);
		}
		if (patch != NULL)
			put_edits(&json, &findings->fixes[i], patch);
		json_close_object(&json);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

static struct sarif_place sarif_place_of(const struct lint_place *place)
{
	return (struct sarif_place){
	    .file = place->file, .line = (uint64_t)place->line, .column = (uint64_t)place->column};
}

static void put_fix(struct sarif_writer *sarif, const struct finding_fix *fix,
    const char *description, const struct patch *patch)
{
	sarif_open_fix(sarif, description);
	for (size_t i = 0; i < fix->count; i++) {
		const struct sarif_range range = range_of(patch, &fix->edits[i]);

		sarif_put_replacement(sarif, &range, fix->edits[i].edit.text);
	}
	sarif_close_fix(sarif);
}

static void print_sarif(FILE *out, const struct findings *findings, const struct patch *patch)
{
	struct sarif_writer sarif;

	sarif_start(&sarif, out, "ompinst lint");
	for (size_t i = 0; i < LINT_CHECK_COUNT; i++)
		sarif_put_rule(&sarif, lint_checks[i].name, lint_checks[i].about);
	sarif_open_results(&sarif);
	for (size_t i = 0; i < findings->count; i++) {
		const struct lint_finding *finding = &findings->all[i];
		if (!is_listed(findings, i))
			continue;
		struct sarif_place place = sarif_place_of(&finding->place);
		sarif_open_result(&sarif, lint_checks[finding->check].name,
		    LINT_PERFORMANCE(finding->check) ? "note" : "warning", finding->message);
		sarif_put_place(&sarif, &place);
		json_open_object(&sarif.json, "partialFingerprints");
		json_put_text(&sarif.json, lint_baseline_form.key, findings->fixes[i].fingerprint);
		json_close_object(&sarif.json);
		if (findings->baseline != NULL)
			json_put_text(&sarif.json, "baselineState", state_of(findings, i));
		if (finding->note[0] != '\0') {
			struct sarif_place note = sarif_place_of(&finding->note_place);
			note.message = finding->note;
			sarif_put_related(&sarif, &note, 1);
		}
		if (patch != NULL && findings->fixes[i].offered)
			put_fix(&sarif, &findings->fixes[i], finding->note, patch);
		sarif_close_result(&sarif);
	}
	sarif_finish(&sarif);
}

void findings_print(
    FILE *out, const struct findings *findings, const struct patch *patch, enum lint_format format)
{
	static void (*const printers[])(
	    FILE * out, const struct findings *findings, const struct patch *patch) = {
	    [LINT_FORMAT_TEXT] = print_text,
	    [LINT_FORMAT_JSON] = print_json,
	    [LINT_FORMAT_SARIF] = print_sarif,
	};

	printers[format](out, findings, patch);
}
