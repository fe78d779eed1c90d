/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global definitions of an archive, of one process or of many ranks. A machine has its
 * processes, a process its locations. Regions, metrics and parameters have the numbers that they
 * have in the set.
 */
#include "definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void convert_writing_check(struct convert_writing *writing, OTF2_ErrorCode code)
{
	if (writing->error == OTF2_SUCCESS)
		writing->error = code;
}

OTF2_StringRef convert_writing_string(struct convert_writing *writing, const char *text)
{
	uint32_t ref = convert_strings_place(&writing->set->strings, text);

	if (ref == UINT32_MAX)
		convert_writing_check(writing, OTF2_ERROR_ENOMEM);
	for (; writing->written < writing->set->strings.count; writing->written++)
		convert_writing_check(
		    writing, OTF2_GlobalDefWriter_WriteString(writing->writer, writing->written,
				 writing->set->strings.text[writing->written]));
	return ref;
}

static void write_clock(struct convert_writing *writing, const struct convert_reference *reference)
{
	uint64_t begin = UINT64_MAX, finish = 0;

	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		const uint64_t *rank = convert_writing_rank(writing, i);
		begin = rank[SET_RANK_BEGIN] < begin ? rank[SET_RANK_BEGIN] : begin;
		finish = rank[SET_RANK_FINISH] > finish ? rank[SET_RANK_FINISH] : finish;
	}
	double later = ((double)begin - (double)reference->start.ticks) * 1e9 /
		       (double)reference->ticks_per_second;
	convert_writing_check(writing,
	    OTF2_GlobalDefWriter_WriteClockProperties(writing->writer, reference->ticks_per_second,
		begin, finish - begin + 1, reference->start.realtime + (uint64_t)(int64_t)later));
}

static void write_paradigms(struct convert_writing *writing)
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
		if (paradigms[i].paradigm == OTF2_PARADIGM_MPI &&
		    !convert_writing_has_ranks(writing))
			continue;
		convert_writing_check(writing,
		    OTF2_GlobalDefWriter_WriteParadigm(writing->writer, paradigms[i].paradigm,
			convert_writing_string(writing, paradigms[i].name), paradigms[i].class));
		if (paradigms[i].comms == NULL)
			continue;
		OTF2_AttributeValue template = {
		    .stringRef = convert_writing_string(writing, paradigms[i].comms)};
		convert_writing_check(
		    writing, OTF2_GlobalDefWriter_WriteParadigmProperty(writing->writer,
				 paradigms[i].paradigm, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
				 OTF2_TYPE_STRING, template));
	}
}

