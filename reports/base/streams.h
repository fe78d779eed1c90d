/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where reports and messages go: standard output and standard error, or the streams of a program
 * that calls the library (ompreport.h). They change only between commands.
 */
#ifndef STREAMS_H
#define STREAMS_H

#include <stdio.h>

/* Of reports without an output file, and of what is wrong. */
FILE *stream_output(void);
FILE *stream_messages(void);

/* From now on; NULL: the standard one. */
void streams_set(FILE *output, FILE *messages);

#endif
