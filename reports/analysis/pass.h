/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of the pass over the events share: the state of threads, and the effect of each
 * kind of event. All times are ticks.
 */
#ifndef PASS_H
#define PASS_H

#include "analysis.h"
#include "common/blocked-rows.h"

#define ENTER_WAIT_OPEN UINT64_MAX

/* Consumes the next event in the order of time; the context is the analysis. */
void analysis_consume(void *context, const struct archive_event *event);
/*
 * Ends everything that is still open. These locations get no more events, and no other location has
 * open frames, teams or tasks.
 */
void analysis_close(struct analysis *analysis, const uint32_t *locations, size_t count);

/* Whether processes can be analysed one by one with the same result. */
bool analysis_is_separable(const struct analysis *analysis);
/* Reads all events, process by process, and ends everything that is open. */
void analysis_read_processes(struct analysis *analysis);

/* After all events: walks along the path, and sets its sums. Needs an analysis with a path. */
void analysis_find_path(struct analysis *analysis);

/* Maps the archive's regions to constructs. */
void analysis_find_constructs(struct analysis *analysis);

/* The task's own time until now in ticks; it does not run while the task is suspended. */
static inline uint64_t analysis_task_clock(const struct task *task, uint64_t now)
{
	return task->running ? task->clock + (now - task->resumed_at) : task->clock;
}

/* The current task's innermost frame, or NULL. */
static inline struct frame *analysis_top_frame(struct thread *thread)
{
	struct task *task = thread->current;

	return task->depth ? &task->frames[task->depth - 1] : NULL;
}

/* The innermost construct that the thread is in, or NO_CONSTRUCT. */
static inline uint32_t analysis_construct_of(const struct thread *thread)
{
	const struct task *task = thread->current;

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): depth counts them */
	return task->depth ? task->frames[task->depth - 1].innermost : NO_CONSTRUCT;
}

/* The thread continues with that task; its previous task is suspended. */
void analysis_resume(struct thread *thread, struct task *task, uint64_t now);
/* Like analysis_visited(), but the caller may change the result. */
struct visited *analysis_find_visited(struct thread *thread, uint32_t construct);
/* The same; it is made when the thread first enters the construct or creates a task of it. */
struct visited *analysis_visit(struct thread *thread, uint32_t construct);
/* The wait to enter the top frame's body is over. */
void analysis_end_enter_wait(
    struct analysis *analysis, uint32_t thread, struct frame *frame, uint64_t now);

/* Adds up what the threads keep for the constructs. */
void analysis_fold(struct analysis *analysis);

/* Entering and leaving regions. */
void analysis_enter(struct analysis *analysis, uint32_t thread, uint32_t region, uint64_t now);
void analysis_leave(struct analysis *analysis, uint32_t thread, uint32_t region, uint64_t now);

/* Teams. */
void analysis_fork(struct analysis *analysis, uint32_t thread, uint64_t now);
void analysis_join(struct analysis *analysis, uint32_t thread, uint64_t now);
void analysis_team_begin(struct analysis *analysis, uint32_t thread, uint32_t comm, uint64_t now);
void analysis_team_end(struct analysis *analysis, uint32_t thread, uint64_t now);
/*
 * At the end of the events: finishes teams whose fork was not recorded or in which not all threads
 * began.
 */
void analysis_finish_teams(struct analysis *analysis);
/* The thread left a work-sharing construct; body: the work in its body, ticks. */
void analysis_count_execution(
    struct analysis *analysis, uint32_t thread, uint32_t construct, uint64_t body);
/*
 * analysis_arrive(): the thread arrives at the barrier of the frame's construct. analysis_depart():
 * it leaves the barrier.
 */
void analysis_arrive(struct analysis *analysis, uint32_t thread, const struct frame *frame);
void analysis_depart(struct analysis *analysis, uint32_t thread);
/*
 * The causes of waits. analysis_spend(): the thread worked. analysis_meet(): it leaves a barrier.
 * analysis_clear_meetings(): the next team uses their memory; analysis_free_meetings(): none does.
 * analysis_add_behind(): adds to a sum.
 */
void analysis_spend(
    const struct analysis *analysis, struct thread *thread, uint32_t construct, uint64_t ticks);
void analysis_meet(struct analysis *analysis, uint32_t thread, uint32_t construct);
void analysis_clear_meetings(struct meetings *meetings);
void analysis_free_meetings(struct meetings *meetings);
void analysis_add_behind(struct analysis *analysis, const struct behind *more);
/* The thread left its team's parallel construct. */
void analysis_count_parallel(struct analysis *analysis, uint32_t thread, uint64_t body);

/* Explicit tasks. now: the event's time, clipped. */
void analysis_switch_task(
    struct analysis *analysis, const struct archive_event *event, uint64_t now);
void analysis_complete_task(
    struct analysis *analysis, const struct archive_event *event, uint64_t now);
void analysis_free_tasks(struct analysis *analysis);

/* Locks and criticals. */
/* The thread begins to wait for a lock that its events do not name yet. */
void analysis_begin_lock_wait(struct analysis *analysis, uint32_t thread);
void analysis_acquire(struct analysis *analysis, uint32_t thread, uint32_t lock, uint64_t now);
void analysis_release(struct analysis *analysis, uint32_t thread, uint32_t lock, uint64_t now);

