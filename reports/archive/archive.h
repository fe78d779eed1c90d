/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OTF2 archive as the reports see it: definitions in memory, events as one stream ordered by
 * time. This code knows OTF2, but not how the reports use it.
 *
 * It also reads archives of other tools: it counts and skips unknown records, gives "?" names to
 * references without definition, and reads a damaged archive as far as possible, with a warning.
 */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/summary.h"
#include "shared/hash-map.h"

#define ARCHIVE_NO_INDEX UINT32_MAX

struct archive_region {
	const char *name;  /* as in the archive: "!$omp for @file.c:6" */
	const char *file;  /* "" when unknown */
	uint32_t file_ref; /* equal for the same file */
	uint32_t begin_line, end_line;
	/*
	 * For a region known by the address of its code; `code` tells whether and how it is known.
	 */
	enum summary_code code;
	const char *function; /* "" when unknown */
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
};

struct archive_location {
	OTF2_LocationRef ref;
	const char *name;
	const char *label; /* "RANK:name" if there are several processes, or else the name */
	uint32_t group;    /* index of the location group, or ARCHIVE_NO_INDEX */
	OTF2_LocationType type;
	uint64_t events_announced, events_read, events_skipped; /* skipped: of unused kinds */
	uint64_t switches;      /* among those skipped: of the measurement */
	uint64_t other_metrics; /* among those read: metrics that are not about a thread */
	bool truncated;
	bool has_local_definitions; /* known once the events are read */
};

struct archive_group { /* a location group: usually a process */
	const char *name;
	const char *host; /* a node of the system tree, on which it runs; "" when unknown */
	OTF2_LocationGroupType type;
};

struct archive_comm {
	const char *name;
	uint32_t size;    /* members; 0 when the definition has no list of them */
	uint32_t members; /* index of the member list, or ARCHIVE_NO_INDEX */
	bool has_parent;
	bool is_inter; /* an MPI inter-communicator, between two groups */
};

/*
 * A group of the archive. It holds the members of comms, as places in the list of all threads or
 * all ranks, or as locations.
 */
struct archive_list {
	uint64_t *members;
	uint32_t count;
	OTF2_GroupType type;
	OTF2_Paradigm paradigm;
	bool has_locations;
};

/* Kinds of definitions that every OpenMP trace has; each is a bit of archive.defined. */
enum archive_definition {
	DEFINED_CLOCK,
	DEFINED_PARADIGM, /* OpenMP, of the class fork-join */
	DEFINED_MACHINE,  /* the system tree's domains */
	DEFINED_SHARED_MEMORY,
	DEFINED_PROCESS,   /* a location group of that type */
	DEFINED_LOCATIONS, /* the group of OpenMP's locations */
	DEFINED_KINDS
};

struct archive_metric {
	const char *name, *unit;
	uint64_t scale;   /* factor from a value to the unit; 0 if it is not a whole number */
	bool accumulates; /* its values only grow, so that differences are meaningful */
	bool is_double;   /* a value has the bits of a double */
};

/* A double as a whole number that can be added up; 0 if it is negative or too large. */
static inline uint64_t archive_whole_value(double value)
{
	return value > 0 && value < 1e19 ? (uint64_t)value : 0;
}

/* The value of an event as a number that can be added up. */
static inline uint64_t archive_metric_value(const struct archive_metric *metric, uint64_t bits)
{
	union {
		uint64_t bits;
		double number;
	} value = {bits};

	return metric->is_double ? archive_whole_value(value.number) : bits;
}

/* A place in the code, and the context that called it: of samples. */
struct archive_context {
	uint32_t region;  /* its function's, or ARCHIVE_NO_INDEX */
	const char *file; /* "": unknown */
	uint32_t line;    /* 0: unknown */
	uint32_t parent;  /* an earlier context, or ARCHIVE_NO_INDEX */
};

/* The subject of a metric class's values. */
enum archive_scope {
	SCOPE_RECORDER, /* the location that records the values */
	SCOPE_LOCATION, /* another location */
	SCOPE_WIDER     /* a process, a node or a group rather than one thread */
};

/*
 * The metrics whose values one event holds, in their order. It is a metric class or an instance of
 * one; an instance also defines the subject of the values.
 */
struct archive_metric_class {
	uint32_t *metrics; /* indices, or ARCHIVE_NO_INDEX */
	uint32_t count;
	bool is_synchronous; /* read at enter and leave; otherwise at any time */
	enum archive_scope scope;
	uint32_t location; /* for SCOPE_LOCATION: an index, or ARCHIVE_NO_INDEX */
	/* References, only in an instance. */
	OTF2_MetricRef instance_of;
	uint64_t scope_ref;
};

