/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a program was in one of its regions, by the summary of libpomp. */
#ifndef REGION_TIME_H
#define REGION_TIME_H

/*
 * The seconds that a thread spent in the region, on average of the threads that executed it. The
 * name is "FILE:LINE", with the end of the file's path, "FILE:LINE CONSTRUCT", a construct's name,
 * or a name that the program has given. Of several regions it is the one that took most time.
 * Returns 0 with *problem (heap) if the summary does not say it, as a predicate of the program.
 */
double region_time_read(const char *path, const char *name, char **problem);

#endif
