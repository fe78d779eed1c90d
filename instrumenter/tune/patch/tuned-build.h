/* SPDX-License-Identifier: BSD-3-Clause */
/* The program built from two copies of the working folder: unchanged, and with a patch. */
#ifndef TUNED_BUILD_H
#define TUNED_BUILD_H

#include "child-process.h"
#include "patch.h"
#include "scratch.h"

enum tuned_build_side { TUNED_BUILD_UNCHANGED, TUNED_BUILD_PATCHED, TUNED_BUILD_SIDES };

struct tuned_build {
	struct scratch scratch;
	char *programs[TUNED_BUILD_SIDES]; /* paths, NULL before they are built */
};

/*
 * Copies everything in the current folder, runs the shell's command in each copy, and finds the
 * program there. ompinst in the command changes nothing. False: *problem (heap, or NULL without
 * memory) says why there are no programs. The caller finishes the build in each case.
 */
bool tuned_build_make(struct tuned_build *build, struct process_watch *watch, const char *command,
    const char *program, const struct patch *patch, char **problem);

void tuned_build_finish(struct tuned_build *build);

#endif
