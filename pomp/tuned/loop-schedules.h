/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedules that POMP_LOOP_SCHEDULES gives to loops. */
#ifndef LOOP_SCHEDULES_H
#define LOOP_SCHEDULES_H

#include "pomp.h"
#include "shared/loop-schedule.h"

#include <stdio.h>

/*
 * Reads the setting's value, "FILE:LINE=KIND,CHUNK;...". An entry of another form is reported and
 * left out. Called once, before any loop.
 */
void pomp_loop_schedules_read(const char *text, FILE *messages);

/* The schedule of the loop with this descriptor, which is `written` unless the setting names it. */
struct loop_schedule pomp_loop_schedule_of(const OMPRegDescr *loop, struct loop_schedule written);

/* Prints one line for each entry that has changed no loop. Called at the end. */
void pomp_loop_schedules_report(FILE *messages);

#endif
