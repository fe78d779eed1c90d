/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is looked at whenever it has not moved for some time. */
#ifndef WATCHED_RUN_H
#define WATCHED_RUN_H

#include "inspect-question.h"

/*
 * Starts the program, and waits for its end. When it and the processes that it has started have
 * used less than a hundredth of a processor in the time of --watch, and have waited for none, the
 * question is asked about those with an OpenMP runtime, once until they move again. When they have
 * used more, it is said only if there is a deadlock, or if nothing moves for as long again, since
 * threads can wait without sleep. Returns the
 * exit status of the program, 128 + N for signal N, or INSPECT_CANNOT if it cannot be started.
 */
int watched_run(
    struct process_watch *watch, struct inspect_question *question, const char *const *words);

#endif
