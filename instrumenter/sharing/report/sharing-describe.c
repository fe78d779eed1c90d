/* SPDX-License-Identifier: BSD-3-Clause */
/* Each kind of finding has a description of its own. */
#include "first-touch-report.h"
#include "moved-report.h"

struct sharing_words sharing_describe(
    const struct sharing_report *report, const struct sharing_finding *finding)
{
	struct sharing_words words = sharing_describe_lines(report, finding);

	if (finding->touch != NULL)
		first_touch_describe(report->arena, finding, &words);
	if (finding->kind == SHARING_MOVED)
		moved_describe(report, finding, &words);
	return words;
}
