/* SPDX-License-Identifier: BSD-3-Clause */
/* What the change that a sentence proposes would bring, by whoever can replay the run. */
#include "advice.h"

/* Less than this is no gain that a person would see. */
#define GAIN_WORTH_TELLING 1.02

void advice_add_expected(
    const struct advice_view *view, char *text, const struct summary_proposal *proposal)
{
	const struct summary *summary = view->summary;
	struct summary_expected expected;
	size_t length = strlen(text);

	if (!summary->expect || summary->expect(summary->expect_context, proposal, &expected) != 0)
		return;
	if (expected.speedup < GAIN_WORTH_TELLING)
		snprintf(text + length, SUMMARY_ADVICE_SIZE - length,
		    " That alone would hardly make the run faster.");
	else
		snprintf(text + length, SUMMARY_ADVICE_SIZE - length,
		    " That would make the run about %.2g times faster (%.2f to %.2f).",
		    expected.speedup, expected.low, expected.high);
}
