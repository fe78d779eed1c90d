/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds to a sentence the effect of the proposed change, if the caller can replay the run. */
#include "advice.h"

/* A smaller gain would not be noticed. */
#define GAIN_WORTH_TELLING 1.02

/*
 * The change that is evaluated, which is not all of what the sentence proposes: a critical may
 * remain.
 */
static const char *const changes[] = {
    [SUMMARY_EVEN_WORK] = "With even work",
    [SUMMARY_FREE_ENTRY] = "Without these waits",
    [SUMMARY_FREE_LOCK] = "Without these waits",
    [SUMMARY_LARGER_TASKS] = "With larger tasks",
};

void advice_add_expected(
    const struct advice_view *view, char *text, const struct summary_proposal *proposal)
{
	const struct summary *summary = view->summary;
	struct summary_expected expected;
	size_t length = strlen(text);
	int digits;

	if (!summary->expect || summary->expect(summary->expect_context, proposal, &expected) != 0)
		return;
	digits = expected.speedup < 1.2 ? 2 : 1;
	if (expected.speedup < GAIN_WORTH_TELLING)
		snprintf(text + length, SUMMARY_ADVICE_SIZE - length,
		    " That alone would hardly make the run faster.");
	else if (expected.is_limit)
		snprintf(text + length, SUMMARY_ADVICE_SIZE - length,
		    " `ompreport whatif` shows the limits of what that can bring.");
	else
		snprintf(text + length, SUMMARY_ADVICE_SIZE - length,
		    " %s the run would be about %.*f times faster (%.*f to %.*f).",
		    changes[proposal->change], digits, expected.speedup, digits, expected.low,
		    digits, expected.high);
}
