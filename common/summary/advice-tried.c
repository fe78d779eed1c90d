/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `ompinst tune` has shown of the advice: a gain that was measured goes behind the sentence
 * about its loop, or into one of its own. Advice that was not tried says so.
 */
#include "advice.h"

#include <inttypes.h>
#include <stdbool.h>

/* Words by which sentences of the advice propose a change. */
static const char *const proposals[] = {"try ", "make its ", "make it ", "make them ", "split ",
    "share its work", "enter it less", "leave out those", "put several", "execute it less",
    "move work", "balance the work"};

static bool proposes(const char *text)
{
	for (size_t i = 0; i < sizeof(proposals) / sizeof(proposals[0]); i++)
		if (strstr(text, proposals[i]) != NULL)
			return true;
	return false;
}

static bool is_gain(const struct summary_tried *tried)
{
	return tried->low > 1;
}

/* Is the sentence about the loop for which the schedule was tried? */
static bool is_about(const char *text, const struct summary_tried *tried)
{
	char place[128];

	if (tried->file == NULL)
		return false;
	snprintf(place, sizeof(place), "%.100s:%d ", summary_base_name(tried->file), tried->line);
	return strncmp(text, place, strlen(place)) == 0;
}

static void write_gain(char *text, const struct summary_tried *tried)
{
	size_t length = strlen(text);
	char setting[160];

	if (tried->file != NULL)
		snprintf(setting, sizeof(setting), "schedule(%.40s) at %.100s:%d", tried->schedule,
		    summary_base_name(tried->file), tried->line);
	else
		snprintf(setting, sizeof(setting), "%.150s", tried->setting);
	snprintf(text + length, SUMMARY_ADVICE_SIZE - length,
	    "%s%s: %.2f times faster (%.2f to %.2f), %zu pairs of runs.", length > 0 ? " " : "",
	    setting, tried->gain, tried->low, tried->high, tried->pairs);
}

/* Adds the best schedule that was tried for the sentence's loop; false if none was. */
static bool add_to_sentence(const struct summary *summary, char *text)
{
	const struct summary_tried *best = NULL;
	size_t count = 0, length = strlen(text);

	for (size_t i = 0; i < summary->tried_count; i++) {
		const struct summary_tried *tried = &summary->tried[i];

		if (!is_about(text, tried))
			continue;
		count++;
		if (is_gain(tried) && (best == NULL || tried->gain > best->gain))
			best = tried;
	}
	if (best != NULL)
		write_gain(text, best);
	else if (count > 0)
		snprintf(text + length, SUMMARY_ADVICE_SIZE - length,
		    " %zu schedule%s tried there: no sure gain.", count,
		    count == 1 ? " was" : "s were");
	return count > 0;
}

/* The greatest gain that no sentence has and that is smaller than the last one; or NULL. */
static const struct summary_tried *next_gain(
    const struct summary *summary, const struct summary_advice *advice, double below)
{
	const struct summary_tried *best = NULL;

	for (size_t i = 0; i < summary->tried_count; i++) {
		const struct summary_tried *tried = &summary->tried[i];
		bool told = false;

		for (int j = 0; j < advice->count; j++)
			told |= is_about(advice->text[j], tried);
		if (!told && is_gain(tried) && tried->gain < below &&
		    (best == NULL || tried->gain > best->gain))
			best = tried;
	}
	return best;
}

void summary_advise_with_proof(const struct summary *summary, struct summary_advice *advice)
{
	bool open = false;
	double below = 1e300;

	advice->count = summary_advise(summary, advice->text);
	for (int i = 0; i < advice->count; i++) {
		bool proposal = proposes(advice->text[i]);
		open |= proposal && !add_to_sentence(summary, advice->text[i]);
	}
	for (int i = 0; i < SUMMARY_TRIED_COUNT; i++) {
		const struct summary_tried *tried = next_gain(summary, advice, below);
		if (tried == NULL)
			break;
		below = tried->gain;
		advice->text[advice->count][0] = '\0';
		write_gain(advice->text[advice->count++], tried);
	}
	advice->closing = !open                       ? ""
			  : summary->tried_count == 0 ? SUMMARY_NOT_TRIED
						      : SUMMARY_REST_NOT_TRIED;
}
