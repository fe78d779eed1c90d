/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the cycles of locks, as text, JSON and SARIF. */
#include "race-report.h"

#include "common/sarif-writer.h"

#include <stdio.h>

enum { MOST_CALLERS = 8 };

/* The calls in the user's own code that led to the place, as far as lines are known. */
static void print_callers(FILE *out, const struct race_side *side)
{
	for (size_t i = 1; i < side->caller_count && i <= MOST_CALLERS; i++)
		if (side->callers[i].file != NULL && !race_is_system_header(side->callers[i].file))
			fprintf(out, "      called at %s:%d%s%s\n",
			    race_short_path(side->callers[i].file), side->callers[i].line,
			    side->callers[i].function != NULL ? " in " : "",
			    side->callers[i].function != NULL ? side->callers[i].function : "");
}

static void print_place(FILE *out, const struct race_side *side, const char *place,
    const char *verb, const char *lock, const char *source)
{
	fprintf(out, "  %s", place);
	if (side->line.file != NULL && side->line.column > 0)
		fprintf(out, ":%d", side->line.column);
	if (side->line.function != NULL)
		fprintf(out, " in %s", side->line.function);
	fprintf(out, " %s %s\n", verb, lock);
	if (source[0] != '\0')
		fprintf(out, "      %s\n", source);
	print_callers(out, side);
}

bool race_deadlock_is_shown(const struct race_report_input *input, size_t index)
{
	const struct race_deadlock *deadlock = &input->deadlocks->items[index];

	return deadlock->cause == index &&
	       (deadlock->verdict.standing == RACE_COUNTS || input->options->all);
}

/* The other places at which the same locks are taken in a cycle. */
static void print_further_places(const struct race_report_input *input, size_t index, FILE *out)
{
	for (size_t i = index + 1; i < input->deadlocks->count; i++) {
		const struct race_deadlock *deadlock = &input->deadlocks->items[i];
		for (size_t j = 0; j < deadlock->count && deadlock->cause == index; j++) {
			const struct race_step_words *step = &input->deadlock_words[i].steps[j];
			fprintf(out, "%s%s %s %s while %s is held", j == 0 ? "  also: " : ", ",
			    step->at, step->wants, step->wanted, step->held);
		}
		fputs(deadlock->cause == index ? "\n" : "", out);
	}
}

static void print_deadlock(
    const struct race_report_input *input, size_t index, bool colour, FILE *out)
{
	const struct race_deadlock *deadlock = &input->deadlocks->items[index];
	const struct race_deadlock_words *words = &input->deadlock_words[index];
	const struct race_verdict *verdict = &deadlock->verdict;

	fprintf(out, "%s%s: %s%s\n", colour ? "\033[1m" : "",
	    verdict->standing == RACE_COUNTS ? "deadlock" : race_standing_names[verdict->standing],
	    words->title, colour ? "\033[0m" : "");
	for (size_t i = 0; i < deadlock->count; i++) {
		const struct race_lock_step *step = &deadlock->steps[i];
		const struct race_step_words *step_words = &words->steps[i];
		print_place(out, &step->since, step_words->since, step_words->holds,
		    step_words->held, step_words->since_source);
		print_place(out, &step->at, step_words->at, step_words->wants, step_words->wanted,
		    step_words->at_source);
		if (deadlock->is_joined)
			fprintf(
			    out, "    in this order in %s\n", race_seen_list(input, &step->seen));
	}
	for (size_t i = 0; i < words->object_count; i++)
		fprintf(out, "  %s\n", words->objects[i]);
	for (unsigned i = 0; i < words->remedy_count; i++)
		fprintf(out, "  %s%s\n", i == 0 ? "fix: " : " or: ", words->remedies[i]);
	if (verdict->standing == RACE_ALLOWED || verdict->standing == RACE_SUPPRESSED)
		fprintf(
		    out, "  %s at %s\n", race_standing_names[verdict->standing], verdict->reason);
	print_further_places(input, index, out);
	if (deadlock->is_joined) {
		fprintf(out, "  no run of %u has shown all of it%s\n\n", input->run_count,
		    race_needs_another_input(input, deadlock)
			? ", nor one of the inputs: it needs one that leads to all of these orders"
			: "");
		return;
	}
	fprintf(out, "  seen in %u of %u run%s", deadlock->seen.count, input->run_count,
	    input->run_count == 1 ? "" : "s");
	if (deadlock->closed_count > 0)
		fprintf(out, ", of which %u ended in it", deadlock->closed_count);
	race_seen_text(input, &deadlock->seen, out);
}

void race_deadlocks_text(const struct race_report_input *input, bool colour, FILE *out)
{
	for (size_t i = 0; i < input->deadlocks->count; i++)
		if (race_deadlock_is_shown(input, i))
			print_deadlock(input, i, colour, out);
}

static void put_line(struct json_writer *json, const struct race_line *line)
{
	json_put_text(json, "file", line->file);
	json_put_signed(json, "line", line->line);
	json_put_signed(json, "column", line->column);
	json_put_text(json, "function", line->function);
}

/* name: of the object, or NULL in an array. */
static void put_place(struct json_writer *json, const char *name, const struct race_side *side,
    const char *lock, const char *source)
{
	json_begin_line(json);
	json_open_object(json, name);
	put_line(json, &side->line);
	json_put_text(json, "module", side->module);
	json_put_number(json, "offset", side->offset);
	json_put_text(json, "lock", lock);
	json_put_text(json, "source", source);
	json_open_array(json, "callers");
	for (size_t i = 1; i < side->caller_count; i++) {
		json_open_object(json, NULL);
		put_line(json, &side->callers[i]);
		json_close_object(json);
	}
	json_close_array(json);
	json_close_object(json);
}

