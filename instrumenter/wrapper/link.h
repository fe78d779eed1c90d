/* SPDX-License-Identifier: BSD-3-Clause */
/* The link step: the user's command with libpomp and the bundled runtime added. */
#ifndef LINK_H
#define LINK_H

#include "compiler-run.h"

/* True when the command links an OpenMP program or library: libpomp may be needed. */
bool link_is_openmp(const struct command *command);

/* Is the program of this command linked with the bundled runtime, as far as the command shows? */
bool link_wants_bundled(const struct wrapper *wrapper);

/*
 * Adds run paths: the program searches those of the folders that are not NULL, and then those of
 * LD_RUN_PATH as it would without ompinst. The words must be at the front of the command, before
 * its own run paths.
 */
void link_add_run_paths(
    const struct command *command, const char *const *folders, size_t count, struct words *words);

/*
 * Adds the folder of the bundled runtime, in which the linker finds it under the name that it looks
 * for.
 */
void link_add_runtime(struct words *words, const char *folder);

/* Why the command cannot be linked with libpomp; NULL if it can, or if it needs no libpomp. */
const char *link_skip_reason(const struct command *command);

/* True if the command links an OpenMP program or library that contains Fortran. */
bool link_has_fortran(const struct wrapper *wrapper);

/*
 * Fortran is measured by a tool in the OpenMP runtime: why that is not possible for this program,
 * or NULL.
 */
const char *link_fortran_obstacle(struct wrapper *wrapper);

/*
 * Builds the link command. objects has one entry per part of the command: the object file of a
 * source that is already compiled, or NULL. Call it only if link_skip_reason() returns NULL. A
 * relocatable object gets no libraries; a later link adds them.
 */
void link_command(struct wrapper *wrapper, char *const *objects, struct words *words);

#endif
