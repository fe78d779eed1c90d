/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event log: what libpomp leaves on disk while a program runs, and what the converter turns
 * into an OTF2 archive, at exit or after the program was killed. It is written and read on the same
 * machine type.
 *
 * An experiment folder contains one definitions log and one events log per thread:
 *
 *   definitions.pomplog     struct trace_log_process, then entries (struct trace_log_entry), each
 *                           appended with one write when regions are registered
 *   thread-000001.pomplog   struct trace_log_thread in the first TRACE_LOG_HEADER_BYTES, then
 *                           records
 *
 * The events log is a shared file mapping: its pages belong to the kernel and survive any death of
 * the process. It consists of 8-byte words. A record is a header word followed by the payload words
 * of its kind. The payload is written first and the header last, so a non-zero header guarantees a
 * complete record, and the log ends at the first zero word or at the end of the file. A METRICS
 * record has as many payload words as its argument indicates.
 *
 * Payload words, except those of METRICS, have TRACE_LOG_PAYLOAD in place of a kind, and their
 * value above it: a reader can tell for each word whether it is a header.
 *
 * Header word, from the low bits: kind (6), argument (24), time (34). Time is in clock ticks since
 * the previous record; a TIME record, which carries the absolute time, bridges a longer distance.
 * Before the first record the time is trace_log_thread.start. Times never go back within a thread;
 * a SAMPLE has a time of its own, because the next event may have happened before it was taken.
 *
 * A ring (POMP_TRACE_RING) is an events log that keeps only the latest records: behind the head
 * come segments of trace_log_thread.segment_bytes, each with a struct trace_log_segment at its
 * begin. A thread fills them one after the other, and the oldest one again when there is no more.
 * What is open on the thread when a segment begins stands before its first record, as records that
 * open it again, so that each segment can be read alone. Nothing in a segment refers to an earlier
 * one.
 */
#ifndef SHARED_TRACE_LOG_H
#define SHARED_TRACE_LOG_H

#include <stdint.h>

#define TRACE_LOG_MAGIC        UINT64_C(0x32676f6c706d6f70) /* "pomplog2" on disk */
#define TRACE_LOG_HEADER_BYTES 4096
#define TRACE_LOG_DEFINITIONS  "definitions.pomplog"
#define TRACE_LOG_RANKS        "ranks.pomplog"
#define TRACE_LOG_UNFINISHED   "traces.new" /* a folder: the archive while it is being written */
#define TRACE_LOG_RANK         "rank-%06u"  /* a folder */
#define TRACE_LOG_THREAD       "thread-%06u.pomplog" /* location number, from 0 */
#define TRACE_LOG_THREAD_SCAN  "thread-%u.pomplog%n" /* the same for sscanf */

#define TRACE_LOG_KIND_BITS     6
#define TRACE_LOG_ARGUMENT_BITS 24
#define TRACE_LOG_TIME_BITS     34
#define TRACE_LOG_TIME_SHIFT    (TRACE_LOG_KIND_BITS + TRACE_LOG_ARGUMENT_BITS)
#define TRACE_LOG_ARGUMENT_MAX  ((UINT64_C(1) << TRACE_LOG_ARGUMENT_BITS) - 1)
#define TRACE_LOG_TIME_MAX      ((UINT64_C(1) << TRACE_LOG_TIME_BITS) - 1)
#define TRACE_LOG_RECORD_WORDS  5 /* the longest record except METRICS */
#define TRACE_LOG_METRICS_MAX                                                                      \
	10 /* metrics of a run; as many as OTF2's readers expect of a class                        \
	    */

/* A task's number is (creating thread's location + 1) << TRACE_LOG_TASK_SHIFT | count from 1. */
#define TRACE_LOG_TASK_SHIFT 40

/*
 * KIND(name, payload words, events, meaning). The argument is the region id unless the meaning says
 * otherwise; kind 0 is the end of the log. events: how many events a trace shows for the record,
 * not counting values of metrics; task records count as one outside of a team. New kinds are added
 * at the end, so recorded logs keep their meaning.
 */