/* Metrics; the last two are called only if metrics are summed up. */
void analysis_find_metrics(struct analysis *analysis);
void analysis_free_metrics(struct analysis *analysis);
void analysis_metric(struct analysis *analysis, const struct archive_event *event);
/* The top frame was entered, or is left and counts. */
void analysis_metrics_enter(struct analysis *analysis, uint32_t thread);
void analysis_metrics_leave(
    struct analysis *analysis, uint32_t thread, const struct frame *frame, bool counts);

/* What the kernel counted in the time before an event of the archive's usage class. */
struct interval_usage {
	uint64_t value[TRACE_USAGE_VALUES]; /* ticks, and page faults */
};
struct interval_usage analysis_take_usage(
    struct analysis *analysis, const struct archive_event *event);
/* Returns whether a thread has something to do then: no wait, and a team or no need of one. */
bool analysis_has_work(enum activity activity);

/*
 * Accounts it to the innermost construct. Returns the part in which the thread had work and did not
 * run: delayed and blocked, at most `time` together; otherwise 0.
 */
struct interval_usage analysis_count_usage(
    struct analysis *analysis, uint32_t thread, const struct interval_usage *usage, uint64_t time);

/*
 * Samples of the executed code: an event, samples of one place (by a thread now, or at any time),
 * and those of another analysis.
 */
void analysis_sample(struct analysis *analysis, const struct archive_event *event);
/* What counters have counted up to the sample that follows. */
void analysis_take_counts(struct analysis *analysis, const struct archive_event *event);
void analysis_count_samples_now(
    struct analysis *analysis, uint32_t thread, const struct code_samples *more);
void analysis_count_samples(struct analysis *analysis, const struct code_samples *more);
void analysis_add_samples(struct analysis *sum, const struct analysis *more);
/* taken: as of analysis_taken_places(). */
void analysis_summarize_samples(
    const struct analysis *analysis, const bool *taken, struct summary *summary);

/* Blocked time of a thread that has work, and a sample of the call. */
void analysis_add_blocked_time(struct analysis *analysis, uint32_t thread, uint64_t time);
void analysis_blocked_sample(struct analysis *analysis, const struct archive_event *event);
/* Writes the context and its callers as frames; returns how many. */
size_t analysis_frames(
    const struct archive *archive, uint32_t index, struct blocked_frame *frames, size_t most);
void analysis_summarize_blocked(
    const struct analysis *analysis, const bool *taken, struct summary *summary);

/* What tells the samples of one place from others. */
static inline struct map_key analysis_place_key(const struct code_samples *samples)
{
	return (struct map_key){
	    samples->context, (uint64_t)samples->construct << 4 | (uint64_t)samples->faults << 3 |
				  (uint64_t)samples->is_blocked << 2 |
				  (uint64_t)samples->waits << 1 | samples->is_serial};
}

/* The ends of waits, for the critical path; without a path these do nothing. */
void analysis_path_arrive(
    struct analysis *analysis, uint32_t thread, struct frame *frame, uint64_t now);
void analysis_path_leave(
    struct analysis *analysis, uint32_t thread, const struct frame *frame, uint64_t now);
/*
 * The thread leaves a call of MPI. Returns whether its wait, if it was one, has an end on the path,
 * which another process causes.
 */
bool analysis_path_leave_mpi(struct analysis *analysis, uint32_t thread, uint64_t now);
void analysis_path_enter_body(
    struct analysis *analysis, uint32_t thread, const struct frame *outer, uint64_t now);
void analysis_path_leave_body(
    struct analysis *analysis, uint32_t thread, const struct frame *frame, uint64_t now);
void analysis_path_acquire(
    struct analysis *analysis, uint32_t thread, const struct lock *lock, uint64_t now);
/* The thread began in the team, after its own fork, or with fork NULL. */
void analysis_path_begin(struct analysis *analysis, uint32_t thread, struct team *team,
    const struct fork *fork, uint64_t now);
void analysis_path_name_team(struct analysis *analysis, const struct team *team);
void analysis_path_join(
    struct analysis *analysis, uint32_t thread, const struct team *team, uint64_t now);
/* Creation, switch or completion; called before the analysis itself handles the event. */
void analysis_path_task(struct analysis *analysis, const struct archive_event *event, uint64_t now);

/* Time in parallel regions in which the thread had work and did not run. */
static inline uint64_t analysis_away(const struct thread *thread)
{
	return thread->activities[ACTIVITY_DELAYED] + thread->activities[ACTIVITY_BLOCKED] -
	       thread->serial_delayed - thread->serial_blocked;
}

/* Whether this thread's actions are counted. */
static inline bool analysis_counts_thread(const struct analysis *analysis, uint32_t thread)
{
	return !analysis->choice->threads || analysis->choice->threads[thread];
}

/* Whether the thread's actions at the current event are counted. */
static inline bool analysis_counts_now(const struct analysis *analysis, uint32_t thread)
{
	return analysis->real_time >= analysis->clip_from &&
	       analysis->real_time <= analysis->clip_to && analysis_counts_thread(analysis, thread);
}

/* Time in parallel regions, without waits for other threads and without MPI. */
static inline uint64_t analysis_useful(const struct thread *thread)
{
	return thread->activities[ACTIVITY_WORK] + thread->activities[ACTIVITY_TASK];
}

/* Time in parallel regions in waits for other threads. */
static inline uint64_t analysis_waits(const struct thread *thread)
{
	return thread->activities[ACTIVITY_BARRIER] + thread->activities[ACTIVITY_LOCK] +
	       thread->activities[ACTIVITY_TASK_WAIT];
}

#endif