static void put_texts(
    struct json_writer *json, const char *name, const char *const *texts, size_t count)
{
	json_begin_line(json);
	json_open_array(json, name);
	for (size_t i = 0; i < count; i++)
		json_put_text(json, NULL, texts[i]);
	json_close_array(json);
}

static void put_deadlock(
    struct json_writer *json, const struct race_report_input *input, size_t index)
{
	const struct race_deadlock *deadlock = &input->deadlocks->items[index];
	const struct race_deadlock_words *words = &input->deadlock_words[index];

	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "rule", race_rule_names[words->rule]);
	race_verdict_json(json, &deadlock->verdict, input->options->baseline != NULL);
	json_put_number(json, "cause", deadlock->cause + 1);
	json_put_text(json, "title", words->title);
	json_put_number(json, "threads", deadlock->threads);
	race_seen_json(json, input, &deadlock->seen);
	json_put_boolean(json, "joined", deadlock->is_joined);
	if (race_needs_another_input(input, deadlock))
		json_put_boolean(json, "needs_another_input", true);
	json_put_number(json, "ended_runs", deadlock->closed_count);
	json_begin_line(json);
	json_open_array(json, "steps");
	for (size_t i = 0; i < deadlock->count; i++) {
		const struct race_step_words *step = &words->steps[i];
		json_begin_line(json);
		json_open_object(json, NULL);
		put_place(json, "holds", &deadlock->steps[i].since, step->held, step->since_source);
		put_place(json, "wants", &deadlock->steps[i].at, step->wanted, step->at_source);
		if (deadlock->is_joined)
			race_seen_json(json, input, &deadlock->steps[i].seen);
		json_close_object(json);
	}
	json_close_array(json);
	put_texts(json, "locks", words->objects, words->object_count);
	put_texts(json, "remedies", words->remedies, words->remedy_count);
	json_close_object(json);
}

void race_deadlocks_json(const struct race_report_input *input, struct json_writer *json)
{
	json_begin_line(json);
	json_open_array(json, "deadlocks");
	for (size_t i = 0; i < input->deadlocks->count; i++)
		if (race_is_documented(&input->deadlocks->items[i].verdict, input->options->all))
			put_deadlock(json, input, i);
	json_close_array(json);
}

static struct sarif_place sarif_place_of(const struct race_side *side, const char *message)
{
	return (struct sarif_place){
	    .file = side->line.file != NULL ? race_short_path(side->line.file) : NULL,
	    .line = (uint64_t)side->line.line,
	    .column = (uint64_t)side->line.column,
	    .message = message};
}

/* The first place at which a lock is wanted, and the other places of the cycle. */
static void put_sarif_places(struct sarif_writer *sarif, struct inst_arena *arena,
    const struct race_deadlock *deadlock, const struct race_deadlock_words *words)
{
	struct sarif_place *places = arena_allocate(arena, 2 * deadlock->count * sizeof *places),
			   place;
	size_t count = 0;

	for (size_t i = 0; i < deadlock->count; i++) {
		const struct race_step_words *step = &words->steps[i];
		place = sarif_place_of(
		    &deadlock->steps[i].at, i == 0 ? NULL
						   : arena_format(arena, "%s %s while %s is held",
							 step->wants, step->wanted, step->held));
		if (place.file != NULL)
			places[count++] = place;
		place = sarif_place_of(&deadlock->steps[i].since,
		    arena_format(arena, "%s %s", step->holds, step->held));
		if (place.file != NULL)
			places[count++] = place;
	}
	if (count == 0)
		return;
	sarif_put_place(sarif, &places[0]);
	if (count > 1)
		sarif_put_related(sarif, places + 1, count - 1);
}

static void put_sarif(struct sarif_writer *sarif, const struct race_report_input *input,
    const struct race_deadlock *deadlock, const struct race_deadlock_words *words)
{
	struct inst_buffer text = {.arena = input->arena};

	buffer_add_string(&text, words->title);
	for (unsigned i = 0; i < words->remedy_count; i++)
		buffer_format(&text, "; %s %s", i == 0 ? "fix:" : "or:", words->remedies[i]);
	for (size_t i = 0; i < deadlock->count && deadlock->is_joined; i++)
		buffer_format(&text, "; %s while %s is held: %s", words->steps[i].wanted,
		    words->steps[i].held, race_seen_list(input, &deadlock->steps[i].seen));
	if (race_needs_another_input(input, deadlock))
		buffer_add_string(&text, "; it needs an input that leads to all of these orders");
	if (!deadlock->is_joined)
		race_seen_message(input, &deadlock->seen, &text);
	sarif_open_result(sarif, race_rule_names[words->rule], "error", text.data);
	put_sarif_places(sarif, input->arena, deadlock, words);
	json_open_object(&sarif->json, "partialFingerprints");
	json_put_text(&sarif->json, race_baseline_form.key, deadlock->verdict.fingerprint);
	json_close_object(&sarif->json);
	race_verdict_sarif(&sarif->json, &deadlock->verdict, input->options->baseline != NULL);
	sarif_close_result(sarif);
}

void race_deadlocks_sarif(const struct race_report_input *input, struct sarif_writer *sarif)
{
	for (size_t i = 0; i < input->deadlocks->count; i++)
		if (input->deadlocks->items[i].cause == i &&
		    race_is_documented(&input->deadlocks->items[i].verdict, input->options->all))
			put_sarif(
			    sarif, input, &input->deadlocks->items[i], &input->deadlock_words[i]);
}
