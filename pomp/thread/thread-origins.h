/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a thread forks teams and creates tasks. Looking for an origin takes some twenty
 * nanoseconds, which only events that come often would notice. So in the long run a thread looks
 * for one in two or three microseconds, with some thousand to spare: a thread may create many tasks
 * in a row. In a program that forks or creates more often than that all the time, some teams and
 * tasks have none.
 */
#ifndef THREAD_ORIGINS_H
#define THREAD_ORIGINS_H

#include "shared/code-events.h"
#include "thread-block.h"

/* Called only from thread->origin_due on. */
const struct pomp_origin *pomp_thread_origin(
    struct pomp_thread *thread, struct pomp_event_place place, uint64_t region, uint64_t now);

/* The same for the creation of a task, which keeps the origin for pomp_thread_base(). */
void pomp_thread_note_task(struct pomp_thread *thread, struct pomp_event_place place,
    uint64_t region, uint64_t task, uint64_t now);

/* As pomp_code_find_task_frames_by(). */
void pomp_thread_find_task_frames_by(pomp_code_task_frame *find);

/*
 * Returns in what the thread's path continues: the innermost task on its stack if that has an
 * origin, otherwise its team. Also for the thread's signal handler outside of events.
 */
struct pomp_path_base pomp_thread_base(const struct pomp_thread *thread);

/* The same for its team only, also within events. */
struct pomp_path_base pomp_thread_base_in_team(const struct pomp_thread *thread);

#endif