#define TRACE_LOG_KINDS(KIND)                                                                         \
	KIND(PAD, 0, 0, "fills the rest of a window; no event")                                       \
	KIND(TIME, 1, 0, "absolute time in ticks; no event")                                          \
	KIND(ENTER, 0, 1, "construct entered")                                                        \
	KIND(LEAVE, 0, 1, "construct left")                                                           \
	KIND(BARRIER_ENTER, 0, 1, "the construct's implicit barrier")                                 \
	KIND(BARRIER_LEAVE, 0, 1, "")                                                                 \
	KIND(BLOCK_ENTER, 0, 1, "the structured block inside single, ordered, sections")              \
	KIND(BLOCK_LEAVE, 0, 1, "")                                                                   \
	KIND(WAIT_ENTER, 0, 1, "the wait at the end of a taskgroup")                                  \
	KIND(WAIT_LEAVE, 0, 1, "")                                                                    \
	KIND(CRITICAL_BEGIN, 1, 2,                                                                    \
	    "lock acquired and block entered; acquisition number of the lock")                        \
	KIND(CRITICAL_END, 0, 2, "block left and lock released")                                      \
	KIND(FORK, 1, 1, "team number")                                                               \
	KIND(JOIN, 1, 1, "team number")                                                               \
	KIND(TEAM_BEGIN, 2, 2, "team number; thread number << 32 | team size; parallel entered")      \
	KIND(TEAM_END, 0, 2, "parallel left")                                                         \
	KIND(TASK_CREATE, 1, 2, "task number; create entered")                                        \
	KIND(TASK_CREATED, 0, 1, "create left")                                                       \
	KIND(TASK_BEGIN, 1, 2, "task number; switched to it and its body entered")                    \
	KIND(TASK_END, 1, 3, "task number; body left and task completed")                             \
	KIND(LOCK_ENTER, 0, 1, "argument: enum trace_log_routine")                                    \
	KIND(LOCK_LEAVE, 0, 1, "argument: enum trace_log_routine")                                    \
	KIND(LOCK_ACQUIRED, 1, 1, "argument: lock number; acquisition number of the lock")            \
	KIND(LOCK_RELEASED, 0, 1, "argument: lock number")                                            \
	KIND(OFF, 0, 1, "the thread stopped measuring (pomp_off)")                                    \
	KIND(ON, 0, 1, "the thread measures again (pomp_on)")                                         \
	KIND(METRICS, 0, 0, "argument: how many; the metrics' values at the record that follows")     \
	KIND(VISIT, 0, 2, "construct entered and left with nothing in between; see below")            \
	KIND(BARRIER_VISIT, 0, 2, "the same of its implicit barrier")                                 \
	KIND(BLOCK_VISIT, 0, 2, "of a block")                                                         \
	KIND(WAIT_VISIT, 0, 2, "of a wait")                                                           \
	KIND(CRITICAL_AGAIN, 0, 2,                                                                    \
	    "CRITICAL_BEGIN, of the acquisition after this thread's last one")                        \
	KIND(LOCK_AGAIN, 0, 1, "LOCK_ACQUIRED, the same")                                             \
	KIND(TASK_CREATE_NEXT, 0, 2, "TASK_CREATE, of the number after this thread's last one")       \
	KIND(TASK_BEGIN_HERE, 0, 2, "TASK_BEGIN of the task whose creation is innermost")             \
	KIND(TASK_END_HERE, 0, 3, "TASK_END of the task that is innermost")                           \
	KIND(PARAMETER, 2, 1, "argument: parameter number, 0: unknown; value: low, high 32 bits")     \
	KIND(MPI_SEND, 2, 1,                                                                          \
	    "message sent; MESSAGE: argument: communicator; peer << 32 | tag; "                       \
	    "bytes")                                                                                  \
	KIND(MPI_RECEIVE, 2, 1, "message received: MESSAGE")                                          \
	KIND(MPI_ISEND, 3, 1, "nonblocking send begun: MESSAGE; request number")                      \
	KIND(MPI_ISEND_DONE, 1, 1, "request number")                                                  \
	KIND(MPI_IRECEIVE_BEGIN, 1, 1, "nonblocking receive begun: request number")                   \
	KIND(MPI_IRECEIVE, 3, 1, "it is done: MESSAGE; request number")                               \
	KIND(MPI_REQUEST_TEST, 1, 1, "request number; not done yet")                                  \
	KIND(MPI_REQUEST_CANCELLED, 1, 1, "request number")                                           \
	KIND(MPI_COLLECTIVE_BEGIN, 0, 1, "")                                                          \
	KIND(MPI_COLLECTIVE_END, 3, 1,                                                                \
	    "argument: communicator; trace_log_collective << 32 | "                                   \
	    "root; bytes sent; bytes received")                                                       \
	KIND(MPI_COLLECTIVE_REQUEST, 1, 1, "nonblocking collective begun: request number")            \
	KIND(MPI_COLLECTIVE_DONE, 4, 1, "COLLECTIVE_END and request number")                          \
	KIND(TASK_SUSPEND, 0, 2, "body of the innermost task left, which goes on with TASK_BEGIN")    \
	KIND(USAGE, 4, 1,                                                                             \
	    "what the kernel counted since the last such record, of the time before: ticks "          \
	    "delayed, blocked, in the kernel; page faults")                                           \
	KIND(SAMPLE, 2, 0,                                                                            \
	    "what the thread executed: trace_log_sample(); ticks: the time, which is not the "        \
	    "log's")                                                                                  \
	KIND(PATH, 2, 0,                                                                              \
	    "argument: number of a node, dense from 1; its address, 0: what is above it is "          \
	    "missing, or TRACE_LOG_PATH_IS_LEAF; trace_log_path(). For programs that are killed")     \
	KIND(BLOCKED, 2, 0,                                                                           \
	    "after USAGE: a system call in which the thread was seen blocked; its number; how often") \
	KIND(COUNTED, 4, 0,                                                                           \
	    "argument: a set of counters (shared/sample-counters.h); what they counted up to the "    \
	    "sample that follows")                                                                    \
	KIND(MARK, 4, 0,                                                                              \
	    "a stretch of the loop that ends: shared/loop-marks.h, the times in ticks; its schedule is the argument")

