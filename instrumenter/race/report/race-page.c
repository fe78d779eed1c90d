/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as a page for the browser: of each race both places side by side, with the lines
 * around them and the calls that lead there. The page explains the rules itself, so that it can be
 * sent elsewhere.
 */
#include "page-parts.h"
#include "race-report.h"

#include "common/html-page.h"
#include "common/html-text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What each rule means, and where OpenMP 5.2 has it. */
static const char *const explanations[RACE_RULE_COUNT] = {
    [RACE_RULE_ATOMIC] =
	"An atomic access is ordered with other atomic accesses only. A plain read may see half of "
	"the new value or an old one, and a plain write may be lost. Each access of the variable "
	"that can happen at the same time needs atomic read, write or update (15.8.4).",
    [RACE_RULE_CRITICAL] =
	"critical keeps threads out of regions of the same name only. An access outside of it, or in "
	"one of another name, is not ordered with those inside (15.2).",
    [RACE_RULE_ITERATIONS] =
	"Iterations of a work-shared loop are concurrent, whichever thread executes them, unless "
	"ordered, a reduction or an atomic construct orders them. A variable that each iteration uses "
	"for itself has to be private; one that they combine needs a reduction (11.5, 5.5).",
    [RACE_RULE_TASKS] =
	"A task may be executed at any time until a taskwait, the end of a taskgroup or a barrier "
	"waits for it. Tasks are ordered among each other by depend only, and only if they have the "
	"same parent (12.5, 15.9.5).",
    [RACE_RULE_SECTIONS] = "The sections of one construct are concurrent, in any order (11.3).",
    [RACE_RULE_BARRIER] =
	"A construct with nowait has no barrier at its end, and master and masked never have one: "
	"threads go on while others still execute it (15.6, 10.5).",
    [RACE_RULE_TEAM] =
	"Each thread of the team executes the region's statements, and between two barriers they are "
	"not ordered (10.1, 15.3.1).",
    [RACE_RULE_TEAMS] =
	"The teams of a league cannot wait for each other: within a teams region no barrier and no "
	"critical orders them (10.2).",
    [RACE_RULE_THREADS] =
	"OpenMP orders the threads of its own teams only. A thread that the program has made itself "
	"needs a mutex, atomic accesses, or a join before the region begins.",
    [RACE_RULE_LOCK_ORDER] =
	"A thread that holds a lock and waits for another one keeps out all that want the first. If "
	"one of them holds the second, both wait for ever (18.9). One order for all threads, or a lock "
	"around both, prevents it.",
    [RACE_RULE_LOCK_TWICE] =
	"A lock is free for nobody until its owner unsets it: a task that sets a simple lock again, or "
	"enters a critical of the same name, waits for itself (18.9, 15.2). A nestable lock may be set "
	"again by its task.",
    [RACE_RULE_ENDED_FRAME] =
	"A task may be executed after the function or block that generates it has ended, with the "
	"variables that it shares. They have to live until the task has completed; a copy by "
	"firstprivate is the task's own (12.5, 5.1).",
    [RACE_RULE_FREED] =
	"Memory has to live until the last thread or task that uses it has done so. A task's own "
	"copies end with it (12.5, 5.4).",
    [RACE_RULE_OUT_OF_BOUNDS] =
	"An index or a section is outside of the array. In a reduction the copies have the section's "
	"elements only (5.5).",
    [RACE_RULE_NULL_POINTER] =
	"Each thread has its own copy of a threadprivate variable. What one thread assigns is in its "
	"copy only, unless copyin or copyprivate copies it (5.2, 5.7).",
    [RACE_RULE_UNWRITTEN] =
	"Copies by private and lastprivate begin without a value, and a loop without iterations gives "
	"lastprivate variables none (5.4).",
    [RACE_RULE_OTHER_MEMORY] = "The sanitizer's manual explains its word for the error.",
};

/* The functions from the access outwards, with the lines that they execute. */
static void put_calls(FILE *out, const struct race_side *side)
{
	if (side->caller_count < 2)
		return;
	fputs("<p class='quiet'>called from</p>\n<ol>", out);
	for (size_t i = 1; i < side->caller_count; i++) {
		const struct race_line *line = &side->callers[i];
		fputs("<li>", out);
		page_put_code(out, line->function != NULL ? line->function : "?");
		if (line->file != NULL) {
			fputs(" at ", out);
			html_page_put(out, race_short_path(line->file));
			fprintf(out, ":%d", line->line);
		}
		fputs("</li>", out);
	}
	fputs("</ol>\n", out);
}

static void put_access(FILE *out, const struct race_words *words, int index)
{
	html_page_put(out, words->place[index]);
	fputc(' ', out);
	html_page_put(out, words->verb[index]);
	if (words->expression[index] != NULL) {
		fputc(' ', out);
		page_put_code(out, words->expression[index]);
	}
}