struct archive_property {
	char *name, *value;
};

/* A line of Python that called a region: TRACE_CALLER_PROPERTY. */
struct archive_caller {
	uint32_t region;      /* index */
	uint64_t calls, time; /* ns */
	int line, inner_line;
	char *text; /* function, and where the texts behind it begin: */
	const char *file, *inner_function, *inner_file;
};

/*
 * Arrays with their counts. Indices are dense and in the order of definition, except those of
 * groups and locations. Among groups, processes come first, ordered by MPI rank, so that a
 * process's index is its rank. Locations are ordered by group and by the numbers in their names;
 * threads (of a processor) come before all others, which are streams of accelerators and recorders
 * of metrics.
 */
struct archive {
	char *path;   /* of the anchor file */
	char *folder; /* the folder of the anchor file */
	OTF2_Reader *reader;

	const char **strings;
	struct archive_region *regions;
	struct archive_location *locations;
	struct archive_group *groups;
	struct archive_comm *comms;
	struct archive_metric *metrics;
	struct archive_metric_class *metric_classes;
	struct archive_list *lists;
	struct archive_context *contexts;
	/* Of samples of blocked threads, of those in page faults, and of those of no time. */
	OTF2_InterruptGeneratorRef blocked_generator, fault_generator, counted_generator;
	struct archive_property *properties;
	struct archive_caller *callers;
	size_t caller_count, caller_room;
	uint32_t *group_of_rank; /* by place in the list of ranks that have locations */
	size_t rank_count;       /* 0: the archive defines no MPI ranks */
	size_t string_count, region_count, location_count, group_count, comm_count, metric_count,
	    metric_class_count, list_count, property_count, context_count;
	size_t string_room, region_room, location_room, group_room, comm_room, metric_room,
	    metric_class_room, list_room, context_room;
	/* Reference to index. */
	struct map string_of, region_of, location_of, group_of, comm_of, list_of, metric_of,
	    metric_class_of, context_of, file_of, line_of, host_of; /* file_of, line_of: of a
	    source code location. host_of: the string of a system tree node's name */
	struct map lock_name_of; /* by number, unique over all processes: a string's index */
	size_t process_count;    /* the first groups are processes */
	size_t thread_count;     /* the first locations are threads */
	uint32_t lost_ranks;     /* processes without locations */
	uint64_t counts_from;    /* archive_complete_from(), if an analysis counts from there */
	bool has_mpi;            /* processes are ranks */
	uint32_t largest_metric_class;
	uint32_t usage_class; /* the kernel's figures of threads (shared/trace-usage.h), or
				 ARCHIVE_NO_INDEX */
	uint32_t mark_class;  /* marks of loops (shared/loop-marks.h): the same */
	/* What counters counted at samples (shared/sample-counters.h): the same, and their set. */
	uint32_t counter_class;
	uint64_t counters;
	uint64_t definitions, unknown_definitions;
	uint64_t sparse_definitions; /* whose reference is not the next number */
	unsigned defined;            /* 1 << enum archive_definition */
	bool strict_metrics;         /* a class promises values at every enter and leave */
	uint32_t sample_generators;  /* what interrupts threads for samples */
	/* For how long a sample stands, in ns; 0: unknown, or not the same for all. */
	uint64_t sample_period;

	uint64_t ticks_per_second, clock_start, clock_length,
	    realtime; /* realtime: ns since 1970 or 0 */
	char *machine, *creator, *description;

	/* Found in the events. */
	const char *program;
	const char **arguments;
	size_t argument_count;
	uint64_t events;

	/*
	 * Called now and then while events are read, with the number of events read and the number
	 * announced. May be NULL.
	 */
	void (*progress)(uint64_t read, uint64_t announced);

	size_t jobs;      /* most threads that read at a time; 0: one for each processor */
	size_t open_most; /* locations that are open at a time, if possible; 0: 64 */

	/* Problems that did not stop the reading, one line each, without path. */
	char **warnings;
	size_t warning_count, warning_room;
	char *last_error; /* the last message of the OTF2 library, or NULL */
};

/*
 * Opens an experiment folder or an .otf2 file and reads its definitions. Returns NULL if it cannot
 * be read, with a message in *error (caller frees) that contains neither path nor program name.
 */
struct archive *archive_open(const char *path, char **error);
void archive_close(struct archive *archive);

