/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the checking tool requires of a runtime: one row per rule, with its name, its section of
 * OpenMP 5.2, and the requirement.
 */
#ifndef OMPT_CHECK_RULES_H
#define OMPT_CHECK_RULES_H

/* clang-format off */
#define CHECK_RULES(RULE) \
	RULE(after_finalize, "19.2.4", "no callback comes after the tool's finalizer") \
	RULE(never_called, "19.6.1.3", "an event is not dispatched whose callback ompt_set_callback refused") \
	RULE(data_starts_empty, "19.4.4.1", "a data word that the tool has not written yet is 0") \
	RULE(data_word, "19.4.4.1", "a callback names a living object by the address and value of its data word") \
	RULE(data_moved, "19.4.4.1", "an object's data word stays where it is") \
	RULE(thread_begin_first, "19.5.2.1", "thread_begin is a thread's first event, once") \
	RULE(thread_end_last, "19.5.2.2", "thread_end is a thread's last event, with its data, and nothing is open") \
	RULE(thread_type, "19.4.4.10", "a thread is initial, worker, other or unknown") \
	RULE(thread_data, "19.6.1.5", "ompt_get_thread_data and callbacks give the word that thread_begin gave") \
	RULE(parallel_flags, "19.4.4.22", "a region is a team's or a league's, invoked by the program or the runtime") \
	RULE(parallel_nesting, "19.5.2.4", "parallel_end ends the region that its task began last, on its thread") \
	RULE(parallel_same, "19.5.2.4", "parallel_end has the task and the flags of parallel_begin") \
	RULE(parallel_members, "19.5.2.11", "a region has as many implicit tasks as its actual parallelism") \
	RULE(parallel_size, "19.5.2.3", "the actual parallelism is no more than what was requested") \
	RULE(parallel_primary, "10.1", "the thread that begins a region executes its implicit task 0") \
	RULE(implicit_flags, "19.5.2.11", "an implicit task is either implicit or initial") \
	RULE(implicit_index, "19.5.2.11", "members have distinct numbers below the actual parallelism; an initial task has 1") \
	RULE(implicit_pair, "19.5.2.11", "an implicit task ends on its thread, innermost first, with its own index") \
	RULE(implicit_end_arguments, "19.5.2.11", "the end of an implicit task has no parallel data and a parallelism of 0") \
	RULE(implicit_barrier, "10.1", "a member passes the implicit barrier of its region before its task ends") \
	RULE(current_task, "19.5.2", "a callback names the task and the region that the thread executes") \
	RULE(task_flags, "19.4.4.18", "a created task is explicit, target or taskwait, and no other") \
	RULE(task_data_alive, "19.5.2.10", "a task is scheduled and completed once, and unknown afterwards") \
	RULE(task_prior, "19.5.2.10", "task_schedule leaves the task that the thread executes") \
	RULE(task_next, "19.5.2.10", "task_schedule goes to a task that can run: not running, not finished, not merged") \
	RULE(task_status, "19.4.4.19", "a task's status is one that its state allows, and NULL follows only where allowed") \
	RULE(task_tied, "12.9", "a tied task is resumed by the thread that began it") \
	RULE(task_descendant, "12.9", "a new tied task is a descendant of the tied tasks suspended on the thread") \
	RULE(task_undeferred, "12.5", "the generating task waits for the block of an undeferred task") \
	RULE(task_discarded, "11.5", "a discarded task never runs, and ends as cancelled") \
	RULE(task_left, "12.9", "every created task has finished when its region, and the process, end") \
	RULE(taskwait_children, "15.5", "the children of a task have finished at the end of its taskwait") \
	RULE(taskgroup_tasks, "15.4", "the tasks of a taskgroup have finished at its end") \
	RULE(dependences_once, "19.5.2.8", "dependences come once, right after the creation of a task that has them") \
	RULE(dependences_list, "19.5.2.8", "each dependence has a known type and the address of a variable") \
	RULE(dependence_pair, "19.5.2.9", "task_dependence names two tasks, and the later one has not begun") \
	RULE(dependence_order, "15.9.5", "a task begins when the tasks on which it depends have finished") \
	RULE(scope_endpoint, "19.4.4.11", "an endpoint is begin or end") \
	RULE(scope_nesting, "19.5.2", "what begins in a task ends in it, innermost first, with the same kind") \
	RULE(scope_left, "19.5.2", "nothing is open when a task ends") \
	RULE(work_kind, "19.4.4.16", "a kind of work is known") \
	RULE(work_in_implicit, "11", "work-sharing happens in implicit tasks, taskloops in any") \
	RULE(work_same, "11", "the members of a team meet the same work-sharing regions in the same order") \
	RULE(work_single, "11.1", "one member of the team executes a single region, and its count is 1") \
	RULE(dispatch_inside, "19.5.2.6", "a chunk or a section is dispatched inside of a region of its kind") \
	RULE(dispatch_chunk, "19.4.4.13", "chunks lie in the iteration space and cover it once") \
	RULE(sync_kind, "19.4.4.14", "a synchronization has a kind that is not deprecated") \
	RULE(sync_wait, "19.5.2.13", "a wait lies inside of a region of its kind") \
	RULE(sync_parallel_data, "19.5.2.13", "the region is named, but for the end of its last barrier") \
	RULE(barrier_same, "15.3", "the members of a team meet the same barriers in the same order") \
	RULE(barrier_all, "15.3.1", "no member leaves a barrier before all have come to it") \
	RULE(reduction_kind, "19.5.2.13", "a reduction's kind is reduction") \
	RULE(mutex_kind, "19.4.4.17", "a kind of mutex is known and stays the same for a wait id") \
	RULE(mutex_wait_id, "19.4.4.31", "a wait id is not 0") \
	RULE(mutex_order, "19.5.2.14", "mutex_acquired follows the mutex_acquire of its thread and wait id") \
	RULE(mutex_owner, "19.5.2.15", "a mutex is released by the task that acquired it") \
	RULE(mutex_exclusive, "15.2", "a mutex has one owner; the one before is about to report its release") \
	RULE(mutex_impl, "19.6.1.2", "an implementation of mutexes is one that is enumerated") \
	RULE(nest_lock_scope, "19.5.2.16", "nest_lock begins and ends while the task owns the lock") \
	RULE(lock_life, "19.5.2.14", "a lock is acquired between lock_init and lock_destroy") \
	RULE(cancel_flags, "19.4.4.25", "cancel says what is cancelled, and activated, detected or discarded") \
	RULE(target_pair, "19.5.2.26", "a target region, operation or submission ends as it began") \
	RULE(error_message, "19.5.2.30", "error has a severity and a message as long as it says") \
	RULE(code_address, "19.4.4", "codeptr_ra lies in executable memory that is not the runtime's") \
	RULE(code_missing, "19.4.4", "codeptr_ra is there where the program's own construct begins") \
	RULE(frame_flags, "19.4.4.28", "a frame's flags say whose it is and what address is given") \
	RULE(frame_order, "19.4.4.29", "frames lie on the stack in the order in which they were entered") \
	RULE(frame_missing, "19.4.4.29", "a task that runs has an exit frame, a task in the runtime an enter frame") \
	RULE(state_known, "19.4.4.28", "a thread's state is one that is enumerated") \
	RULE(state_plausible, "19.4.4.28", "a thread's state fits what its events say") \
	RULE(sampled, "19.6.1.12", "the entry points answer sensibly in a signal's handler") \
	RULE(task_info, "19.6.1.14", "ompt_get_task_info agrees with the callbacks") \
	RULE(parallel_info, "19.6.1.13", "ompt_get_parallel_info agrees with the callbacks")
/* clang-format on */

#define AS_ENUMERATOR(name, section, text) RULE_##name,
enum rule { CHECK_RULES(AS_ENUMERATOR) RULES };
#undef AS_ENUMERATOR

#endif
