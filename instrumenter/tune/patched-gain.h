/* SPDX-License-Identifier: BSD-3-Clause */
/* What the patched program brings, measured from a build of its own. */
#ifndef PATCHED_GAIN_H
#define PATCHED_GAIN_H

#include "tuned-build.h"
#include "tuned-patch.h"
#include "tuned-run.h"

struct patched_gain {
	struct tuned_patch patch;
	struct tuned_build build;
	const struct gain_trial *trial; /* NULL: it was not measured */
	char *problem;                  /* heap: why not; NULL: nobody asked, or no memory */
};

/*
 * Makes the patch for the best settings of the search. With --build it builds the program twice,
 * and compares the patched one, with the other settings, with the unchanged one, without any. Adds
 * the trial to the result.
 */
void patched_gain_find(struct patched_gain *gain, const struct gain_subject *subject,
    struct tuned_settings *settings, struct tuned_runner *runner, struct gain_result *result);

void patched_gain_finish(struct patched_gain *gain);

#endif