/*
 * Leaves only the locations of that process (index of its location group): no others are opened,
 * and their events are not read. The numbers of ranks and processes remain. Call it before events
 * are read. Returns false, and changes nothing, if the process has no thread.
 */
bool archive_keep_process(struct archive *archive, uint32_t group);

/*
 * Whether only one of several processes has threads, as after archive_keep_process(): what it
 * waited for at the others is then not known.
 */
static inline bool archive_is_of_one_process(const struct archive *archive)
{
	return archive->process_count > 1 && archive->thread_count > 0 &&
	       archive->locations[0].group == archive->locations[archive->thread_count - 1].group;
}

/*
 * "rank 3 (host)" if there are several processes, otherwise the group's own name; "process" without
 * a group. The caller frees it.
 */
char *archive_process_name(const struct archive *archive, uint32_t group);

/*
 * "rank 3, OMP thread 1" if there are several processes, otherwise the location's own name. The
 * caller frees it.
 */
char *archive_thread_name(const struct archive *archive, size_t location);

/*
 * In ns since the archive's clock begins: from when on all threads have their events, of which
 * earlier ones of some were overwritten (POMP_TRACE_RING); 0: all have them from the begin on.
 */
uint64_t archive_complete_from(const struct archive *archive);

/* The number in the anchor's property of that name, or SUMMARY_NOT_MEASURED if there is none. */
uint64_t archive_property_number(const struct archive *archive, const char *name);

/*
 * What the archive contains and an analysis of its threads does not use, such as "Not in this
 * report: 1 accelerator stream (2 events), 40 samples of calling contexts. ...", or NULL if there
 * is nothing. Call it when the events have been read. The caller frees the text.
 */
char *archive_left_out(const struct archive *archive);

/* The name of a lock, or NULL if the archive does not name it. */
const char *archive_lock_name(const struct archive *archive, uint32_t number);