enum trace_log_kind {
	TRACE_LOG_END,
#define TRACE_LOG_KIND(name, words, events, meaning) TRACE_LOG_##name,
	TRACE_LOG_KINDS(TRACE_LOG_KIND)
#undef TRACE_LOG_KIND
	    TRACE_LOG_KIND_COUNT
};

_Static_assert(TRACE_LOG_KIND_BITS + TRACE_LOG_ARGUMENT_BITS + TRACE_LOG_TIME_BITS == 64,
    "a record is a word");
_Static_assert(TRACE_LOG_KIND_COUNT <= 1 << TRACE_LOG_KIND_BITS, "each kind has a number");

static inline unsigned trace_log_events(enum trace_log_kind kind)
{
	switch (kind) {
#define TRACE_LOG_EVENTS(name, words, events, meaning)                                             \
	case TRACE_LOG_##name:                                                                     \
		return events;
		TRACE_LOG_KINDS(TRACE_LOG_EVENTS)
#undef TRACE_LOG_EVENTS
	case TRACE_LOG_END:
	case TRACE_LOG_KIND_COUNT:
		break;
	}
	return 0;
}

/* The lock routines, in the order of pomp.h. */
#define TRACE_LOG_ROUTINES(ROUTINE)                                                                \
	ROUTINE(init_lock)                                                                         \
	ROUTINE(init_lock_with_hint)                                                               \
	ROUTINE(destroy_lock)                                                                      \
	ROUTINE(set_lock)                                                                          \
	ROUTINE(unset_lock)                                                                        \
	ROUTINE(test_lock)                                                                         \
	ROUTINE(init_nest_lock)                                                                    \
	ROUTINE(init_nest_lock_with_hint)                                                          \
	ROUTINE(destroy_nest_lock)                                                                 \
	ROUTINE(set_nest_lock)                                                                     \
	ROUTINE(unset_nest_lock)                                                                   \
	ROUTINE(test_nest_lock)

enum trace_log_routine {
#define TRACE_LOG_ROUTINE(name) TRACE_LOG_ROUTINE_##name,
	TRACE_LOG_ROUTINES(TRACE_LOG_ROUTINE)
#undef TRACE_LOG_ROUTINE
	    TRACE_LOG_ROUTINE_COUNT
};

