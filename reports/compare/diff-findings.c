/* SPDX-License-Identifier: BSD-3-Clause */
/* The output forms of a comparison's findings; one function writes each form. */
#include "diff-findings.h"

#include <stdlib.h>
#include <string.h>

#include "common/json-writer.h"
#include "common/utf8.h"
#include "inside-folder.h"
#include "memory.h"
#include "shared/text-hash.h"
#include "streams.h"

const char *const diff_state_names[DIFF_STATES] = {"", "undecided", "slower"};

void diff_findings_add(struct diff_findings *findings, enum diff_state state, char *subject,
    const char *file, int line, char *text)
{
	struct diff_finding *added;

	added = MEMORY_ADD(findings->findings, findings->room, findings->count);
	*added = (struct diff_finding){.state = state,
	    .subject = subject,
	    .file = file && file[0] ? memory_copy_text(inside_folder(file)) : NULL,
	    .line = line > 0 ? line : 1,
	    .text = text};
	findings->counts[state]++;
}

void diff_findings_finish(struct diff_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		free(findings->findings[i].subject);
		free(findings->findings[i].file);
		free(findings->findings[i].text);
	}
	free(findings->findings);
	*findings = (struct diff_findings){.count = 0};
}

/* The replacement of a character; region names come from an archive and may contain anything. */
struct escape {
	char character;
	const char *text;
};

/* Writes the text with the escapes; terminal control characters and invalid UTF-8 become '?'. */
static void put_escaped(FILE *out, const char *text, const struct escape *escapes)
{
	while (*text) {
		const struct escape *escape = escapes;
		const char *begin = text;
		uint32_t character = utf8_next(&text);

		while (escape->text && escape->character != *begin)
			escape++;
		if (escape->text)
			fputs(escape->text, out);
		else if (character == UTF8_REPLACEMENT || utf8_is_unsafe(character))
			fputc('?', out);
		else
			fwrite(begin, 1, (size_t)(text - begin), out);
	}
}

static void put_markdown_text(FILE *out, const char *text)
{
	static const struct escape escapes[] = {{'|', "\\|"}, {'`', "'"}, {'<', "&lt;"},
	    {'>', "&gt;"}, {'&', "&amp;"}, {'*', "\\*"}, {'_', "\\_"}, {'[', "\\["}, {0, NULL}};

	put_escaped(out, text, escapes);
}

static void write_markdown(FILE *out, const struct diff_findings *findings)
{
	fprintf(out, "### Compared by ompreport diff: %zu slower, %zu undecided, %zu fine\n",
	    findings->counts[DIFF_SLOWER], findings->counts[DIFF_UNDECIDED],
	    findings->counts[DIFF_FINE]);
	if (findings->count == findings->counts[DIFF_FINE])
		return;
	fputs("\n| | region | change |\n|---|---|---|\n", out);
	for (enum diff_state state = DIFF_STATES; state-- > DIFF_UNDECIDED;) {
		for (size_t i = 0; i < findings->count; i++) {
			const struct diff_finding *finding = &findings->findings[i];

			if (finding->state != state)
				continue;
			fprintf(out, "| %s | ", diff_state_names[state]);
			put_markdown_text(out, finding->subject);
			fputs(" | ", out);
			put_markdown_text(out, finding->text);
			fputs(" |\n", out);
		}
	}
}