/* Adds a line to the warnings. */
void archive_warn(struct archive *archive, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The process (index of the location group) of a communicator's member, or ARCHIVE_NO_INDEX if
 * unknown. `own` is the process that uses the communicator.
 */
uint32_t archive_member_process(
    const struct archive *archive, uint32_t comm, uint32_t member, uint32_t own);

/* How many processes take part in a communicator's collective operations; 0 if unknown. */
uint32_t archive_comm_size(const struct archive *archive, uint32_t comm);

enum archive_event_kind {
	EVENT_ENTER,         /* region */
	EVENT_LEAVE,         /* region */
	EVENT_FORK,          /* */
	EVENT_JOIN,          /* */
	EVENT_TEAM_BEGIN,    /* comm */
	EVENT_TEAM_END,      /* comm */
	EVENT_ACQUIRE,       /* lock, generation: the acquisition's number */
	EVENT_RELEASE,       /* lock, generation */
	EVENT_TASK_CREATE,   /* comm, creator, generation */
	EVENT_TASK_SWITCH,   /* comm, creator, generation */
	EVENT_TASK_COMPLETE, /* comm, creator, generation */
	EVENT_PROGRAM_BEGIN,
	EVENT_PROGRAM_END,
	EVENT_SAMPLE,       /* context: what the thread executed */
	EVENT_FAULT,        /* the same, of a sample that interrupted a page fault */
	EVENT_COUNTED,      /* context: where counters counted; no sample of time */
	EVENT_BLOCKED,      /* context: a system call in which the thread was seen blocked */
	EVENT_METRIC,       /* metric class, values; no values if the class is undefined */
	EVENT_BUFFER_FLUSH, /* time spent by the measurement itself */
	EVENT_PARAMETER,
	EVENT_MPI_SEND,           /* comm, mpi: peer, tag, bytes */
	EVENT_MPI_ISEND,          /* comm, mpi: the same, request */
	EVENT_MPI_ISEND_COMPLETE, /* mpi: request */
	EVENT_MPI_IRECV_REQUEST,  /* mpi: request */
	EVENT_MPI_RECV,           /* comm, mpi: peer, tag, bytes */
	EVENT_MPI_IRECV,          /* comm, mpi: the same, request */
	EVENT_MPI_REQUEST_TEST,
	EVENT_MPI_REQUEST_CANCELLED,  /* mpi: request */
	EVENT_MPI_COLLECTIVE_BEGIN,   /* */
	EVENT_MPI_COLLECTIVE_END,     /* comm, mpi: peer, operation, bytes, received */
	EVENT_MPI_COLLECTIVE_REQUEST, /* mpi: request */
	EVENT_MPI_COLLECTIVE_DONE,    /* comm, mpi: as at the end, request */
	EVENT_KINDS
};

/* Whether the event is one of MPI's. */
static inline bool archive_is_mpi_event(uint32_t kind)
{
	return kind >= EVENT_MPI_SEND && kind <= EVENT_MPI_COLLECTIVE_DONE;
}

/* The further data of MPI's events; 0 for what an event does not have. */
struct archive_mpi {
	uint32_t peer; /* the other process's rank in the communicator; of a collective: the root */
	union {
		uint32_t tag, operation; /* OTF2_CollectiveOp */
	};
	uint64_t bytes, received; /* of collectives: sent, received by this member */
	uint64_t request;         /* unique among the open requests of its process */
};

extern const char *const archive_event_names[EVENT_KINDS];

/* Regions and comms are indices, or ARCHIVE_NO_INDEX for a reference without definition. */
struct archive_event {
	uint64_t time; /* ticks */
	uint32_t location;
	uint32_t kind;
	uint32_t subject; /* region, comm, lock or metric class */
	union {
		struct {
			uint32_t creator, generation;
		};
		/*
		 * One for each metric of the class, until the next event; see
		 * archive_metric_value().
		 */
		const uint64_t *values;
		const struct archive_mpi *mpi; /* until the next event */
	};
};

/* Whether it says what a running thread executed. */
static inline bool archive_is_sample(const struct archive_event *event)
{
	return event->kind == EVENT_SAMPLE || event->kind == EVENT_FAULT;
}

/* Whether the event has the kernel's figures of its thread. */
static inline bool archive_has_usage(
    const struct archive *archive, const struct archive_event *event)
{
	return event->kind == EVENT_METRIC && event->subject != ARCHIVE_NO_INDEX &&
	       event->subject == archive->usage_class;
}

/* Whether the event has what counters counted up to the sample that follows. */
static inline bool archive_has_counts(
    const struct archive *archive, const struct archive_event *event)
{
	return event->kind == EVENT_METRIC && event->subject != ARCHIVE_NO_INDEX &&
	       event->subject == archive->counter_class;
}

/* Whether the event is a mark of the loop that its thread leaves next. */
static inline bool archive_has_mark(
    const struct archive *archive, const struct archive_event *event)
{
	return event->kind == EVENT_METRIC && event->subject != ARCHIVE_NO_INDEX &&
	       event->subject == archive->mark_class;
}

/* Whether the event is about counters, so that no report needs it but those of samples. */
static inline bool archive_is_of_counters(
    const struct archive *archive, const struct archive_event *event)
{
	return event->kind == EVENT_COUNTED || archive_has_counts(archive, event);
}

/* What identifies the task of a task's event. */
static inline struct map_key archive_task_key(const struct archive_event *event)
{
	return (struct map_key){event->subject, (uint64_t)event->creator << 32 | event->generation};
}

/*
 * Passes all events of all locations to `consume` in the order of time. Events with equal times
 * come in the order of their locations, and those of one location as recorded. Memory is bounded by
 * the number of locations; if they are more than open_most, each process is read for itself, and
 * the events lie in a temporary file until they are passed on. Can be called only once. Anything
 * unreadable becomes a warning.
 */
typedef void archive_consume(void *context, const struct archive_event *event);
void archive_for_each_event(struct archive *archive, archive_consume *consume, void *context);

/* The locations of one process, in ascending order. */
struct archive_process {
	uint32_t *locations;
	size_t count;
};

/*
 * All processes that have locations, in the order of the groups. Locations without a group form one
 * process, the last. The caller frees the list with archive_free_processes().
 */
struct archive_process *archive_list_processes(const struct archive *archive, size_t *count);
void archive_free_processes(struct archive_process *processes, size_t count);

/* How many threads may work: archive.jobs, or one for each processor if that is 0. */
size_t archive_jobs(const struct archive *archive);

/*
 * `consume` gets the events of one process; then `finish` gets the index of the process. Calls with
 * the same context never overlap, and the calls for one process are not interleaved with those for
 * another.
 */
struct archive_consumer {
	archive_consume *consume;
	void (*finish)(void *context, size_t process);
};

/*
 * Passes on the events process by process, each process as in archive_for_each_event(). Several
 * processes are read at a time, by as many threads as there are contexts. Memory is bounded by the
 * number of threads and the largest process's locations. Call it instead of
 * archive_for_each_event(). Warnings are in the order of the processes.
 */
void archive_for_each_process(struct archive *archive, const struct archive_process *processes,
    size_t process_count, const struct archive_consumer *consumer, void **contexts, size_t count);

#endif