/* Collective operations, by OTF2's names. */
#define TRACE_LOG_COLLECTIVES(OPERATION)                                                           \
	OPERATION(BARRIER)                                                                         \
	OPERATION(BCAST)                                                                           \
	OPERATION(GATHER)                                                                          \
	OPERATION(GATHERV)                                                                         \
	OPERATION(SCATTER)                                                                         \
	OPERATION(SCATTERV)                                                                        \
	OPERATION(ALLGATHER)                                                                       \
	OPERATION(ALLGATHERV)                                                                      \
	OPERATION(ALLTOALL)                                                                        \
	OPERATION(ALLTOALLV)                                                                       \
	OPERATION(ALLTOALLW)                                                                       \
	OPERATION(ALLREDUCE)                                                                       \
	OPERATION(REDUCE)                                                                          \
	OPERATION(REDUCE_SCATTER)                                                                  \
	OPERATION(REDUCE_SCATTER_BLOCK)                                                            \
	OPERATION(SCAN)                                                                            \
	OPERATION(EXSCAN)

enum trace_log_collective {
#define TRACE_LOG_COLLECTIVE(name) TRACE_LOG_COLLECTIVE_##name,
	TRACE_LOG_COLLECTIVES(TRACE_LOG_COLLECTIVE)
#undef TRACE_LOG_COLLECTIVE
	    TRACE_LOG_COLLECTIVE_COUNT
};

#define TRACE_LOG_NO_ROOT UINT32_MAX

/* The same moment on three clocks: ticks of the log, CLOCK_MONOTONIC and CLOCK_REALTIME. */
struct trace_log_moment {
	uint64_t ticks;
	uint64_t monotonic; /* nanoseconds */
	uint64_t realtime;  /* nanoseconds since 1970 */
};

/*
 * The head of the definitions log. `end` is all zero while the program runs, and forever if it was
 * killed.
 */
struct trace_log_process {
	uint64_t magic;
	uint64_t pid;
	struct trace_log_moment start, end;
	uint64_t
	    tick_is_nanosecond; /* the clock was CLOCK_MONOTONIC itself: nothing to calibrate */
	uint64_t boot; /* which boot of the machine: ticks compare within one boot; 0: unknown */
	/*
	 * Ticks at which the first log stopped because it had no room. From then on events of some
	 * threads are missing, and what other threads do cannot be understood without them. 0: no
	 * log stopped.
	 */
	uint64_t cut;
};

/* An entry of the definitions log: this head, then `bytes` bytes, padded to a multiple of 8. */
struct trace_log_entry {
	uint32_t type; /* enum trace_log_entry_type */
	uint32_t bytes;
};

enum trace_log_entry_type {
	TRACE_LOG_REGION =
	    1,             /* struct trace_log_region, then name, sub_name, file, each NUL-ended */
	TRACE_LOG_PROGRAM, /* the arguments, each NUL-ended */
	TRACE_LOG_METRIC,  /* struct trace_log_metric, then name, unit, meaning, each NUL-ended */
	TRACE_LOG_DROPPED, /* a metric that is not measured: name and reason, each NUL-ended */
	TRACE_LOG_TEXT,    /* struct trace_log_text_head, then the text, NUL-ended */
	TRACE_LOG_COMM,    /* struct trace_log_comm, then member_count world ranks (uint32_t) */
	TRACE_LOG_COMM_NAME, /* struct trace_log_comm_name, then the name, NUL-ended */
	TRACE_LOG_SYNC,      /* struct trace_log_sync */
	TRACE_LOG_HOST,      /* the machine's name, NUL-ended */
	TRACE_LOG_CODE, /* struct trace_log_code, then module, build id, function, each NUL-ended */
	TRACE_LOG_LOCK, /* struct trace_log_lock, then its name, NUL-ended */
	TRACE_LOG_LOCK_PLACE, /* struct trace_log_lock_place, then module and build id of the
				 variable, and of the call that initialized it, each NUL-ended */
	TRACE_LOG_PROCESSOR,  /* struct trace_log_processor, when the process ends */
	TRACE_LOG_ADDRESS,    /* struct trace_log_address, then function and file, each NUL-ended */
	TRACE_LOG_PATHS,  /* struct trace_log_paths, then its nodes (struct trace_log_path_node) */
	TRACE_LOG_CALL,   /* struct trace_log_call, then the system call's name, and function and
			     file of each frame, innermost first, each NUL-ended */
	TRACE_LOG_MODULE, /* struct trace_log_module, then path and build id, each NUL-ended */
	TRACE_LOG_CALLER, /* struct trace_log_caller, then function and file of both lines, each
			     NUL-ended */
};

