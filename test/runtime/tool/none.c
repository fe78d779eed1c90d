/* SPDX-License-Identifier: BSD-3-Clause */
/* For start.py: a library that is no tool. */
extern const int no_tool;
const int no_tool = 1;
