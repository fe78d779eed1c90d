/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes that this process has started, directly or indirectly, in any group or session. */
#ifndef DESCENDANTS_H
#define DESCENDANTS_H

#include <sys/types.h>

/*
 * From now on, a descendant whose parent ends becomes a child of this process, so that
 * descendants_end() finds it.
 */
void descendants_adopt(void);

/*
 * Ends all descendants with SIGKILL and waits for them. Children in the process group `spared`
 * stay, with their own children; 0: spares none.
 */
void descendants_end(pid_t spared);

#endif