/*
 * A line of Python from which a parallel region was called, when the process ends: the innermost
 * one that is in no installed library, and the innermost of all, which may be the same.
 */
struct trace_log_caller {
	uint64_t region;      /* id */
	uint64_t calls, time; /* teams that were forked from there, and their ns */
	uint32_t line, inner_line;
};

/* A file with code that was loaded when the log was made, to name addresses of a killed program. */
struct trace_log_module {
	uint64_t first, end; /* addresses of its code */
	uint64_t bias;       /* load bias: the loader added it to the file's addresses */
};

/* What the kernel counted of the whole process while measuring was on. */
struct trace_log_processor {
	uint64_t processors; /* that it could use */
	uint64_t ran;        /* ns of processor time, all threads ... */
	uint64_t system;     /* ... and the part in the kernel */
	uint64_t faults;     /* page faults */
	uint64_t fault_cost; /* ns that one takes, at least; UINT64_MAX: not measured */
	/* As in struct summary. */
	uint64_t quota, throttled, stolen, idle, online, bound;
	uint64_t sample_period; /* microseconds of processor time for which a sample stands */
};

/* How often a thread is seen in one call in an interval, at most: that takes half an hour. */
#define TRACE_LOG_BLOCKED_MAX (1 << 16)

/* A system call that blocked threads, with its path, when the process ends. */
enum { TRACE_LOG_CALL_DEPTH = 24 };
struct trace_log_call {
	uint32_t number;   /* as in BLOCKED: dense from 1 */
	uint32_t depth;    /* how many frames */
	uint32_t place;    /* which frame is the program's own call */
	uint32_t wrappers; /* a bit for each frame: TRACE_LOG_IS_WRAPPER */
	uint32_t line[TRACE_LOG_CALL_DEPTH];
};

/*
 * The call paths of samples, when the process ends. A tree belongs to the threads that used one
 * block, one after the other; trees are numbered from 1. Its first node has no meaning, and a node
 * comes after its parent.
 */
struct trace_log_paths {
	uint32_t tree, count; /* its number, and how many nodes follow */
};
struct trace_log_path_node {
	uint64_t
	    word; /* an address or construct, or with a bit of TRACE_LOG_PATH_* something else */
	uint32_t parent; /* node of its caller; 0: none */
	uint32_t samples;
};
#define TRACE_LOG_PATH_LEAF   (UINT64_C(1) << 63)
#define TRACE_LOG_PATH_JOINED (UINT64_C(1) << 61) /* it continues at a node of another tree */
#define TRACE_LOG_PATH_PYTHON                                                                      \
	(UINT64_C(1) << 57) /* a function of Python; its line: the low half                        \
			     */

static inline uint32_t trace_log_joined_tree(uint64_t word)
{
	return word >> 24 & 0xffffffff;
}
static inline uint32_t trace_log_joined_node(uint64_t word)
{
	return word & 0xffffff;
}

/*
 * A sample's payload: the innermost address's node in its tree, for how many samples it stands, and
 * whether it interrupted a page fault.
 */
#define TRACE_LOG_SAMPLES_MAX 511
static inline uint64_t trace_log_sample(
    uint32_t tree, uint32_t node, uint32_t samples, int in_fault)
{
	uint32_t most = samples < TRACE_LOG_SAMPLES_MAX ? samples : TRACE_LOG_SAMPLES_MAX;

	return node | (uint64_t)(tree & 0xffffff) << 24 | (uint64_t)most << 48 |
	       (uint64_t)(in_fault != 0) << 57;
}
static inline uint32_t trace_log_sample_node(uint64_t sample)
{
	return sample & 0xffffff;
}
static inline uint32_t trace_log_sample_tree(uint64_t sample)
{
	return sample >> 24 & 0xffffff;
}
static inline uint32_t trace_log_sample_count(uint64_t sample)
{
	return (uint32_t)(sample >> 48) & TRACE_LOG_SAMPLES_MAX;
}
static inline int trace_log_sample_faults(uint64_t sample)
{
	return (sample >> 57 & 1) != 0;
}

