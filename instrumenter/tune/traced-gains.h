/* SPDX-License-Identifier: BSD-3-Clause */
/* Has the trace of one run say which schedules of loops are worth trying. */
#ifndef TRACED_GAINS_H
#define TRACED_GAINS_H

#include "tuned-run.h"

/*
 * Removes from the settings the schedules of loops that are predicted to bring too little. Without
 * ompreport beside ompinst, without such schedules, or if the traced run fails, all stay.
 */
void traced_gains_choose(struct tuned_settings *settings, struct tuned_runner *runner);

#endif
