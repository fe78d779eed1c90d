/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global definitions of an archive, for one process or for many ranks. A machine contains its
 * processes, a process its locations. Regions, metrics and parameters have the same numbers as in
 * the set.
 *
 * Groups and communicators: group 0 contains all locations. With ranks of MPI, group 1 contains the
 * first location of each rank, which identifies the rank. MPI's communicators come first, as in the
 * set, then the teams of OpenMP, process by process.
 */
#include "archive-definitions.h"

#include "shared/trace-convert.h"
#include "shared/trace-usage.h"
#include "logged-teams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of writing the global definitions. */
struct writing {
	OTF2_GlobalDefWriter *writer;
	struct convert_set *set; /* strings are added to it */
	uint32_t written;        /* how many of its strings are written */
	size_t locations;
	OTF2_ErrorCode error; /* the first */
};

/* Returns the words of a process, enum set_rank. */
static const uint64_t *rank_words(const struct writing *writing, size_t place)
{
	size_t count;

	return convert_pool_at(&writing->set->ranks, place, &count);
}

/* Returns whether the processes are ranks of MPI. */
static bool has_ranks(const struct writing *writing)
{
	return writing->set->ranks.count > 0 &&
	       rank_words(writing, 0)[SET_RANK_NUMBER] != SET_NO_RANK;
}

static void check(struct writing *writing, OTF2_ErrorCode code)
{
	if (writing->error == OTF2_SUCCESS)
		writing->error = code;
}

/* Returns the reference of a text, which is written if it is new. */
static OTF2_StringRef string_ref(struct writing *writing, const char *text)
{
	uint32_t ref = convert_strings_place(&writing->set->strings, text);

	if (ref == UINT32_MAX)
		check(writing, OTF2_ERROR_ENOMEM);
	for (; writing->written < writing->set->strings.count; writing->written++)
		check(writing, OTF2_GlobalDefWriter_WriteString(writing->writer, writing->written,
				   writing->set->strings.text[writing->written]));
	return ref;
}

static void write_clock(struct writing *writing, const struct convert_reference *reference)
{
	uint64_t begin = UINT64_MAX, finish = 0;

	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		const uint64_t *rank = rank_words(writing, i);
		begin = rank[SET_RANK_BEGIN] < begin ? rank[SET_RANK_BEGIN] : begin;
		finish = rank[SET_RANK_FINISH] > finish ? rank[SET_RANK_FINISH] : finish;
	}
	double later = ((double)begin - (double)reference->start.ticks) * 1e9 /
		       (double)reference->ticks_per_second;
	check(writing,
	    OTF2_GlobalDefWriter_WriteClockProperties(writing->writer, reference->ticks_per_second,
		begin, finish - begin + 1, reference->start.realtime + (uint64_t)(int64_t)later));
}

static void write_paradigms(struct writing *writing)
{
	static const struct {
		OTF2_Paradigm paradigm;
		const char *name;
		OTF2_ParadigmClass class;
		const char *comms;
	} paradigms[] = {
	    {OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN,
		"OpenMP thread team ${id}"},
	    {OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS, "MPI communicator ${id}"},
	    {OTF2_PARADIGM_USER, "User", OTF2_PARADIGM_CLASS_PROCESS, NULL},
	};

	for (size_t i = 0; i < sizeof(paradigms) / sizeof(paradigms[0]); i++) {
		if (paradigms[i].paradigm == OTF2_PARADIGM_MPI && !has_ranks(writing))
			continue;
		check(writing,
		    OTF2_GlobalDefWriter_WriteParadigm(writing->writer, paradigms[i].paradigm,
			string_ref(writing, paradigms[i].name), paradigms[i].class));
		if (paradigms[i].comms == NULL)
			continue;
		OTF2_AttributeValue template = {
		    .stringRef = string_ref(writing, paradigms[i].comms)};
		check(writing, OTF2_GlobalDefWriter_WriteParadigmProperty(writing->writer,
				   paradigms[i].paradigm, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
				   OTF2_TYPE_STRING, template));
	}
}

