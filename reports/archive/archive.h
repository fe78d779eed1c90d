/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OTF2 archive as the reports see it: definitions in memory, events as one stream in the order
 * of time. Knows OTF2, and nothing of what the reports make of it.
 *
 * Archives of other tools are read too: what is unknown is counted and skipped, references to
 * definitions that are missing give "?" names, and an archive that cannot be read to its end is
 * read as far as it goes, with a warning.
 */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/hash-map.h"
#include "shared/summary.h"

#define ARCHIVE_NO_INDEX UINT32_MAX

struct archive_region {
	const char *name;  /* as in the archive: "!$omp for @file.c:6" */
	const char *file;  /* "" when unknown */
	uint32_t file_ref; /* equal for the same file */
	uint32_t begin_line, end_line;
	/* Of one that is known by the address of its code; `code` says whether and how. */
	enum summary_code code;
	const char *function; /* "" unknown */
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
};

struct archive_location {
	OTF2_LocationRef ref;
	const char *name;
	const char *label; /* of several processes "RANK:name", or else the name */
	uint32_t group;    /* index of the location group, or ARCHIVE_NO_INDEX */
	OTF2_LocationType type;
	uint64_t events_announced, events_read,
	    events_skipped; /* skipped: kinds that we do not use */
	/* Of those skipped: samples of calling contexts, and switches of the measurement. */
	uint64_t samples, switches;
	uint64_t other_metrics; /* of those read: metrics that are about no thread */
	bool truncated;
	bool has_local_definitions; /* known once the events are read */
};

struct archive_group { /* a location group: usually a process */
	const char *name;
	const char *host; /* what it runs on: a node of the system tree; "" when unknown */
	OTF2_LocationGroupType type;
};

struct archive_comm {
	const char *name;
	uint32_t size;    /* members, 0 when the definition has none */
	uint32_t members; /* index of the member list, or ARCHIVE_NO_INDEX */
	bool has_parent;
	bool is_inter; /* of MPI, between two groups */
};

/*
 * A group of the archive: the members of comms, as places in the list of all threads or of all
 * ranks, or as the locations themselves.
 */
struct archive_list {
	uint64_t *members;
	uint32_t count;
	OTF2_GroupType type;
	OTF2_Paradigm paradigm;
	bool has_locations;
};

/* Kinds of definitions that every trace of OpenMP has; a bit of archive.defined each. */
enum archive_definition {
	DEFINED_CLOCK,
	DEFINED_PARADIGM, /* OpenMP, of the class fork and join */
	DEFINED_MACHINE,  /* the system tree's domains */
	DEFINED_SHARED_MEMORY,
	DEFINED_PROCESS,   /* a location group of that type */
	DEFINED_LOCATIONS, /* the group of OpenMP's locations */
	DEFINED_KINDS
};

struct archive_metric {
	const char *name, *unit;
	uint64_t scale;   /* a value times this is in the unit; 0: that is no whole number */
	bool accumulates; /* its values only grow, and differences of them mean something */
	bool is_double;   /* the bits of a value are those of a double */
};

/* A double as a number that can be summed up; 0 where it is none. */
static inline uint64_t archive_whole_value(double value)
{
	return value > 0 && value < 1e19 ? (uint64_t)value : 0;
}

/* The value of an event as a number that can be summed up. */
static inline uint64_t archive_metric_value(const struct archive_metric *metric, uint64_t bits)
{
	union {
		uint64_t bits;
		double number;
	} value = {bits};

	return metric->is_double ? archive_whole_value(value.number) : bits;
}

/* What the values of a metric class are about. */
enum archive_scope {
	SCOPE_RECORDER, /* the location that records them */
	SCOPE_LOCATION, /* another one */
	SCOPE_WIDER     /* a process, a node or a group: not one thread */
};

/*
 * What one event has values of, in their order: a metric class, or an instance of one, which says
 * in addition what the values are about.
 */
struct archive_metric_class {
	uint32_t *metrics; /* indices, or ARCHIVE_NO_INDEX */
	uint32_t count;
	bool is_synchronous; /* read at enter and leave, or else at any time */
	enum archive_scope scope;
	uint32_t location; /* of SCOPE_LOCATION: an index, or ARCHIVE_NO_INDEX */
	/* As the definitions have them; of an instance alone. */
	OTF2_MetricRef instance_of;
	uint64_t scope_ref;
};

struct archive_property {
	char *name, *value;
};

/*
 * Arrays with their counts; indices are dense and in the order of definition, but for groups and
 * locations: the processes come first, by their rank in MPI, so that a process's index is its rank;
 * locations are ordered by their group and the numbers in their names, those that are threads (of a
 * processor) before all others, which are streams of accelerators and recorders of metrics.
 */
struct archive {
	char *path;   /* of the anchor file */
	char *folder; /* that it lies in */
	OTF2_Reader *reader;