/* The second payload of a PATH: its tree, and the node of its caller. */
#define TRACE_LOG_PATH_IS_LEAF (UINT64_MAX >> TRACE_LOG_KIND_BITS)
static inline uint64_t trace_log_path(uint32_t tree, uint32_t parent)
{
	return parent | (uint64_t)(tree & 0xffffff) << 24;
}
static inline uint32_t trace_log_path_parent(uint64_t path)
{
	return path & 0xffffff;
}
static inline uint32_t trace_log_path_tree(uint64_t path)
{
	return path >> 24 & 0xffffff;
}

/* The name of an address: as the one that was interrupted, or as a return address. */
struct trace_log_address {
	uint64_t key; /* trace_log_address_key() */
	uint32_t line;
	uint32_t is; /* enum trace_log_address_is */
};

enum trace_log_address_is {
	TRACE_LOG_IS_RUNTIME = 1,   /* OpenMP's or the measurement's code, or it passes a call on */
	TRACE_LOG_IS_START = 2,     /* it calls main() or a thread's function */
	TRACE_LOG_IS_CONSTRUCT = 4, /* "parallel for at solver.c:12" */
	TRACE_LOG_IS_WRAPPER = 16,  /* a short function of a header */
	TRACE_LOG_IS_AROUND = 8,    /* the entry before was inlined into it, and has its key */
};

static inline uint64_t trace_log_address_key(uint64_t address, int is_return)
{
	return address * 2 + (is_return != 0);
}

/*
 * Texts that events refer to: names of parameters, by the type of their values, and string values.
 */
enum trace_log_text {
	TRACE_LOG_TEXT_INT64,
	TRACE_LOG_TEXT_UINT64,
	TRACE_LOG_TEXT_STRING, /* the value is the number of a text */
	TRACE_LOG_TEXT_VALUE,
};

struct trace_log_text_head {
	uint32_t type;   /* enum trace_log_text */
	uint32_t number; /* dense from 1; parameters and values are numbered separately */
};

/*
 * A communicator of MPI that this rank is a member of. Its number is this rank's own, dense from 0;
 * its identity is the same at all members and unique among communicators. Only the member of rank 0
 * lists the members. An intercommunicator contains both groups. The group with the least world rank
 * comes first, and its rank 0 writes the list; peers in records are indices in that list.
 */
struct trace_log_comm {
	uint64_t identity, parent; /* parent: identity, 0: unknown */
	uint32_t number, size;
	uint32_t member_count; /* size or 0 */
	uint32_t is_self;      /* 1: MPI_COMM_SELF, whose group is separate at each rank */
};

#define TRACE_LOG_COMM_WORLD UINT64_C(1) /* identities */
#define TRACE_LOG_COMM_SELF  UINT64_C(2)

struct trace_log_comm_name {
	uint64_t identity;
};

/* What this rank's clock showed when rank 0's clock showed `reference`; each in its own ticks. */
struct trace_log_sync {
	uint64_t local, reference;
	uint64_t error; /* ticks: the reference differs from the truth by at most this */
};

/*
 * The content of TRACE_LOG_RANKS, in the folder that the ranks of one program share. Each rank has
 * its logs in its own folder there, TRACE_LOG_RANK.
 */
struct trace_log_ranks {
	uint64_t magic;
	uint64_t size;  /* ranks */
	uint64_t token; /* drawn for this run: a rank that reads it sees the same folder */
};

/*
 * Metrics are numbered in the order of their entries, which is the order of a METRICS record's
 * words.
 */
struct trace_log_metric {
	uint64_t everywhere; /* 1: at each enter and leave, 0: at those of parallel regions */
};

struct trace_log_region {
	uint64_t id; /* dense from 1 */
	int32_t begin_first, begin_last, end_first, end_last;
	int32_t section_count;
	uint32_t lock; /* critical: lock number, else 0 */
};

/* A lock variable that was acquired, written when the program ends. */
struct trace_log_lock {
	uint64_t number; /* as in LOCK_ACQUIRED */
};

/*
 * What is needed to name a lock variable, in case the program is killed before it ends. It is
 * written when a thread first asks for the lock, and again when it has changed; the latest entry
 * holds. Offsets are addresses minus the module's load bias. A module is "" if it is unknown; the
 * module of the call is also "" if several calls initialized the lock.
 */