/* Node 0 is the machine. One node for each host follows, in the order of their first ranks. */
static void write_nodes(struct writing *writing, uint32_t *node_of_rank)
{
	size_t strings = writing->set->strings.count; /* hosts are among those */
	uint32_t *node_of_host = calloc(strings + 1, sizeof(*node_of_host)), nodes = 1;

	if (node_of_host == NULL) {
		check(writing, OTF2_ERROR_ENOMEM);
		return;
	}
	OTF2_StringRef machine = string_ref(writing, "machine"),
		       class = string_ref(writing, "node");
	check(writing, OTF2_GlobalDefWriter_WriteSystemTreeNode(
			   writing->writer, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	check(writing, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
			   writing->writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		uint64_t host = rank_words(writing, i)[SET_RANK_HOST];
		if (node_of_host[host] == 0) {
			node_of_host[host] = nodes;
			check(writing, OTF2_GlobalDefWriter_WriteSystemTreeNode(
					   writing->writer, nodes, (OTF2_StringRef)host, class, 0));
			check(
			    writing, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writing->writer,
					 nodes, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
			nodes++;
		}
		node_of_rank[i] = node_of_host[host];
	}
	free(node_of_host);
}

static void write_processes(struct writing *writing)
{
	uint32_t *node = calloc(writing->set->ranks.count + 1, sizeof(*node));
	char name[64];

	if (node == NULL) {
		check(writing, OTF2_ERROR_ENOMEM);
		return;
	}
	write_nodes(writing, node);
	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		uint64_t number = rank_words(writing, i)[SET_RANK_NUMBER];
		snprintf(name, sizeof(name), number != SET_NO_RANK ? "MPI Rank %llu" : "Process",
		    (unsigned long long)number);
		check(writing, OTF2_GlobalDefWriter_WriteLocationGroup(writing->writer, (uint32_t)i,
				   string_ref(writing, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
				   node[i], OTF2_UNDEFINED_LOCATION_GROUP));
	}
	free(node);
}

static void write_locations(struct writing *writing)
{
	OTF2_LocationRef location = 0;

	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		const uint64_t *rank = rank_words(writing, i);
		for (uint64_t own = 0; own < rank[SET_RANK_LOCATIONS]; own++, location++)
			check(writing, OTF2_GlobalDefWriter_WriteLocation(writing->writer, location,
					   (OTF2_StringRef)rank[SET_RANK_WORDS + own * 2],
					   OTF2_LOCATION_TYPE_CPU_THREAD,
					   rank[SET_RANK_WORDS + own * 2 + 1], (uint32_t)i));
	}
}

/* Returns the index of the process with that rank; the number of processes: there is none. */
static size_t process_of(const struct writing *writing, uint64_t rank)
{
	size_t place = 0;

	while (place < writing->set->ranks.count &&
	       rank_words(writing, place)[SET_RANK_NUMBER] != rank)
		place++;
	return place;
}

static void write_property(
    struct writing *writing, size_t process, const char *name, OTF2_StringRef text)
{
	OTF2_AttributeValue value = {.stringRef = text};

	if (process < writing->set->ranks.count)
		check(writing, OTF2_GlobalDefWriter_WriteLocationGroupProperty(writing->writer,
				   (OTF2_LocationGroupRef)process, string_ref(writing, name),
				   OTF2_TYPE_STRING, value));
}

/*
 * The names of a process's locks are properties of the process, because OTF2 has no definition of
 * locks.
 */
static void write_locks(struct writing *writing)
{
	char property[64];

	for (size_t i = 0; i < writing->set->locks.count; i++) {
		size_t count;
		const uint64_t *lock = convert_pool_at(&writing->set->locks, i, &count);
		snprintf(property, sizeof(property), TRACE_LOCK_PROPERTY "%llu",
		    (unsigned long long)lock[SET_LOCK_NUMBER]);
		write_property(writing, process_of(writing, lock[SET_LOCK_RANK]), property,
		    (OTF2_StringRef)lock[SET_LOCK_NAME]);
	}
}

/* So are the lines that called regions. */
static void write_callers(struct writing *writing)
{
	char property[64], *text;

	for (size_t i = 0; i < writing->set->callers.count; i++) {
		size_t count;
		const uint64_t *caller = convert_pool_at(&writing->set->callers, i, &count);
		char **strings = writing->set->strings.text;
		if (asprintf(&text, "%llu %llu %llu %llu %llu %s\n%s\n%s\n%s",
			(unsigned long long)caller[SET_CALLER_REGION],
			(unsigned long long)caller[SET_CALLER_CALLS],
			(unsigned long long)caller[SET_CALLER_TIME],
			(unsigned long long)caller[SET_CALLER_LINE],
			(unsigned long long)caller[SET_CALLER_INNER_LINE],
			strings[caller[SET_CALLER_FUNCTION]], strings[caller[SET_CALLER_FILE]],
			strings[caller[SET_CALLER_INNER_FUNCTION]],
			strings[caller[SET_CALLER_INNER_FILE]]) < 0) {
			check(writing, OTF2_ERROR_ENOMEM);
			return;
		}
		snprintf(property, sizeof(property), TRACE_CALLER_PROPERTY "%zu", i);
		write_property(writing, process_of(writing, caller[SET_CALLER_RANK]), property,
		    string_ref(writing, text));
		free(text);
	}
}

static void write_regions(struct writing *writing)
{
	for (size_t i = 0; i < writing->set->regions.count; i++) {
		size_t count;
		const uint64_t *region = convert_pool_at(&writing->set->regions, i, &count);
		OTF2_StringRef name = (OTF2_StringRef)region[SET_REGION_NAME];
		/* The field for a linker's name contains the place in the code. */
		OTF2_StringRef code = region[SET_REGION_CODE] != SET_NO_STRING
					  ? (OTF2_StringRef)region[SET_REGION_CODE]
					  : name;
		check(writing,
		    OTF2_GlobalDefWriter_WriteRegion(writing->writer, (uint32_t)i, name, code,
			(OTF2_StringRef)region[SET_REGION_DESCRIPTION],
			(OTF2_RegionRole)(uint32_t)region[SET_REGION_KIND],
			(OTF2_Paradigm)(region[SET_REGION_KIND] >> 32), OTF2_REGION_FLAG_NONE,
			region[SET_REGION_FILE] == SET_NO_STRING
			    ? OTF2_UNDEFINED_STRING
			    : (OTF2_StringRef)region[SET_REGION_FILE],
			(uint32_t)region[SET_REGION_LINES],
			(uint32_t)(region[SET_REGION_LINES] >> 32)));
	}
}

/* Returns the type of a metric, by the naming of getrusage() and PAPI. */
static OTF2_MetricType metric_type(const char *name, const char *unit)
{
	if (strncmp(name, "ru_", 3) == 0)
		return OTF2_METRIC_TYPE_RUSAGE;
	return strcmp(unit, "ns") == 0 ? OTF2_METRIC_TYPE_OTHER : OTF2_METRIC_TYPE_PAPI;
}

/* words: name, unit and meaning. */
static void write_metric(
    struct writing *writing, OTF2_MetricMemberRef ref, const uint64_t *words, OTF2_MetricMode mode)
{
	char **text = writing->set->strings.text;
	bool is_time = strcmp(text[words[1]], "ns") == 0;
	OTF2_MetricType type = metric_type(text[words[0]], text[words[1]]);

	check(writing,
	    OTF2_GlobalDefWriter_WriteMetricMember(writing->writer, ref, (OTF2_StringRef)words[0],
		(OTF2_StringRef)words[2], type, mode, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL,
		is_time ? -9 : 0, is_time ? string_ref(writing, "s") : (OTF2_StringRef)words[1]));
}

static void write_metrics(struct writing *writing)
{
	uint32_t member = 0;

	for (size_t i = 0; i < writing->set->metrics.count; i++) {
		size_t count;
		const uint64_t *class = convert_pool_at(&writing->set->metrics, i, &count);
		OTF2_MetricMemberRef members[TRACE_LOG_METRICS_MAX];
		OTF2_MetricMode mode = class[0] == SET_METRICS_OF_MOMENTS
					   ? OTF2_METRIC_ABSOLUTE_POINT
					   : OTF2_METRIC_ACCUMULATED_START;
		for (size_t own = 0; own < count / 3; own++)
			write_metric(writing, members[own] = member++, class + 1 + own * 3, mode);
		check(
		    writing, OTF2_GlobalDefWriter_WriteMetricClass(writing->writer, (uint32_t)i,
				 (uint8_t)(count / 3), members,
				 class[0] == SET_METRICS_EVERYWHERE ? OTF2_METRIC_SYNCHRONOUS_STRICT
								    : OTF2_METRIC_SYNCHRONOUS,
				 OTF2_RECORDER_KIND_CPU));
	}
}

/* Returns the microseconds for which a sample stands; of a killed program, what is usual. */
static uint64_t sample_period(const struct convert_set *set)
{
	size_t count;
	const uint64_t *rank =
	    set->ranks.count > 0 ? convert_pool_at(&set->ranks, 0, &count) : NULL;
	uint64_t known = rank != NULL ? rank[SET_RANK_SAMPLE_PERIOD] : 0;

	return known > 0 ? known : 4000;
}

static OTF2_RegionRole function_role(const uint64_t *context)
{
	if (context[SET_CONTEXT_CONSTRUCT])
		return OTF2_REGION_ROLE_CODE;
	return context[SET_CONTEXT_WRAPPER] ? OTF2_REGION_ROLE_WRAPPER : OTF2_REGION_ROLE_FUNCTION;
}

/*
 * Functions of samples become regions, which follow the constructs' regions: each function of a
 * file once, and each place without a line, which the canonical name has. So do constructs that
 * stand for functions. Returns its reference.
 */
static OTF2_RegionRef function_region(
    struct writing *writing, struct map *functions, const uint64_t *context, uint32_t *count)
{
	bool has_code = context[SET_CONTEXT_CODE] != SET_NO_STRING;
	uint64_t key = has_code
			   ? context[SET_CONTEXT_CODE] << 32 | UINT32_MAX
			   : context[SET_CONTEXT_WRAPPER] << 63 |
				 context[SET_CONTEXT_FUNCTION] << 32 | context[SET_CONTEXT_FILE];
	uint64_t known = map_find(functions, key);
	OTF2_StringRef name = (OTF2_StringRef)context[SET_CONTEXT_FUNCTION];
	OTF2_StringRef code = has_code ? (OTF2_StringRef)context[SET_CONTEXT_CODE] : name;

	if (known != MAP_NONE)
		return (OTF2_RegionRef)known;
	OTF2_RegionRef region = (OTF2_RegionRef)(writing->set->regions.count + (*count)++);
	if (!map_add(functions, key, region))
		check(writing, OTF2_ERROR_ENOMEM);
	check(writing, OTF2_GlobalDefWriter_WriteRegion(writing->writer, region, name, code,
			   string_ref(writing, ""), function_role(context), OTF2_PARADIGM_SAMPLING,
			   OTF2_REGION_FLAG_NONE, (OTF2_StringRef)context[SET_CONTEXT_FILE], 0, 0));
	return region;
}

/* period: microseconds */
static bool has_counts(const struct convert_set *set)
{
	bool has = false;
	size_t count;

	for (size_t i = 0; i < set->ranks.count; i++)
		has |= convert_pool_at(&set->ranks, i, &count)[SET_RANK_HAS_COUNTS] != 0;
	return has;
}

static void write_generator(
    struct writing *writing, OTF2_InterruptGeneratorRef self, const char *name, uint64_t period)
{
	check(writing, OTF2_GlobalDefWriter_WriteInterruptGenerator(writing->writer, self,
			   string_ref(writing, name), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
			   OTF2_BASE_DECIMAL, -6, period));
}

/* OTF2 wants all places in the source before the first context, numbered without gaps. */
static void write_contexts(struct writing *writing)
{
	const struct convert_pool *contexts = &writing->set->contexts;
	struct map functions = {0};
	uint32_t function_count = 0, places = 0;
	size_t count;

	for (size_t i = 0; i < contexts->count; i++) {
		const uint64_t *context = convert_pool_at(contexts, i, &count);
		function_region(writing, &functions, context, &function_count);
		if (context[SET_CONTEXT_LINE] > 0)
			check(writing, OTF2_GlobalDefWriter_WriteSourceCodeLocation(writing->writer,
					   places++, (OTF2_StringRef)context[SET_CONTEXT_FILE],
					   (uint32_t)context[SET_CONTEXT_LINE]));
	}
	places = 0;
	for (size_t i = 0; i < contexts->count; i++) {
		const uint64_t *context = convert_pool_at(contexts, i, &count);
		check(writing,
		    OTF2_GlobalDefWriter_WriteCallingContext(writing->writer, (uint32_t)i,
			function_region(writing, &functions, context, &function_count),
			context[SET_CONTEXT_LINE] > 0 ? places++
						      : OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
			context[SET_CONTEXT_PARENT] != SET_NO_CONTEXT
			    ? (uint32_t)context[SET_CONTEXT_PARENT]
			    : OTF2_UNDEFINED_CALLING_CONTEXT));
	}
	if (contexts->count > 0) {
		uint64_t period = sample_period(writing->set);
		write_generator(writing, TRACE_GENERATOR_RUNNING, "processor time", period);
		write_generator(writing, TRACE_GENERATOR_BLOCKED, TRACE_BLOCKED_GENERATOR,
		    TRACE_BLOCKED_PERIOD);
		write_generator(writing, TRACE_GENERATOR_FAULT, TRACE_FAULT_GENERATOR, period);
	}
	if (contexts->count > 0 && has_counts(writing->set))
		check(writing,
		    OTF2_GlobalDefWriter_WriteInterruptGenerator(writing->writer,
			TRACE_GENERATOR_COUNTED, string_ref(writing, TRACE_COUNTED_GENERATOR),
			OTF2_INTERRUPT_GENERATOR_MODE_COUNT, OTF2_BASE_DECIMAL, 0, 1));
	map_free(&functions);
}

static void write_parameters(struct writing *writing)
{
	static const OTF2_ParameterType types[] = {
	    [TRACE_LOG_TEXT_INT64] = OTF2_PARAMETER_TYPE_INT64,
	    [TRACE_LOG_TEXT_UINT64] = OTF2_PARAMETER_TYPE_UINT64,
	    [TRACE_LOG_TEXT_STRING] = OTF2_PARAMETER_TYPE_STRING,
	};

	for (size_t i = 0; i < writing->set->parameters.count; i++) {
		size_t count;
		const uint64_t *words = convert_pool_at(&writing->set->parameters, i, &count);
		check(writing, OTF2_GlobalDefWriter_WriteParameter(writing->writer, (uint32_t)i,
				   (OTF2_StringRef)words[0], types[words[1]]));
	}
}

enum { MOST_ABSENT = 1 << 20 };

struct comms {
	struct writing *writing;
	const struct convert_set *set;
	uint64_t *members; /* as large as the largest group */
	uint32_t group_count;
};

static OTF2_GroupRef write_group(struct comms *comms, OTF2_GroupType type, OTF2_Paradigm paradigm,
    uint32_t count, const uint64_t *members)
{
	check(comms->writing, OTF2_GlobalDefWriter_WriteGroup(comms->writing->writer,
				  comms->group_count, string_ref(comms->writing, ""), type,
				  paradigm, OTF2_GROUP_FLAG_NONE, count, members));
	return comms->group_count++;
}

/* Returns, for each rank of the world, its index among the existing ranks; heap. */
static uint32_t *places_of_ranks(struct comms *comms, size_t *count)
{
	size_t ranks = comms->set->ranks.count;
	uint64_t most = 0;

	for (size_t i = 0; i < ranks; i++)
		most = rank_words(comms->writing, i)[SET_RANK_NUMBER] > most
			   ? rank_words(comms->writing, i)[SET_RANK_NUMBER]
			   : most;
	*count = most + 1;
	uint32_t *place = malloc(*count * sizeof(*place));
	if (place == NULL)
		return NULL;
	memset(place, 0xff, *count * sizeof(*place));
	for (size_t i = 0; i < ranks; i++)
		place[rank_words(comms->writing, i)[SET_RANK_NUMBER]] = (uint32_t)i;
	return place;
}

/* The first location of a rank identifies the rank. */
static void write_mpi_locations(struct comms *comms)
{
	uint64_t first = 0;

	for (size_t i = 0; i < comms->set->ranks.count; i++) {
		comms->members[i] = first;
		first += rank_words(comms->writing, i)[SET_RANK_LOCATIONS];
	}
	write_group(comms, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
	    (uint32_t)comms->set->ranks.count, comms->members);
}

/*
 * Finds the members of a communicator as indices of ranks. A rank without logs becomes an undefined
 * location, so that the other members keep their numbers.
 */
static uint32_t find_members(
    struct comms *comms, const uint64_t *comm, size_t count, const uint32_t *place, size_t places)
{
	uint32_t members = 0;

	if (comm[SET_COMM_IDENTITY] == TRACE_LOG_COMM_WORLD) {
		/*
		 * The last ranks may have no logs either, and a damaged log may contain any size.
		 */
		size_t size = comm[SET_COMM_SIZE];
		size = size > places && size - places <= MOST_ABSENT ? size : places;
		for (; members < size; members++)
			comms->members[members] = members < places && place[members] != UINT32_MAX
						      ? place[members]
						      : OTF2_UNDEFINED_LOCATION;
		return members;
	}
	for (size_t i = SET_COMM_WORDS; i < count; i++)
		comms->members[members++] = comm[i] < places && place[comm[i]] != UINT32_MAX
						? place[comm[i]]
						: OTF2_UNDEFINED_LOCATION;
	return members;
}

static OTF2_CommRef find_comm(const struct convert_set *set, uint64_t identity)
{
	for (size_t i = 0; identity != 0 && i < set->comms.count; i++) {
		size_t count;
		if (convert_pool_at(&set->comms, i, &count)[SET_COMM_IDENTITY] == identity)
			return (OTF2_CommRef)i;
	}
	return OTF2_UNDEFINED_COMM;
}

static void write_mpi_comms(struct comms *comms)
{
	const struct convert_set *set = comms->set;
	OTF2_GroupRef self = OTF2_UNDEFINED_GROUP;
	size_t places = 0;
	uint32_t *place = places_of_ranks(comms, &places);

	if (place == NULL) {
		check(comms->writing, OTF2_ERROR_ENOMEM);
		return;
	}
	for (size_t i = 0; i < set->comms.count; i++) {
		size_t count;
		const uint64_t *comm = convert_pool_at(&set->comms, i, &count);
		OTF2_GroupRef group;
		if (comm[SET_COMM_IS_SELF] && self == OTF2_UNDEFINED_GROUP)
			self = write_group(
			    comms, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, 0, NULL);
		if (comm[SET_COMM_IS_SELF]) {
			group = self;
		} else {
			uint32_t members = find_members(comms, comm, count, place, places);
			group = write_group(comms, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
			    members, comms->members);
		}
		check(comms->writing,
		    OTF2_GlobalDefWriter_WriteComm(comms->writing->writer, (uint32_t)i,
			comm[SET_COMM_NAME] == SET_NO_STRING ? string_ref(comms->writing, "")
							     : (OTF2_StringRef)comm[SET_COMM_NAME],
			group, find_comm(set, comm[SET_COMM_PARENT]), OTF2_COMM_FLAG_NONE));
	}
	free(place);
}

static void write_teams(struct comms *comms)
{
	OTF2_CommRef comm = (OTF2_CommRef)comms->set->comms.count;
	uint64_t first_location = 0;

	for (size_t i = 0; i < comms->set->ranks.count; i++) {
		const uint64_t *rank = rank_words(comms->writing, i);
		const uint64_t *team = rank + SET_RANK_WORDS + rank[SET_RANK_LOCATIONS] * 2;
		OTF2_CommRef first = comm;
		for (uint64_t own = 0; own < rank[SET_RANK_TEAMS]; own++, team += 2 + team[1]) {
			for (uint64_t member = 0; member < team[1]; member++)
				comms->members[member] = first_location + team[2 + member];
			OTF2_GroupRef group = write_group(comms, OTF2_GROUP_TYPE_COMM_GROUP,
			    OTF2_PARADIGM_OPENMP, (uint32_t)team[1], comms->members);
			check(comms->writing,
			    OTF2_GlobalDefWriter_WriteComm(comms->writing->writer, comm++,
				string_ref(comms->writing, ""), group,
				team[0] != CONVERT_NONE ? first + (OTF2_CommRef)team[0]
							: OTF2_UNDEFINED_COMM,
				OTF2_COMM_FLAG_NONE));
		}
		first_location += rank[SET_RANK_LOCATIONS];
	}
}

/*
 * Returns the size of the largest group: all locations, all ranks of the world, or a communicator.
 */
static size_t most_members(const struct comms *comms)
{
	size_t most = comms->writing->locations, count;

	for (size_t i = 0; i < comms->set->comms.count; i++) {
		convert_pool_at(&comms->set->comms, i, &count);
		most = count > most ? count : most;
	}
	for (size_t i = 0; i < comms->set->ranks.count; i++) {
		const uint64_t *rank = convert_pool_at(&comms->set->ranks, i, &count);
		most = count > most ? count : most;
		if (rank[SET_RANK_NUMBER] != SET_NO_RANK && rank[SET_RANK_NUMBER] >= most)
			most = rank[SET_RANK_NUMBER] + 1;
	}
	return most + 1;
}

static void write_comms(struct writing *writing)
{
	struct comms comms = {.writing = writing, .set = writing->set};

	comms.members = malloc(most_members(&comms) * sizeof(*comms.members));
	if (comms.members == NULL) {
		check(writing, OTF2_ERROR_ENOMEM);
		return;
	}
	for (size_t i = 0; i < writing->locations; i++)
		comms.members[i] = i;
	write_group(&comms, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
	    (uint32_t)writing->locations, comms.members);
	if (has_ranks(writing)) {
		write_mpi_locations(&comms);
		write_mpi_comms(&comms);
	}
	write_teams(&comms);
	free(comms.members);
}

OTF2_ErrorCode convert_write_set(
    OTF2_Archive *archive, struct convert_set *set, const struct convert_reference *reference)
{
	struct writing writing = {.writer = OTF2_Archive_GetGlobalDefWriter(archive), .set = set};

	if (writing.writer == NULL)
		return OTF2_ERROR_INVALID_CALL;
	for (size_t i = 0; i < set->ranks.count; i++)
		writing.locations += rank_words(&writing, i)[SET_RANK_LOCATIONS];
	string_ref(&writing, "");
	write_clock(&writing, reference);
	write_paradigms(&writing);
	write_processes(&writing);
	write_regions(&writing);
	write_locations(&writing);
	write_locks(&writing);
	write_callers(&writing);
	write_comms(&writing);
	write_metrics(&writing);
	write_contexts(&writing);
	write_parameters(&writing);
	check(&writing, OTF2_Archive_CloseGlobalDefWriter(archive, writing.writer));
	return writing.error;
}
