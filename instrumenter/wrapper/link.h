/* SPDX-License-Identifier: BSD-3-Clause */
/* The link step: the user's own, with libpomp and the bundled runtime. */
#ifndef LINK_H
#define LINK_H

#include "compiler-run.h"

/* True when the command links an OpenMP program or library: libpomp may be needed. */
bool link_is_openmp(const struct command *command);

/*
 * The program looks for libraries in these folders, those of them that are not NULL, and then in
 * those of LD_RUN_PATH as without us. For the front of a command's words: what is said there.
 */
void link_add_run_paths(
    const struct command *command, const char *const *folders, size_t count, struct words *words);

/* The linker finds the bundled runtime, whose folder this is, by the name that it asks for. */
void link_add_runtime(struct words *words, const char *folder);

/* Why the command cannot be linked with libpomp, or NULL when it can or needs none. */
const char *link_skip_reason(const struct command *command);

/* True when the command links an OpenMP program or library with Fortran in it. */
bool link_has_fortran(const struct wrapper *wrapper);

/*
 * The program has Fortran in it, which is measured by a tool in the OpenMP runtime: why it cannot
 * be, or NULL.
 */
const char *link_fortran_obstacle(struct wrapper *wrapper);

/*
 * Builds the link command. objects has one entry per part of the command: the object file that
 * stands for a source compiled already, or NULL. Only without a
 * link_skip_reason(). A relocatable object gets no libraries: a later link has them.
 */
void link_command(struct wrapper *wrapper, char *const *objects, struct words *words);

#endif
