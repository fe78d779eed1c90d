/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs that this process starts have in their environment. */
#ifndef EXEC_H
#define EXEC_H

/*
 * From now on the tool stays in their OMP_TOOL_LIBRARIES, and the list, with colons, in their
 * LD_PRELOAD. Both texts live as long as the process. Called before the program runs.
 */
void exec_keep(const char *tool, const char *preload);

#endif