	const char **strings;
	struct archive_region *regions;
	struct archive_location *locations;
	struct archive_group *groups;
	struct archive_comm *comms;
	struct archive_metric *metrics;
	struct archive_metric_class *metric_classes;
	struct archive_list *lists;
	struct archive_property *properties;
	uint32_t *group_of_rank; /* by place among the ranks that have locations */
	size_t rank_count;       /* 0: the archive defines no ranks of MPI */
	size_t string_count, region_count, location_count, group_count, comm_count, metric_count,
	    metric_class_count, list_count, property_count;
	size_t string_room, region_room, location_room, group_room, comm_room, metric_room,
	    metric_class_room, list_room;
	/* Reference to index. */
	struct map string_of, region_of, location_of, group_of, comm_of, list_of, metric_of,
	    metric_class_of, host_of; /* host_of: the string of a system tree node's name */
	struct map lock_name_of; /* by number, which no two processes share: a string's index */
	size_t process_count;    /* of the groups */
	size_t thread_count;     /* of the locations */
	uint32_t lost_ranks;     /* of the processes: without locations */
	bool has_mpi;            /* processes are ranks */
	uint32_t largest_metric_class;
	uint64_t definitions, unknown_definitions;
	uint64_t sparse_definitions; /* whose reference is not the next number */
	unsigned defined;            /* 1 << enum archive_definition */
	bool strict_metrics;         /* a class promises values at each enter and leave */

	uint64_t ticks_per_second, clock_start, clock_length,
	    realtime; /* realtime: ns since 1970 or 0 */
	char *machine, *creator, *description;

	/* Found in the events. */
	const char *program;
	const char **arguments;
	size_t argument_count;
	uint64_t events;

	/*
	 * Called from time to time while events are read: how many were read, of how many
	 * announced. Or NULL.
	 */
	void (*progress)(uint64_t read, uint64_t announced);

	size_t jobs; /* threads that may read at a time; 0: as many as there are processors */

	/* What went wrong but did not stop the reading, one line each, without path. */
	char **warnings;
	size_t warning_count, warning_room;
	char *last_error; /* what the OTF2 library said last, or NULL */
};

/*
 * Opens an experiment folder or an .otf2 file and reads its definitions. NULL, with a message that
 * names neither path nor program in *error (caller frees), when there is nothing to read.
 */
struct archive *archive_open(const char *path, char **error);
void archive_close(struct archive *archive);

/*
 * "rank 3 (host)", where there are several processes, else the group's own name; "process" without
 * a group. The caller frees it.
 */
char *archive_process_name(const struct archive *archive, uint32_t group);

/*
 * "rank 3, OMP thread 1", where there are several processes, else the location's own name. The
 * caller frees it.
 */
char *archive_thread_name(const struct archive *archive, size_t location);

/* The anchor's property of that name as a number; SUMMARY_NOT_MEASURED when there is none. */
uint64_t archive_property_number(const struct archive *archive, const char *name);

/*
 * "Not in this report: 1 accelerator stream (2 events), 40 samples of calling contexts. ...": what
 * the archive holds and an analysis of its threads does not use, once the events are read; NULL:
 * nothing. The caller frees it.
 */
char *archive_left_out(const struct archive *archive);

/* The name of a lock that the archive has one of; NULL: it has none. */
const char *archive_lock_name(const struct archive *archive, uint32_t number);

/* Adds a line to the warnings. */
void archive_warn(struct archive *archive, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The process (index of the location group) of a communicator's member; `own` is the process that
 * uses the communicator. ARCHIVE_NO_INDEX when it is not known.
 */
uint32_t archive_member_process(
    const struct archive *archive, uint32_t comm, uint32_t member, uint32_t own);

/* How many processes take part in a communicator's collective operations; 0: that is not known. */
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
	EVENT_METRIC,       /* metric class, values; of one without definition there are none */
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

/* What else MPI's events record; what an event does not have is 0. */
struct archive_mpi {
	uint32_t peer; /* the other side's rank in the communicator; of a collective the root */
	union {
		uint32_t tag, operation; /* OTF2_CollectiveOp */
	};
	uint64_t bytes, received; /* of collectives: sent, received by this member */
	uint64_t request;         /* unique among those of its process that are open */
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
		/* As many as the class has, until the next event; see archive_metric_value(). */
		const uint64_t *values;
		const struct archive_mpi *mpi; /* until the next event */
	};
};

/*
 * Passes all events of all locations to `consume` in the order of their time (the same time: in the
 * order of the locations; of one location: as recorded). Memory is bounded by the number of
 * locations. Can be called once. Whatever cannot be read becomes a warning.
 */
typedef void archive_consume(void *context, const struct archive_event *event);
void archive_for_each_event(struct archive *archive, archive_consume *consume, void *context);

/* The locations of one process, in ascending order. */
struct archive_process {
	uint32_t *locations;
	size_t count;
};

/*
 * All that have locations, in the order of the groups; locations without a group are one, the last.
 * The caller frees it with archive_free_processes().
 */
struct archive_process *archive_list_processes(const struct archive *archive, size_t *count);
void archive_free_processes(struct archive_process *processes, size_t count);

/* How many threads may work: archive.jobs, or else as many as there are processors. */
size_t archive_jobs(const struct archive *archive);

/*
 * What the events of one process are passed to, and then `finish` with the process's index. Calls
 * with one context exclude each other, and none of them happens between others of one process.
 */
struct archive_consumer {
	archive_consume *consume;
	void (*finish)(void *context, size_t process);
};

/*
 * The events process by process, each as archive_for_each_event() has them: several processes at a
 * time, by as many threads as there are contexts. Memory is bounded by the threads and by the
 * largest process's locations. In place of archive_for_each_event(); warnings are in the order of
 * the processes.
 */
void archive_for_each_process(struct archive *archive, const struct archive_process *processes,
    size_t process_count, const struct archive_consumer *consumer, void **contexts, size_t count);

#endif