static void put_side(
    FILE *out, const struct race_side *side, const struct race_words *words, int index)
{
	const struct race_position *at = &words->relation.at[index];

	fputs("<div><h3>", out);
	put_access(out, words, index);
	fputs("</h3>\n<p class='quiet'>", out);
	if (side->line.function != NULL) {
		fputs("in ", out);
		page_put_code(out, side->line.function);
	}
	if (at->innermost != NULL) {
		fputs(side->line.function != NULL ? ", in <code>" : "in <code>", out);
		html_page_put(out, at->innermost->name);
		fputs("</code> at ", out);
		html_page_put(out, race_short_path(at->innermost_text->path));
		fprintf(out, ":%d", at->innermost->line);
	}
	fputs("</p>\n", out);
	page_put_excerpt(out, at->text, side->line.line);
	put_calls(out, side);
	fputs("</div>\n", out);
}

/* What the user has said of the finding. */
static void put_verdict(FILE *out, const struct race_verdict *verdict)
{
	if (verdict->standing != RACE_COUNTS)
		page_put_item(out, race_standing_names[verdict->standing],
		    verdict->reason != NULL ? verdict->reason : "it does not count");
}

static void put_further_places(FILE *out, const struct race_report_input *input, size_t index)
{
	const struct race_findings *findings = input->findings;
	bool begun = false;

	for (size_t i = index + 1; i < findings->count; i++) {
		if (findings->items[i].cause != index)
			continue;
		fputs(begun ? "<li>" : "<dt>the same cause</dt><dd><ul><li>", out);
		begun = true;
		put_access(out, &input->words[i], 0);
		if (!findings->items[i].one_place) {
			fputs(", ", out);
			put_access(out, &input->words[i], 1);
		}
		fputs("</li>", out);
	}
	if (begun)
		fputs("</ul></dd>\n", out);
}

/* Opens the section of a finding, and the list of its places. kind: "race" or "deadlock". */
static void open_finding(FILE *out, const char *kind, size_t index, const char *title,
    enum race_rule rule, const char *seen)
{
	page_open_finding(out, kind, index, title);
	fprintf(out, "<p class='quiet'><a href='#rule-%s'>%s</a>: %s", race_rule_names[rule],
	    race_rule_names[rule], race_rule_texts[rule]);
	fprintf(out, ". %s.</p>\n<div class='sides'>\n", seen);
}

static const char *seen_in(const struct race_report_input *input, unsigned runs)
{
	return arena_format(input->arena, "Seen in %u of %u run%s", runs, input->run_count,
	    input->run_count == 1 ? "" : "s");
}

static void put_finding(FILE *out, const struct race_report_input *input, size_t index)
{
	const struct race_finding *finding = &input->findings->items[index];
	const struct race_words *words = &input->words[index];

	open_finding(out, "race", index, words->title, words->relation.rule,
	    seen_in(input, finding->seen.count));
	put_side(out, &finding->side[0], words, 0);
	if (!finding->one_place)
		put_side(out, &finding->side[1], words, 1);
	fputs("</div>\n<dl>\n", out);
	put_verdict(out, &finding->verdict);
	page_put_item(out, "the memory", words->object);
	page_put_item(out, "shared", words->sharing);
	page_put_item(out, "inputs", race_seen_inputs(input, &finding->seen));
	page_put_remedies(out, words->remedies, words->remedy_count);
	put_further_places(out, input, index);
	fputs("</dl></section>\n", out);
}

/* A place of a deadlock: what is done to which lock there. */
static void put_lock_place(FILE *out, const struct race_side *side, const struct race_text *text,
    const char *place, const char *verb, const char *lock)
{
	fputs("<h3>", out);
	html_page_put(out, place);
	fprintf(out, " %s ", verb);
	html_page_put(out, lock);
	fputs("</h3>\n", out);
	if (side->line.function != NULL) {
		fputs("<p class='quiet'>in ", out);
		page_put_code(out, side->line.function);
		fputs("</p>\n", out);
	}
	page_put_excerpt(out, text, side->line.line);
	put_calls(out, side);
}

static void put_further_cycles(FILE *out, const struct race_report_input *input, size_t index)
{
	for (size_t i = index + 1; i < input->deadlocks->count; i++)
		if (input->deadlocks->items[i].cause == index)
			page_put_item(out, "the same locks", input->deadlock_words[i].title);
}