struct trace_log_lock_place {
	uint64_t number;  /* as in LOCK_ACQUIRED */
	uint64_t address; /* of the variable, in the process */
	uint64_t offset;  /* of the variable, in its module */
	uint64_t init;    /* return address of the call that initialized it, in its module */
};

/*
 * Follows the entry of a region that is identified by the address of its code
 * (shared/code-names.h). Its function is "" and its lines are 0 until names are found; then both
 * entries are written again, and the later ones hold.
 */
struct trace_log_code {
	uint64_t id; /* of the region */
	uint64_t offset;
	uint64_t caller;
	uint64_t lock_offset;
	uint32_t at;     /* enum code_at */
	uint16_t named;  /* 1: names were looked for */
	uint16_t is_gnu; /* 1: as in struct code_place */
};

/* The head of an events log. The owner thread renews `latest` now and then while it runs. */
struct trace_log_thread {
	uint64_t magic;
	uint64_t location; /* dense from 0 in the order of the threads' first events */
	uint64_t start;    /* ticks */
	struct trace_log_moment latest;
	uint64_t lost_events;   /* events that could no longer be logged */
	uint64_t segment_bytes; /* of a ring; 0: this log is none */
};

/*
 * The begin of a ring's segment. A reader in another process takes a copy while the owner writes:
 *
 *   number  the owner stores 0 before it changes anything of an older content, and the new number
 *           (release) when `start` and the state are complete; every other word it stores with a
 *           release, too. A reader that finds the same number, not 0, before (acquire) and after it
 *           copies the words (acquire, ascending) has words of one content: had it read a word of
 *           the next one, it would see the 0 or a later number behind it.
 */
struct trace_log_segment {
	uint64_t number; /* from 1, in the order in which they were begun; 0: not complete */
	uint64_t start;  /* ticks: as trace_log_thread.start */
	uint64_t state;  /* words at the begin of the records that open again what was open */
};

enum {
	TRACE_LOG_SEGMENT_WORDS = sizeof(struct trace_log_segment) / sizeof(uint64_t),
	TRACE_LOG_SEGMENT_LEAST = 64 << 10 /* bytes of a segment */
};

/*
 * A VISIT record replaces an enter and its leave. From the low bits: kind (6), region id (14),
 * ticks from enter to leave (20), ticks from the previous record to the enter (24). Visits that do
 * not fit remain two records.
 */
#define TRACE_LOG_VISIT_ARGUMENT_BITS 14
#define TRACE_LOG_VISIT_DURATION_BITS 20
#define TRACE_LOG_VISIT_TIME_BITS     24
_Static_assert(TRACE_LOG_KIND_BITS + TRACE_LOG_VISIT_ARGUMENT_BITS + TRACE_LOG_VISIT_DURATION_BITS +
		       TRACE_LOG_VISIT_TIME_BITS ==
		   64,
    "a visit is a word");

/*
 * Returns the VISIT record for a leave of that kind. The kinds of VISIT are in the order of the
 * pairs.
 */
static inline uint64_t trace_log_visit(
    enum trace_log_kind leave, uint64_t id, uint64_t duration, uint64_t distance)
{
	uint64_t kind = TRACE_LOG_VISIT + (leave - TRACE_LOG_LEAVE) / 2;

	return kind | id << TRACE_LOG_KIND_BITS |
	       duration << (TRACE_LOG_KIND_BITS + TRACE_LOG_VISIT_ARGUMENT_BITS) |
	       distance << (64 - TRACE_LOG_VISIT_TIME_BITS);
}

#define TRACE_LOG_PAYLOAD 63

static inline uint64_t trace_log_payload(uint64_t value)
{
	return value << TRACE_LOG_KIND_BITS | TRACE_LOG_PAYLOAD;
}

static inline unsigned trace_log_kind_of(uint64_t word)
{
	return (unsigned)(word & ((1u << TRACE_LOG_KIND_BITS) - 1));
}

static inline uint32_t trace_log_argument_of(uint64_t word)
{
	return (uint32_t)((word >> TRACE_LOG_KIND_BITS) & TRACE_LOG_ARGUMENT_MAX);
}

static inline uint64_t trace_log_time_of(uint64_t word)
{
	return word >> TRACE_LOG_TIME_SHIFT;
}

#endif
