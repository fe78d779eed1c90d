/* SPDX-License-Identifier: BSD-3-Clause */
/* What POMP_TASK_GRAINS makes of the numbers in clauses of tasks and taskloops. */
#ifndef TASK_GRAINS_H
#define TASK_GRAINS_H

#include "pomp.h"

#include <stdint.h>
#include <stdio.h>

/*
 * Reads the setting's value, "FILE:LINE=GRAIN;...". GRAIN is a number, or *N or /N: the number as
 * written multiplied or divided. An entry of another form is reported and left out. Called once,
 * before any task.
 */
void pomp_task_grains_read(const char *text, FILE *messages);

/* The number of the construct with this descriptor, `written` unless the setting names it. */
uint64_t pomp_task_grain_of(const OMPRegDescr *taskloop, uint64_t written);

/* Prints one line for each entry that has changed no construct. Called at the end. */
void pomp_task_grains_report(FILE *messages);

#endif
