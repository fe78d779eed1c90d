/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls the environment of programs that this process starts. */
#ifndef EXEC_H
#define EXEC_H

/*
 * From now on, the OMP_TOOL_LIBRARIES of started programs keep the tool, and their LD_PRELOAD keeps
 * the list, which is separated by colons. Both texts must live as long as the process. Call it
 * before the program runs.
 */
void exec_keep(const char *tool, const char *preload);

#endif
