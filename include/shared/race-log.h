/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `ompinst race run`, the library that it preloads into the program (ompinst-race.so) and
 * the OpenMP runtime know of each other.
 *
 * `ompinst race run` starts the program several times. Each time it sets one variable,
 * RACE_VARIABLE, to words of the form KEY=VALUE with commas between them:
 *
 *	seed=N      which order is forced on threads and tasks where OpenMP leaves it open;
 *	            0: none, the order that comes by itself
 *	strands=1   a task is a strand of execution of its own, whichever thread executes it:
 *	            only the task graph orders it with others. 0: the program order of the
 *	            thread that executes it does, too
 *	log=FOLDER  each process that has something to report writes it to FOLDER/PID (no
 *	            comma in FOLDER's path)
 *
 * A log is text, one fact a line, the words of a line separated by tabs:
 *
 *	ompinst-race 1        first line: the format's version
 *	program PATH          the executable
 *	race                  begins a report; RACE_END ends it
 *	access WHAT KIND SIZE ADDRESS THREAD STRAND
 *	                      exactly two, the later one first. WHAT: read or write; KIND: plain
 *	                      or atomic; SIZE: bytes; ADDRESS: hexadecimal; THREAD: the number
 *	                      of the OS thread within the process, as the runtime counts them;
 *	                      threads that it does not know have numbers from
 *	                      RACE_OTHER_THREADS on; STRAND: thread, task or team: what the
 *	                      code was executed as
 *	frame OFFSET MODULE   the call stack of the access, innermost first; OFFSET:
 *	                      hexadecimal, in the file MODULE, of the instruction that follows.
 *	                      None: it was forgotten
 *	place KIND START SIZE OFFSET MODULE
 *	                      the object: global, heap, stack, tls or unknown; OFFSET and MODULE
 *	                      for a global, else 0 and -; with a START of 0, the OFFSET of a
 *	                      global is that of the later access
 *	frame OFFSET MODULE   behind it: where heap memory was allocated
 *	end
 *
 * Other lines (from later versions) are to be left out by a reader. A report at the end of the file
 * without its last line is of a process that was killed meanwhile.
 */
#ifndef SHARED_RACE_LOG_H
#define SHARED_RACE_LOG_H

#include <stddef.h>
#include <string.h>

#define RACE_VARIABLE "OMPINST_RACE"
#define RACE_VERSION  "ompinst-race 1"

#define RACE_SEED    "seed"
#define RACE_STRANDS "strands"
#define RACE_LOG     "log"

#define RACE_PROGRAM "program"
#define RACE_REPORT  "race"
#define RACE_ACCESS  "access"
#define RACE_FRAME   "frame"
#define RACE_PLACE   "place"
#define RACE_END     "end"

#define RACE_STRAND_THREAD "thread"
#define RACE_STRAND_TASK   "task"
#define RACE_STRAND_TEAM   "team"

/* What ThreadSanitizer calls a thread of the runtime or a strand: thread's number, strand. */
#define RACE_STRAND_NAME "omp %u %s"

#define RACE_OTHER_THREADS 1000000

/* The value of KEY= among the words, which ends with them or a comma; NULL: there is none. */
static inline const char *race_find_word(const char *words, const char *key)
{
	size_t length = strlen(key);

	for (const char *word = words; word != NULL; word = strchr(word, ',')) {
		word += *word == ',';
		if (strncmp(word, key, length) == 0 && word[length] == '=')
			return word + length + 1;
	}
	return NULL;
}

#endif
