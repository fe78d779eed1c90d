/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between `ompinst sharing run` and the library behind the access calls of programs
 * that `ompinst sharing COMPILER` has built (ompinst-sharing.so).
 *
 * The variable SHARING_VARIABLE has words of the form KEY=VALUE, separated by commas. Without it
 * the library notes nothing.
 *
 *   log=FOLDER    each process makes FOLDER/PID when it begins, and writes what it has found to it
 *                 when it ends (no comma in FOLDER's path)
 *   apart=OFFSET  heap blocks that the call before this address of its file allocates get cache
 *                 lines of their own; hexadecimal. May be repeated
 *   first-touch=1 note who touches pages first, also where memory has one node
 *   quiet=1       note nothing: only blocks are set apart, and times taken
 *
 * A log is text with one fact per line; tabs separate the words of a line. Numbers are decimal,
 * addresses and masks hexadecimal:
 *
 *   ompinst-sharing 1   first line: the version of the format
 *   program PATH        the executable
 *   run WALL PROCESSOR CALLS CALL TICKS THREADS LINES REFUSED RECORDED
 *                       nanoseconds of time and of processor time since the begin; how many
 *                       accesses there were, picoseconds that noting one takes, ticks per
 *                       microsecond, threads, lines with records, lines left out for want of
 * memory, picoseconds that noting an access to a line with a record takes line ADDRESS FALSE TRUE
 * EPOCHS ACCESSES TICKS TIMED CALLS BYTES KIND START SIZE OFFSET MODULE a cache line that several
 * threads used between two barriers of a team, at least one of them writing. FALSE, TRUE: how often
 * it can have changed its thread because of different bytes and of the same ones; EPOCHS: how many
 *                       such intervals there were; ACCESSES: those in these intervals; TICKS:
 *                       what passed on threads while they made TIMED of these accesses, and CALLS
 *                       accesses in all; BYTES: mask of those that several threads used. KIND,
 *                       START, SIZE: the object: global, heap, stack or unknown; OFFSET and MODULE
 *                       for a global, else 0 and -
 *   near ADDRESS SECOND DISTANCE LINES LINES KIND START SIZE OFFSET MODULE
 *                       instead: two lines, at ADDRESS and SECOND bytes behind it, that one
 *                       thread each used often in one epoch, at least one of them writing, with
 *                       DISTANCE bytes from what one uses to what the other does; LINES: how many
 *                       in a row the first thread uses up to the first line, and the second one
 *                       from the second on; two shares follow, of which the second is of the
 *                       second line
 *   frame OFFSET MODULE after it: where heap memory was allocated, innermost first
 *   share THREAD MEMBER READS WRITES ATOMICS SELDOM READ WRITTEN
 *                       a thread's part of the line: its number in the process, and in its team
 *                       (-1: none), its accesses, how many of the writes are atomic, how many
 *                       of the reads are of words that it seldom writes, and masks of the bytes
 *   site READS WRITES OFFSET MODULE
 *                       after it: the instruction behind an access of that thread, and estimates of
 *                       how often it read and wrote
 *   array BLOCKS BYTES NODES PLACED REMOTE KIND START SIZE OFFSET MODULE
 *                       instead: a variable, or what one place has allocated, of which several
 *                       pages were touched: how many blocks, bytes of all at one time, memory nodes
 *                       of the machine, and of how many accesses the page's node is known, and is
 *                       not that of the thread. Frames follow, shares, and in these:
 *   pages KIND COUNT WRITES OFFSET MODULE
 *                       the instruction behind an access; KIND serial: COUNT pages that it touched
 *                       first, outside of regions; team: the same, in one; own: accesses to pages
 *                       that its thread has touched first, in another epoch; others: that another
 *                       has; own-shared, others-shared: the same, to lines that another thread uses
 *                       in the epoch, or has used before. WRITES: is it 1, a write
 *   caller OFFSET MODULE
 *                       after it: a call around the instruction, innermost first
 *   end                 of the line
 *   moved ADDRESS USES MOVED EPOCHS FLAGS MEMBERS KIND START SIZE OFFSET MODULE
 *                       instead of a line: how often a thread was the first to use a line of this
 *                       memory after a barrier, how often another thread had it before, and in
 *                       how many intervals that was; FLAGS as below, MEMBERS as bits. Its `place`s
 *                       follow, and an end
 *   place ROLE OFFSET MODULE
 *                       0, 1: the instruction now and before; 2, 3: the call that has begun the
 *                       region in which it is
 *   tasks COMPLETED STOLEN OFFSET MODULE
 *                       tasks that were created there, and those that another thread executed
 *   refused             in place of all after the program: the address space for notes could not be
 *                       had
 *   done                last line: nothing is missing
 */
#ifndef SHARING_FORMAT_H
#define SHARING_FORMAT_H

#define SHARING_VARIABLE "OMPINST_SHARING"
#define SHARING_VERSION  "ompinst-sharing 1"
#define SHARING_LIBRARY  "ompinst-sharing.so"
#define SHARING_CALLS    "sharing-calls.a" /* linked into each program: what calls the library */

#define SHARING_LOG   "log"
#define SHARING_APART "apart"
#define SHARING_FIRST "first-touch"
#define SHARING_QUIET "quiet"

#define SHARING_PROGRAM "program"
#define SHARING_RUN     "run"
#define SHARING_LINE    "line"
#define SHARING_NEAR    "near"
#define SHARING_FRAME   "frame"
#define SHARING_ARRAY   "array"
#define SHARING_PAGES   "pages"
#define SHARING_CALLER  "caller"
#define SHARING_SHARE   "share"
#define SHARING_SITE    "site"
#define SHARING_END     "end"
#define SHARING_MOVE    "moved"
#define SHARING_PLACE   "place"
#define SHARING_TASKS   "tasks"
#define SHARING_REFUSED "refused"
#define SHARING_DONE    "done"

#define SHARING_GLOBAL  "global"
#define SHARING_HEAP    "heap"
#define SHARING_STACK   "stack"
#define SHARING_UNKNOWN "unknown"

/* FLAGS: in what the thread is now, and the other one was before. */
enum {
	SHARING_FROM_SERIAL = 1, /* in no team of several threads */
	SHARING_FROM_TASK = 2,   /* in an explicit task */
	SHARING_TO_SERIAL = 4,
	SHARING_TO_TASK = 8,
	SHARING_TO_STOLEN = 16,  /* in a task that another thread has created */
	SHARING_TAKEN_BACK = 32, /* MOVED are lines that were shared in their interval after all */
	SHARING_BY_WRITE = 64,   /* the first use in the interval is a write */
	SHARING_FROM_CHUNKS = 128, /* in a loop with a dynamic or guided schedule */
	SHARING_TO_CHUNKS = 256,
};

/* The bytes of a cache line, and of a word of which accesses are counted. */
enum { SHARING_LINE_BYTES = 64, SHARING_WORD_BYTES = 4 };

#endif
