/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst trace PID`: a trace of a running program's last seconds. */
#ifndef RECORDER_COMMAND_H
#define RECORDER_COMMAND_H

/* words: those after "trace", NULL-terminated. Returns the exit code. */
int recorder_main(const char *const *words);

#endif
