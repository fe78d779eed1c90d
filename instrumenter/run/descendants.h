/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process has started, and what that has started in turn, in whatever group or session.
 */
#ifndef DESCENDANTS_H
#define DESCENDANTS_H

#include <sys/types.h>

/*
 * From now on, a descendant whose parent ends becomes a child of this process, so that
 * descendants_end() finds it.
 */
void descendants_adopt(void);

/*
 * Ends all of them by SIGKILL and waits for their end. Children in the process group `spared` stay,
 * with what they have started; 0: none.
 */
void descendants_end(pid_t spared);

#endif
