/* SPDX-License-Identifier: BSD-3-Clause */
/* The callbacks that the tool has registered. */
#ifndef RT_CALLBACKS_H
#define RT_CALLBACKS_H
#include <stdbool.h>

#include "omp-tools.h"

/* ompt_set_callback and ompt_get_callback, at any time, by any thread. */
ompt_set_result_t rt_callback_set(ompt_callbacks_t callback, ompt_callback_t function);
int rt_callback_get(ompt_callbacks_t callback, ompt_callback_t *function);

/*
 * Until the tool's initializer has returned, callbacks are only noted; from now on they are called.
 */
void rt_callbacks_publish(void);

/* Registers the fork handlers for these functions' mutex; once, when the library is loaded. */
void rt_callbacks_follow_forks(void);

/*
 * From now on no callback is called, except for those that other threads are in. False: this had
 * been done before.
 */
bool rt_callbacks_withdraw(void);

#endif
