/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Debug output about what ompinst's own programs and libraries do, for their developers:
 *
 *   OMPINST_DEBUG=team,steal ./program     these subjects
 *   OMPINST_DEBUG=runtime ./program        all subjects of a room; `all`: of every room
 *   OMPINST_DEBUG=help ./program           the list
 *
 * Each line goes to stderr in one write(): "[runtime 4711.4713 +0.001234] steal: ...", with the
 * process, the thread and the seconds since the library was loaded. A subject in a hot path is
 * compiled only into a build with -Ddebug_log=true; in other builds not even its arguments are
 * evaluated. The other subjects cost a test of one word, next to something expensive.
 *
 * Every room links its own copy, which contains the room's name: debug_logs['runtime'] in meson.
 */
#ifndef SHARED_DEBUG_LOG_H
#define SHARED_DEBUG_LOG_H

/* subject, room, HOT or COLD, what it prints; a new subject is a new row. At most 32 in all. */
#define DEBUG_LOG_SUBJECTS(SUBJECT)                                                                \
	SUBJECT(setting, runtime, COLD, "settings that were read and what they became")            \
	SUBJECT(place, runtime, COLD, "processors found, places, which thread is bound where")     \
	SUBJECT(thread, runtime, COLD, "threads that start, are kept and end")                     \
	SUBJECT(team, runtime, HOT, "teams: how many threads were asked for, given, and why")      \
	SUBJECT(wait, runtime, HOT, "waits: how long a thread spins, when it sleeps and wakes")    \
	SUBJECT(steal, runtime, HOT, "tasks: from which thread one is stolen, who finds none")     \
	SUBJECT(task, runtime, HOT, "tasks that are deferred or run at once, and why")             \
	SUBJECT(experiment, pomp, COLD, "the experiment's folder and the files in it")             \
	SUBJECT(log, pomp, COLD, "event logs: opened, extended, stopped, closed")                  \
	SUBJECT(clock, pomp, COLD, "the clock that was chosen and how it was calibrated")          \
	SUBJECT(region, pomp, COLD, "regions that are registered or left out by the filter")       \
	SUBJECT(convert, pomp, COLD, "steps of the conversion to an OTF2 archive")                 \
	SUBJECT(rank, pomp, COLD, "what the ranks of MPI agree on")                                \
	SUBJECT(event, pomp, HOT, "events as they are recorded")                                   \
	SUBJECT(run, wrapper, COLD, "commands that are run, their status and time")                \
	SUBJECT(decide, wrapper, COLD, "why a command is instrumented or passed through")          \
	SUBJECT(file, wrapper, COLD, "files that are read, written and removed")

/* Whether this build has the hot subjects. */
#ifdef DEBUG_LOG_EVERYTHING
enum { DEBUG_LOG_HAS_HOT = 1, DEBUG_LOG_HAS_COLD = 1 };
#else
enum { DEBUG_LOG_HAS_HOT = 0, DEBUG_LOG_HAS_COLD = 1 };
#endif

#define DEBUG_LOG_NUMBER(subject, room, path, purpose) DEBUG_LOG_##subject,
enum debug_log_subject { DEBUG_LOG_SUBJECTS(DEBUG_LOG_NUMBER) DEBUG_LOG_COUNT };
#undef DEBUG_LOG_NUMBER

#define DEBUG_LOG_HAS(subject, room, path, purpose) DEBUG_LOG_HAS_##subject = DEBUG_LOG_HAS_##path,
enum { DEBUG_LOG_SUBJECTS(DEBUG_LOG_HAS) };
#undef DEBUG_LOG_HAS

/*
 * One bit for each subject that is printed. The library's constructor writes it before any other
 * code of the library runs; afterwards it is only read.
 */
extern unsigned debug_log_subjects;

/*
 * Prints one line of at most 500 characters; errno is preserved. It may be called from any thread,
 * and in a signal handler as far as the C library's vsnprintf() allows.
 */
__attribute__((format(printf, 2, 3))) void debug_log_write(
    enum debug_log_subject subject, const char *format, ...);

/* Whether lines of the subject are printed; for lines that are expensive to compose. */
#define DEBUG_LOG_ON(subject)                                                                      \
	(DEBUG_LOG_HAS_##subject && (debug_log_subjects & 1U << DEBUG_LOG_##subject) != 0)

/* DEBUG_LOG(steal, "thread %u takes a task of thread %u", own, victim); */
#define DEBUG_LOG(subject, ...)                                                                    \
	do {                                                                                       \
		if (DEBUG_LOG_ON(subject))                                                         \
			debug_log_write(DEBUG_LOG_##subject, __VA_ARGS__);                         \
	} while (0)

#endif
