/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between `ompinst race run`, the library that it preloads into the program
 * (ompinst-race.so), and the OpenMP runtime.
 *
 * `ompinst race run` starts the program several times. Each time it sets the variable RACE_VARIABLE
 * to words of the form KEY=VALUE, separated by commas:
 *
 *   seed=N      the order that is forced on threads and tasks if OpenMP leaves it open; 0: none,
 *               the natural order
 *   strands=1   a task is a strand of execution of its own, whichever thread executes it: only the
 *               task graph orders it with others. 0: the program order of the executing thread
 *               does, too
 *   chunk=N     the chunk of loops that may be divided otherwise (loop-schedule.h). 0: none, so
 *               that each thread has one part
 *   log=FOLDER  each process that has something to report writes it to FOLDER/PID (no comma in
 *               FOLDER's path)
 *
 * A log is text with one fact per line; tabs separate the words of a line:
 *
 *   ompinst-race 1        first line: the version of the format
 *   program PATH          the executable
 *   race                  begins a report; RACE_END ends it
 *   access WHAT KIND SIZE ADDRESS THREAD STRAND
 *                         exactly two, the later one first. WHAT: read or write; KIND: plain or
 *                         atomic; SIZE: bytes; ADDRESS: hexadecimal; THREAD: the runtime's number
 *                         of the native thread within the process; threads unknown to the runtime
 *                         have numbers from RACE_OTHER_THREADS on; STRAND: thread, task or team:
 *                         what executed the code
 *   frame OFFSET MODULE   the call stack of the access, innermost first; OFFSET: hexadecimal, in
 *                         the file MODULE, of the following instruction. No frames: the stack was
 *                         forgotten
 *   place KIND START SIZE OFFSET MODULE
 *                         the object: global, heap, stack, tls or unknown; OFFSET and MODULE for a
 *                         global, else 0 and -; if START is 0, the OFFSET of a global is that of
 *                         the later access
 *   frame OFFSET MODULE   after it: where heap memory was allocated
 *   end
 *
 * A reader must skip other lines (from later versions). If the last line of the last report is
 * missing, the process was killed meanwhile.
 */
#ifndef SHARED_RACE_LOG_H
#define SHARED_RACE_LOG_H

#include <stddef.h>
#include <string.h>

#define RACE_VARIABLE "OMPINST_RACE"
#define RACE_VERSION  "ompinst-race 1"

#define RACE_SEED    "seed"
#define RACE_STRANDS "strands"
#define RACE_CHUNK   "chunk"
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

/*
 * The name that ThreadSanitizer gets for a thread of the runtime or a strand: thread number,
 * strand.
 */
#define RACE_STRAND_NAME "omp %u %s"

#define RACE_OTHER_THREADS 1000000

/*
 * Returns the value of KEY= among the words; it ends at a comma or at the end. NULL: there is none.
 */
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