static void put_deadlock(FILE *out, const struct race_report_input *input, size_t index)
{
	const struct race_deadlock *deadlock = &input->deadlocks->items[index];
	const struct race_deadlock_words *words = &input->deadlock_words[index];

	open_finding(out, "deadlock", index, words->title, words->rule,
	    deadlock->is_joined
		? arena_format(input->arena, "No run of %u has shown all of it", input->run_count)
		: seen_in(input, deadlock->seen.count));
	for (size_t i = 0; i < deadlock->count; i++) {
		const struct race_lock_step *step = &deadlock->steps[i];
		const struct race_step_words *step_words = &words->steps[i];
		fputs("<div>", out);
		put_lock_place(out, &step->since, step_words->since_text, step_words->since,
		    step_words->holds, step_words->held);
		put_lock_place(out, &step->at, step_words->at_text, step_words->at,
		    step_words->wants, step_words->wanted);
		if (deadlock->is_joined) {
			fputs("<p class='quiet'>in this order in ", out);
			html_page_put(out, race_seen_list(input, &step->seen));
			fputs("</p>\n", out);
		}
		fputs("</div>\n", out);
	}
	fputs("</div>\n<dl>\n", out);
	put_verdict(out, &deadlock->verdict);
	for (size_t i = 0; i < words->object_count; i++)
		page_put_item(out, "the lock", words->objects[i]);
	if (race_needs_another_input(input, deadlock))
		page_put_item(out, "inputs", "it needs one that leads to all of these orders");
	else if (!deadlock->is_joined)
		page_put_item(out, "inputs", race_seen_inputs(input, &deadlock->seen));
	page_put_remedies(out, words->remedies, words->remedy_count);
	put_further_cycles(out, input, index);
	fputs("</dl></section>\n", out);
}

static bool is_shown(const struct race_report_input *input, size_t index)
{
	const struct race_finding *finding = &input->findings->items[index];

	return finding->cause == index &&
	       (finding->verdict.standing == RACE_COUNTS || input->options->all);
}

/* The last lines of the text report. */
static void put_summary(const void *context, FILE *lines)
{
	race_report_summary(context, lines);
}

static void put_contents(FILE *out, const struct race_report_input *input)
{
	fputs("<nav aria-label='findings'><ul>", out);
	for (size_t i = 0; i < input->findings->count; i++)
		if (is_shown(input, i))
			page_put_link(out, "race", i, input->words[i].title);
	for (size_t i = 0; i < input->deadlocks->count; i++)
		if (race_deadlock_is_shown(input, i))
			page_put_link(out, "deadlock", i, input->deadlock_words[i].title);
	fputs("</ul></nav>\n", out);
}

static void put_changes(FILE *out, const char *diff)
{
	fputs("<section aria-labelledby='changes'><h2 id='changes'>Changes</h2>\n"
	      "<pre role='group' tabindex='0' aria-label='changes as a diff'>",
	    out);
	for (const char *at = diff; *at != '\0';) {
		const size_t length = strcspn(at, "\n");
		char *line = strndup(at, length);
		html_put_text(out, line != NULL ? line : "", INT_MAX, true);
		fputc('\n', out);
		free(line);
		at += length + (at[length] == '\n');
	}
	fputs("</pre></section>\n", out);
}

static void put_rules(FILE *out, const struct race_report_input *input)
{
	bool used[RACE_RULE_COUNT] = {false};
	bool any = false;

	for (size_t i = 0; i < input->findings->count; i++)
		if (is_shown(input, i))
			any = used[input->words[i].relation.rule] = true;
	for (size_t i = 0; i < input->deadlocks->count; i++)
		if (race_deadlock_is_shown(input, i))
			any = used[input->deadlock_words[i].rule] = true;
	if (!any)
		return;
	fputs("<section aria-labelledby='rules'><h2 id='rules'>What the rules mean</h2>\n", out);
	for (size_t i = 0; i < RACE_RULE_COUNT; i++)
		if (used[i])
			fprintf(out, "<h3 id='rule-%s'>%s</h3><p>%s</p>\n", race_rule_names[i],
			    race_rule_names[i], explanations[i]);
	fputs("<p class='quiet'>Numbers are sections of OpenMP 5.2. More is in doc/races.md of "
	      "ompinst.</p></section>\n",
	    out);
}

void race_report_page(const struct race_report_input *input, FILE *out)
{
	html_page_begin(
	    out, input->memory ? "memory errors" : "races", input->program, page_parts_style);
	page_put_paragraphs(out, put_summary, input);
	fputs("<main>\n", out);
	put_contents(out, input);
	for (size_t i = 0; i < input->findings->count; i++)
		if (is_shown(input, i))
			put_finding(out, input, i);
	for (size_t i = 0; i < input->deadlocks->count; i++)
		if (race_deadlock_is_shown(input, i))
			put_deadlock(out, input, i);
	if (input->diff != NULL && input->diff[0] != '\0')
		put_changes(out, input->diff);
	put_rules(out, input);
	fputs("</main>\n<p class='quiet'>Written by ompinst race.</p>\n", out);
	html_page_end(out);
}
