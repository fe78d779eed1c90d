/* SPDX-License-Identifier: BSD-3-Clause */
/* The link step: the user's own, with libpomp and the bundled runtime. */
#ifndef LINK_H
#define LINK_H

#include "compiler-run.h"

/* True when the command links an OpenMP program or library: libpomp may be needed. */
bool link_is_openmp(const struct command *command);

/* Why the command cannot be linked with libpomp, or NULL when it can or needs none. */
const char *link_skip_reason(const struct command *command);

/*
 * Builds the link command. objects has one entry per part of the command: the object file that
 * stands for a source compiled already, or NULL. Only without a
 * link_skip_reason(). A relocatable object gets no libraries: a later link has them.
 */
void link_command(struct wrapper *wrapper, char *const *objects, struct words *words);

#endif