static void put_xml_attribute(FILE *out, const char *name, const char *text)
{
	static const struct escape escapes[] = {
	    {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {0, NULL}};

	fprintf(out, " %s=\"", name);
	put_escaped(out, text, escapes);
	fputc('"', out);
}

static void write_junit(FILE *out, const struct diff_findings *findings)
{
	fprintf(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite "
	    "name=\"ompreport diff\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
	    findings->count, findings->counts[DIFF_SLOWER], findings->counts[DIFF_UNDECIDED]);
	for (size_t i = 0; i < findings->count; i++) {
		const struct diff_finding *finding = &findings->findings[i];

		fputs("<testcase classname=\"ompreport diff\"", out);
		put_xml_attribute(out, "name", finding->subject);
		if (finding->file)
			put_xml_attribute(out, "file", finding->file);
		fputs(finding->state == DIFF_FINE ? "/>\n" : ">", out);
		if (finding->state == DIFF_FINE)
			continue;
		fputs(finding->state == DIFF_SLOWER ? "<failure" : "<skipped", out);
		put_xml_attribute(out, "message", finding->text);
		fputs("/></testcase>\n", out);
	}
	fputs("</testsuite>\n</testsuites>\n", out);
}

/*
 * GitLab matches the reports of two commits by their fingerprints. The fingerprint contains the
 * region without its line, because lines move.
 */
static void put_fingerprint(struct json_writer *json, const struct diff_finding *finding)
{
	const char *construct = strchr(finding->subject, ' ');
	char *key = memory_print("%s %s %s", diff_state_names[finding->state],
	    finding->file ? finding->file : "", construct ? construct : finding->subject);
	char digits[32];

	snprintf(
	    digits, sizeof(digits), "%016llx", (unsigned long long)text_hash(TEXT_HASH_START, key));
	json_put_text(json, "fingerprint", digits);
	free(key);
}

static void write_code_quality(FILE *out, const struct diff_findings *findings)
{
	struct json_writer json;

	json_start(&json, out, 2);
	json_open_array(&json, NULL);
	for (size_t i = 0; i < findings->count; i++) {
		const struct diff_finding *finding = &findings->findings[i];
		char *text;

		if (finding->state == DIFF_FINE)
			continue;
		text = memory_print("%s: %s", finding->subject, finding->text);
		json_begin_line(&json);
		json_open_object(&json, NULL);
		json_put_text(&json, "description", text);
		json_put_text(&json, "check_name", "ompreport diff");
		put_fingerprint(&json, finding);
		json_put_text(&json, "severity", finding->state == DIFF_SLOWER ? "major" : "info");
		json_open_object(&json, "location");
		json_put_text(&json, "path", finding->file ? finding->file : finding->subject);
		json_open_object(&json, "lines");
		json_put_number(&json, "begin", (uint64_t)finding->line);
		json_close_object(&json);
		json_close_object(&json);
		json_close_object(&json);
		free(text);
	}
	json_close_array(&json);
	json_finish(&json);
}

/* GitHub's workflow commands: "::error file=F,line=N,title=T::text" on a line of the output. */
static void write_annotations(FILE *out, const struct diff_findings *findings)
{
	static const struct escape of_property[] = {
	    {'%', "%25"}, {':', "%3A"}, {',', "%2C"}, {0, NULL}};
	static const struct escape of_text[] = {{'%', "%25"}, {0, NULL}};

	for (size_t i = 0; i < findings->count; i++) {
		const struct diff_finding *finding = &findings->findings[i];

		if (finding->state == DIFF_FINE)
			continue;
		fprintf(out, "::%s ", finding->state == DIFF_SLOWER ? "error" : "notice");
		if (finding->file) {
			fputs("file=", out);
			put_escaped(out, finding->file, of_property);
			fprintf(out, ",line=%d,", finding->line);
		}
		fputs("title=", out);
		put_escaped(out, finding->subject, of_property);
		fputs("::", out);
		put_escaped(out, finding->text, of_text);
		fputc('\n', out);
	}
}

static int write_file(const char *path, const struct diff_findings *findings,
    void (*write)(FILE *out, const struct diff_findings *findings))
{
	FILE *out;

	if (!path)
		return 0;
	out = command_open_output(path);
	if (!out)
		return 1;
	write(out, findings);
	return command_close_output(out, path) ? 1 : 0;
}

int diff_findings_write(const struct diff_findings *findings, const struct options *options)
{
	int status = write_file(options->markdown, findings, write_markdown);

	status |= write_file(options->junit, findings, write_junit);
	status |= write_file(options->code_quality, findings, write_code_quality);
	if (options->annotate)
		write_annotations(stream_output(), findings);
	return status;
}