/* Node 0 is the machine, one node for each host behind it, in the order of their first ranks. */
static void write_nodes(struct convert_writing *writing, uint32_t *node_of_rank)
{
	size_t strings = writing->set->strings.count; /* hosts are among those */
	uint32_t *node_of_host = calloc(strings + 1, sizeof(*node_of_host)), nodes = 1;

	if (node_of_host == NULL) {
		convert_writing_check(writing, OTF2_ERROR_ENOMEM);
		return;
	}
	OTF2_StringRef machine = convert_writing_string(writing, "machine"),
		       class = convert_writing_string(writing, "node");
	convert_writing_check(writing, OTF2_GlobalDefWriter_WriteSystemTreeNode(writing->writer, 0,
					   machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	convert_writing_check(writing, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
					   writing->writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		uint64_t host = convert_writing_rank(writing, i)[SET_RANK_HOST];
		if (node_of_host[host] == 0) {
			node_of_host[host] = nodes;
			convert_writing_check(
			    writing, OTF2_GlobalDefWriter_WriteSystemTreeNode(
					 writing->writer, nodes, (OTF2_StringRef)host, class, 0));
			convert_writing_check(
			    writing, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writing->writer,
					 nodes, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
			nodes++;
		}
		node_of_rank[i] = node_of_host[host];
	}
	free(node_of_host);
}

static void write_processes(struct convert_writing *writing)
{
	uint32_t *node = calloc(writing->set->ranks.count + 1, sizeof(*node));
	char name[64];

	if (node == NULL) {
		convert_writing_check(writing, OTF2_ERROR_ENOMEM);
		return;
	}
	write_nodes(writing, node);
	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		uint64_t number = convert_writing_rank(writing, i)[SET_RANK_NUMBER];
		snprintf(name, sizeof(name), number != SET_NO_RANK ? "MPI Rank %llu" : "Process",
		    (unsigned long long)number);
		convert_writing_check(writing,
		    OTF2_GlobalDefWriter_WriteLocationGroup(writing->writer, (uint32_t)i,
			convert_writing_string(writing, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
			node[i], OTF2_UNDEFINED_LOCATION_GROUP));
	}
	free(node);
}

static void write_locations(struct convert_writing *writing)
{
	OTF2_LocationRef location = 0;

	for (size_t i = 0; i < writing->set->ranks.count; i++) {
		const uint64_t *rank = convert_writing_rank(writing, i);
		for (uint64_t own = 0; own < rank[SET_RANK_LOCATIONS]; own++, location++)
			convert_writing_check(
			    writing, OTF2_GlobalDefWriter_WriteLocation(writing->writer, location,
					 (OTF2_StringRef)rank[SET_RANK_WORDS + own * 2],
					 OTF2_LOCATION_TYPE_CPU_THREAD,
					 rank[SET_RANK_WORDS + own * 2 + 1], (uint32_t)i));
	}
}

static void write_regions(struct convert_writing *writing)
{
	for (size_t i = 0; i < writing->set->regions.count; i++) {
		size_t count;
		const uint64_t *region = convert_pool_at(&writing->set->regions, i, &count);
		OTF2_StringRef name = (OTF2_StringRef)region[SET_REGION_NAME];
		convert_writing_check(writing,
		    OTF2_GlobalDefWriter_WriteRegion(writing->writer, (uint32_t)i, name, name,
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

/* What it counts: by the names that getrusage() and PAPI give. */
static OTF2_MetricType metric_type(const char *name, const char *unit)
{
	if (strncmp(name, "ru_", 3) == 0)
		return OTF2_METRIC_TYPE_RUSAGE;
	return strcmp(unit, "ns") == 0 ? OTF2_METRIC_TYPE_OTHER : OTF2_METRIC_TYPE_PAPI;
}

/* words: name, unit and meaning. */
static void write_metric(
    struct convert_writing *writing, OTF2_MetricMemberRef ref, const uint64_t *words)
{
	char **text = writing->set->strings.text;
	bool is_time = strcmp(text[words[1]], "ns") == 0;
	OTF2_MetricType type = metric_type(text[words[0]], text[words[1]]);

	convert_writing_check(writing,
	    OTF2_GlobalDefWriter_WriteMetricMember(writing->writer, ref, (OTF2_StringRef)words[0],
		(OTF2_StringRef)words[2], type, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
		OTF2_BASE_DECIMAL, is_time ? -9 : 0,
		is_time ? convert_writing_string(writing, "s") : (OTF2_StringRef)words[1]));
}

static void write_metrics(struct convert_writing *writing)
{
	uint32_t member = 0;

	for (size_t i = 0; i < writing->set->metrics.count; i++) {
		size_t count;
		const uint64_t *class = convert_pool_at(&writing->set->metrics, i, &count);
		OTF2_MetricMemberRef members[TRACE_LOG_METRICS_MAX];
		for (size_t own = 0; own < count / 3; own++)
			write_metric(writing, members[own] = member++, class + 1 + own * 3);
		convert_writing_check(writing,
		    OTF2_GlobalDefWriter_WriteMetricClass(writing->writer, (uint32_t)i,
			(uint8_t)(count / 3), members,
			class[0] ? OTF2_METRIC_SYNCHRONOUS_STRICT : OTF2_METRIC_SYNCHRONOUS,
			OTF2_RECORDER_KIND_CPU));
	}
}

static void write_parameters(struct convert_writing *writing)
{
	static const OTF2_ParameterType types[] = {
	    [TRACE_LOG_TEXT_INT64] = OTF2_PARAMETER_TYPE_INT64,
	    [TRACE_LOG_TEXT_UINT64] = OTF2_PARAMETER_TYPE_UINT64,
	    [TRACE_LOG_TEXT_STRING] = OTF2_PARAMETER_TYPE_STRING,
	};

	for (size_t i = 0; i < writing->set->parameters.count; i++) {
		size_t count;
		const uint64_t *words = convert_pool_at(&writing->set->parameters, i, &count);
		convert_writing_check(
		    writing, OTF2_GlobalDefWriter_WriteParameter(writing->writer, (uint32_t)i,
				 (OTF2_StringRef)words[0], types[words[1]]));
	}
}

OTF2_ErrorCode convert_write_set(
    OTF2_Archive *archive, struct convert_set *set, const struct convert_reference *reference)
{
	struct convert_writing writing = {
	    .writer = OTF2_Archive_GetGlobalDefWriter(archive), .set = set};

	if (writing.writer == NULL)
		return OTF2_ERROR_INVALID_CALL;
	for (size_t i = 0; i < set->ranks.count; i++)
		writing.locations += convert_writing_rank(&writing, i)[SET_RANK_LOCATIONS];
	convert_writing_string(&writing, "");
	write_clock(&writing, reference);
	write_paradigms(&writing);
	write_processes(&writing);
	write_regions(&writing);
	write_locations(&writing);
	convert_write_comms(&writing);
	write_metrics(&writing);
	write_parameters(&writing);
	convert_writing_check(&writing, OTF2_Archive_CloseGlobalDefWriter(archive, writing.writer));
	return writing.error;
}
