/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One request to a process and its answer (common/control-file.h). However this ends, also by a
 * signal that ends ompinst, the request is answered, withdrawn or taken by the program.
 */
#ifndef CONTROL_REQUEST_H
#define CONTROL_REQUEST_H

#include "common/control-file.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Asks the process for what the text says, and waits for the answer, for CONTROL_WAIT seconds at
 * most, and as long again once the program has the request. False with *error (heap, or NULL if
 * memory ran out): there is no answer, and it says what is known.
 */
bool control_ask(pid_t process, const char *text, struct control_part *answer, char **error);

enum { CONTROL_WAIT = 10 };

#endif
