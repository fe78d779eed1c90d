/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the log when a signal ends the program, unless the program handles it itself. */
#ifndef SHARING_ENDING_SIGNALS_H
#define SHARING_ENDING_SIGNALS_H

void ending_signals_handle(void);

#endif
