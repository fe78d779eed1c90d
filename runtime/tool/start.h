/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RT_TOOL_START_H
#define RT_TOOL_START_H

/*
 * Notes the folder in which the process starts, which may have changed when it first uses the
 * runtime. Called by the library's constructor, after the environment is read.
 */
void rt_tool_note_folder(void);

/* Looks for a tool and initializes it (OpenMP 5.2, 19.2.1); for rt_events_start_with(). */
void rt_tool_start(void);

#endif
