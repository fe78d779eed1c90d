/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads an archive's global definitions. References need not be dense, and a definition may refer
 * to another one that comes later. Strings and system tree nodes are therefore read first, in a
 * pass of their own, and all other references are resolved at the end. A missing string is the
 * empty string.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "file-records.h"
#include "memory.h"
#include "shared/code-names.h"
#include "shared/sample-counters.h"
#include "shared/trace-convert.h"
#include "shared/loop-marks.h"
#include "shared/trace-usage.h"

/*
 * Score-P and our own writer number each kind from 0; some readers use references as array indices.
 */
static void note_reference(struct archive *archive, uint64_t ref, size_t index)
{
	archive->sparse_definitions += ref != index;
}

static void note_defined(struct archive *archive, enum archive_definition kind)
{
	archive->defined |= 1u << kind;
}

/*
 * Makes room for one more element in the array `items` of the archive, counted by item_count, and
 * gives its index.
 */
#define APPEND(archive, item)                                                                      \
	(MEMORY_GROW((archive)->item##s, (archive)->item##_room, (archive)->item##_count + 1),     \
	    (archive)->item##_count++)

static OTF2_CallbackCode read_clock(
    void *context, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
	struct archive *archive = context;

	note_defined(archive, DEFINED_CLOCK);
	archive->ticks_per_second = resolution;
	archive->clock_start = offset;
	archive->clock_length = length;
	archive->realtime = realtime == OTF2_UNDEFINED_TIMESTAMP ? 0 : realtime;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_string(void *context, OTF2_StringRef self, const char *string)
{
	struct archive *archive = context;
	size_t index = APPEND(archive, string);

	archive->strings[index] = memory_copy_text(string ? string : "");
	memory_map_set(&archive->string_of, self, index);
	note_reference(archive, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_node(void *context, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
    OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
	(void)class_name, (void)parent;
	memory_map_set(&((struct archive *)context)->host_of, self, name);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_location_group(void *context, OTF2_LocationGroupRef self,
    OTF2_StringRef name, OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
    OTF2_LocationGroupRef creator)
{
	struct archive *archive = context;
	size_t index = APPEND(archive, group);

	(void)creator;
	if (type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
		note_defined(archive, DEFINED_PROCESS);
	archive->groups[index] = (struct archive_group){
	    .name = archive_string(archive, name),
	    .host = archive_string(archive, archive_index(&archive->host_of, parent)),
	    .type = type,
	};
	memory_map_set(&archive->group_of, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

/* Cuts the text at its first line feed. Returns what is behind it; NULL: there is none. */
static char *cut_line(char *text)
{
	char *end = text != NULL ? strchr(text, '\n') : NULL;

	if (end != NULL)
		*end++ = '\0';
	return end;
}

/* A value that is none, as a damaged file may have, is left out. */
static void read_caller(struct archive *archive, const char *value)
{
	unsigned long long number[5];
	int begin = 0;

	if (sscanf(value, "%llu %llu %llu %llu %llu %n", &number[0], &number[1], &number[2],
		&number[3], &number[4], &begin) < 5 ||
	    begin == 0 || number[3] > INT_MAX || number[4] > INT_MAX)
		return;
	struct archive_caller caller = {.region = archive_index(&archive->region_of, number[0]),
	    .calls = number[1],
	    .time = number[2],
	    .line = (int)number[3],
	    .inner_line = (int)number[4],
	    .text = memory_copy_text(value + begin)};
	caller.file = cut_line(caller.text);
	caller.inner_function = cut_line((char *)caller.file);
	caller.inner_file = cut_line((char *)caller.inner_function);
	if (caller.inner_file == NULL || caller.region == ARCHIVE_NO_INDEX) {
		free(caller.text);
		return;
	}
	MEMORY_GROW(archive->callers, archive->caller_room, archive->caller_count + 1);
	archive->callers[archive->caller_count++] = caller;
}

/*
 * In libpomp's archives, properties of the group are the names of locks and the lines that called
 * regions.
 */
static OTF2_CallbackCode read_location_group_property(void *context, OTF2_LocationGroupRef group,
    OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	struct archive *archive = context;
	const size_t length = strlen(TRACE_LOCK_PROPERTY);
	const char *property = archive_string(archive, name);
	uint32_t text = type == OTF2_TYPE_STRING
			    ? archive_index(&archive->string_of, value.stringRef)
			    : ARCHIVE_NO_INDEX;
	char *end;

	(void)group;
	if (text != ARCHIVE_NO_INDEX &&
	    strncmp(property, TRACE_CALLER_PROPERTY, strlen(TRACE_CALLER_PROPERTY)) == 0)
		read_caller(archive, archive->strings[text]);
	if (text == ARCHIVE_NO_INDEX || strncmp(property, TRACE_LOCK_PROPERTY, length) != 0)
		return OTF2_CALLBACK_SUCCESS;
	uint64_t number = strtoull(property + length, &end, 10);
	if (end != property + length && *end == '\0')
		memory_map_set(&archive->lock_name_of, number, text);
	return OTF2_CALLBACK_SUCCESS;
}

/* A damaged file can define a location twice; without this check its events would be read twice. */
static OTF2_CallbackCode read_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
    OTF2_LocationType type, uint64_t events, OTF2_LocationGroupRef group)
{
	struct archive *archive = context;
	size_t index;

	if (map_find(&archive->location_of, self) != MAP_NONE)
		return OTF2_CALLBACK_SUCCESS;
	index = APPEND(archive, location);
	memory_map_set(&archive->location_of, self, index);
	archive->locations[index] = (struct archive_location){
	    .ref = self,
	    .name = archive_string(archive, name),
	    .group = group, /* the reference, until resolve_references() */
	    .type = type,
	    .events_announced = events,
	};
	return OTF2_CALLBACK_SUCCESS;
}

/* For code that was not recompiled, libpomp writes the place of the code as the canonical name. */
static enum summary_code code_of(const char *canonical_name)
{
	struct code_place place;
	char *text;
	enum summary_code code = SUMMARY_INSTRUMENTED;

	if (strncmp(canonical_name, CODE_PLACE_PREFIX, strlen(CODE_PLACE_PREFIX)) != 0)
		return code;
	text = memory_copy_text(canonical_name);
	if (code_place_read(text, &place))
		code = place.is_gnu ? SUMMARY_CODE_GNU : SUMMARY_CODE;
	free(text);
	return code;
}

static OTF2_CallbackCode read_region(void *context, OTF2_RegionRef self, OTF2_StringRef name,
    OTF2_StringRef canonical_name, OTF2_StringRef description, OTF2_RegionRole role,
    OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
    uint32_t end_line)
{
	struct archive *archive = context;
	size_t index = APPEND(archive, region);

	(void)flags;
	archive->regions[index] = (struct archive_region){
	    .name = archive_string(archive, name),
	    .file = archive_string(archive, file),
	    .file_ref = file,
	    .begin_line = begin_line == OTF2_UNDEFINED_UINT32 ? 0 : begin_line,
	    .end_line = end_line == OTF2_UNDEFINED_UINT32 ? 0 : end_line,
	    .code = paradigm == OTF2_PARADIGM_SAMPLING
			? SUMMARY_INSTRUMENTED
			: code_of(archive_string(archive, canonical_name)),
	    .function = "",
	    .role = role,
	    .paradigm = paradigm,
	};
	if (archive->regions[index].code != SUMMARY_INSTRUMENTED)
		archive->regions[index].function = archive_string(archive, description);
	memory_map_set(&archive->region_of, self, index);
	note_reference(archive, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_group(void *context, OTF2_GroupRef self, OTF2_StringRef name,
    OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count,
    const uint64_t *members)
{
	struct archive *archive = context;
	size_t index = APPEND(archive, list);
	struct archive_list *list = &archive->lists[index];

	(void)name;
	*list = (struct archive_list){
	    .members = memory_new(count, sizeof(list->members[0])),
	    .count = count,
	    .type = type,
	    .paradigm = paradigm,
	    .has_locations = (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0,
	};
	for (uint32_t i = 0; i < count; i++)
		list->members[i] = members[i];
	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_OPENMP)
		note_defined(archive, DEFINED_LOCATIONS);
	memory_map_set(&archive->list_of, self, index);
	note_reference(archive, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_comm(void *context, OTF2_CommRef self, OTF2_StringRef name,
    OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	struct archive *archive = context;
	size_t index = APPEND(archive, comm);

	(void)flags;
	archive->comms[index] = (struct archive_comm){
	    .name = archive_string(archive, name),
	    .members = group, /* the reference, until resolve_references() */
	    .has_parent = parent != OTF2_UNDEFINED_COMM,
	};
	memory_map_set(&archive->comm_of, self, index);
	note_reference(archive, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

/*
 * An inter-communicator joins two groups: which process a rank means depends on the side that uses
 * it.
 */
static OTF2_CallbackCode read_inter_comm(void *context, OTF2_CommRef self, OTF2_StringRef name,
    OTF2_GroupRef one, OTF2_GroupRef other, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	struct archive *archive = context;
	size_t index = APPEND(archive, comm);

	(void)one, (void)other, (void)flags;
	archive->comms[index] = (struct archive_comm){
	    .name = archive_string(archive, name),
	    .members = ARCHIVE_NO_INDEX,
	    .has_parent = parent != OTF2_UNDEFINED_COMM,
	    .is_inter = true,
	};
	memory_map_set(&archive->comm_of, self, index);
	note_reference(archive, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_paradigm(
    void *context, OTF2_Paradigm paradigm, OTF2_StringRef name, OTF2_ParadigmClass paradigm_class)
{
	(void)name;
	if (paradigm == OTF2_PARADIGM_OPENMP &&
	    paradigm_class == OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN)
		note_defined(context, DEFINED_PARADIGM);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_domain(
    void *context, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain)
{
	(void)node;
	if (domain == OTF2_SYSTEM_TREE_DOMAIN_MACHINE)
		note_defined(context, DEFINED_MACHINE);
	if (domain == OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY)
		note_defined(context, DEFINED_SHARED_MEMORY);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode read_code_location(
    void *context, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, uint32_t line)
{
	struct archive *archive = context;

	memory_map_set(&archive->file_of, self, file);
	memory_map_set(&archive->line_of, self, line);
	return OTF2_CALLBACK_SUCCESS;
}

/*
 * Without a place in the source, a context has the file of its function. A parent that comes later
 * would make circles possible: it counts as missing.
 */
static OTF2_CallbackCode read_context(void *context, OTF2_CallingContextRef self,
    OTF2_RegionRef region, OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
	struct archive *archive = context;
	uint32_t line = archive_index(&archive->line_of, place);
	size_t index = APPEND(archive, context);
	struct archive_context *made = &archive->contexts[index];

	*made = (struct archive_context){
	    .region = archive_index(&archive->region_of, region),
	    .file = "",
	    .line = line == ARCHIVE_NO_INDEX ? 0 : line,
	    .parent = archive_index(&archive->context_of, parent),
	};
	if (line != ARCHIVE_NO_INDEX)
		made->file = archive_string(
		    archive, (OTF2_StringRef)archive_index(&archive->file_of, place));
	else if (made->region != ARCHIVE_NO_INDEX)
		made->file = archive->regions[made->region].file;
	memory_map_set(&archive->context_of, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

/* Nanoseconds of a period that a generator counts in seconds; 0: too large for them. */
static uint64_t period_in_nanoseconds(OTF2_Base base, int64_t exponent, uint64_t period)
{
	double seconds = (double)period, step = base == OTF2_BASE_BINARY ? 2 : 10;

	for (int64_t i = 0; i < exponent && i < 64; i++)
		seconds *= step;
	for (int64_t i = 0; i > exponent && i > -64; i--)
		seconds /= step;
	return seconds < 1e9 ? (uint64_t)(seconds * 1e9 + 0.5) : 0;
}

/* Names tell samples of blocked threads, of page faults, and of no time from all others. */
static OTF2_CallbackCode read_generator(void *context, OTF2_InterruptGeneratorRef self,
    OTF2_StringRef name, OTF2_InterruptGeneratorMode mode, OTF2_Base base, int64_t exponent,
    uint64_t period)
{
	struct archive *archive = context;
	if (strcmp(archive_string(archive, name), TRACE_BLOCKED_GENERATOR) == 0) {
		archive->blocked_generator = self;
		return OTF2_CALLBACK_SUCCESS;
	}
	if (strcmp(archive_string(archive, name), TRACE_COUNTED_GENERATOR) == 0) {
		archive->counted_generator = self;
		return OTF2_CALLBACK_SUCCESS;
	}
	if (strcmp(archive_string(archive, name), TRACE_FAULT_GENERATOR) == 0)
		archive->fault_generator = self;
	uint64_t own = mode == OTF2_INTERRUPT_GENERATOR_MODE_TIME
			   ? period_in_nanoseconds(base, exponent, period)
			   : 0;

	if (archive->sample_generators++ == 0)
		archive->sample_period = own;
	else if (archive->sample_period != own)
		archive->sample_period = 0;
	return OTF2_CALLBACK_SUCCESS;
}

static struct archive_metric_class *add_metric_class(struct archive *archive, OTF2_MetricRef self)
{
	size_t index = archive->metric_class_count++;

	MEMORY_GROW(
	    archive->metric_classes, archive->metric_class_room, archive->metric_class_count);
	archive->metric_classes[index] = (struct archive_metric_class){
	    .instance_of = OTF2_UNDEFINED_METRIC, .location = ARCHIVE_NO_INDEX};
	memory_map_set(&archive->metric_class_of, self, index);
	return &archive->metric_classes[index];
}

static OTF2_CallbackCode read_metric_class(void *context, OTF2_MetricRef self, uint8_t count,
    const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence,
    OTF2_RecorderKind recorder)
{
	struct archive *archive = context;
	struct archive_metric_class *class = add_metric_class(archive, self);

	(void)recorder;
	class->metrics = memory_new(count, sizeof(class->metrics[0]));
	class->count = count;
	class->is_synchronous = occurrence != OTF2_METRIC_ASYNCHRONOUS;
	for (uint8_t i = 0; i < count; i++)
		class->metrics[i] = members[i]; /* references, until resolve_references() */
	if (count > archive->largest_metric_class)
		archive->largest_metric_class = count;
	archive->strict_metrics |= occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT;
	return OTF2_CALLBACK_SUCCESS;
}

/* Classes and their instances share one range of references. */
static OTF2_CallbackCode read_metric_instance(void *context, OTF2_MetricRef self,
    OTF2_MetricRef class_ref, OTF2_LocationRef recorder, OTF2_MetricScope scope, uint64_t scope_ref)
{
	struct archive *archive = context;
	struct archive_metric_class *class = add_metric_class(archive, self);

	class->instance_of = class_ref;
	class->scope = SCOPE_WIDER;
	if (scope == OTF2_SCOPE_LOCATION)
		class->scope = scope_ref == recorder ? SCOPE_RECORDER : SCOPE_LOCATION;
	class->scope_ref = scope_ref;
	return OTF2_CALLBACK_SUCCESS;
}

/* Converts seconds to nanoseconds; 0 if the scale is not a whole number. */
static uint64_t scale_of(const char **unit, OTF2_Base base, int64_t exponent)
{
	uint64_t scale = 1;

	if (strcmp(*unit, "s") == 0 && base == OTF2_BASE_DECIMAL && exponent >= -9 &&
	    exponent <= 0) {
		*unit = "ns";
		exponent += 9;
	}
	if (exponent < 0 || exponent > (base == OTF2_BASE_DECIMAL ? 18 : 60))
		return 0;
	for (; exponent > 0; exponent--)
		scale *= base == OTF2_BASE_DECIMAL ? 10 : 2;
	return scale;
}

static OTF2_CallbackCode read_metric(void *context, OTF2_MetricMemberRef self, OTF2_StringRef name,
    OTF2_StringRef description, OTF2_MetricType type, OTF2_MetricMode mode, OTF2_Type value_type,
    OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
	struct archive *archive = context;
	size_t index = APPEND(archive, metric);
	struct archive_metric *metric;

	note_reference(archive, self, index);
	(void)description, (void)type;
	metric = &archive->metrics[index];
	*metric = (struct archive_metric){
	    .name = archive_string(archive, name),
	    .unit = archive_string(archive, unit),
	    .accumulates =
		mode == OTF2_METRIC_ACCUMULATED_START || mode == OTF2_METRIC_ACCUMULATED_POINT,
	};
	metric->is_double = value_type == OTF2_TYPE_DOUBLE;
	metric->scale = scale_of(&metric->unit, base, exponent);
	memory_map_set(&archive->metric_of, self, index);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode count_unknown(void *context)
{
	((struct archive *)context)->unknown_definitions++;
	return OTF2_CALLBACK_SUCCESS;
}

/* Strings and nodes: what other definitions use as names. */
static void set_name_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, read_string);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, read_node);
}

static void set_other_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, read_clock);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, read_location_group);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(
	    callbacks, read_location_group_property);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, read_location);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, read_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, read_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, read_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, read_inter_comm);
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, read_metric);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, read_metric_class);
	OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, read_metric_instance);
	OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(callbacks, read_code_location);
	OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, read_context);
	OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, read_generator);
	OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(callbacks, read_paradigm);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback(callbacks, read_domain);
	OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(callbacks, count_unknown);
}

/*
 * Reads those global definitions and keeps those for which `choose` sets callbacks. *why: why the
 * library ended early; else it is left as it is.
 */
static int read_chosen(struct archive *archive, void (*choose)(OTF2_GlobalDefReaderCallbacks *),
    uint64_t most, const char **why)
{
	OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(archive->reader);
	OTF2_GlobalDefReaderCallbacks *callbacks;
	OTF2_ErrorCode code;

	if (!reader)
		return -1;
	callbacks = OTF2_GlobalDefReaderCallbacks_New();
	choose(callbacks);
	OTF2_Reader_RegisterGlobalDefCallbacks(archive->reader, reader, callbacks, archive);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	code =
	    OTF2_Reader_ReadGlobalDefinitions(archive->reader, reader, most, &archive->definitions);
	if (code != OTF2_SUCCESS)
		*why = OTF2_Error_GetDescription(code);
	OTF2_Reader_CloseGlobalDefReader(archive->reader, reader);
	return 0;
}

/* An instance has the metrics of its class, or none if the class is missing. */
static void resolve_instance(struct archive *archive, struct archive_metric_class *instance)
{
	uint32_t index = archive_index(&archive->metric_class_of, instance->instance_of);
	const struct archive_metric_class *class;

	instance->location = archive_index(&archive->location_of, instance->scope_ref);
	if (index == ARCHIVE_NO_INDEX)
		return;
	class = &archive->metric_classes[index];
	if (class->instance_of != OTF2_UNDEFINED_METRIC)
		return;
	instance->metrics = memory_new(class->count, sizeof(class->metrics[0]));
	memcpy(instance->metrics, class->metrics, class->count * sizeof(class->metrics[0]));
	instance->count = class->count;
	instance->is_synchronous = class->is_synchronous;
}

/* Replaces references by indices, once all definitions have been read. */
static void resolve_references(struct archive *archive)
{
	for (size_t i = 0; i < archive->location_count; i++) {
		uint32_t *group = &archive->locations[i].group;

		*group = archive_index(&archive->group_of, *group);
	}
	for (size_t i = 0; i < archive->comm_count; i++) {
		struct archive_comm *comm = &archive->comms[i];

		comm->members = comm->is_inter ? ARCHIVE_NO_INDEX
					       : archive_index(&archive->list_of, comm->members);
		if (comm->members != ARCHIVE_NO_INDEX)
			comm->size = archive->lists[comm->members].count;
	}
	for (size_t i = 0; i < archive->metric_class_count; i++) {
		struct archive_metric_class *class = &archive->metric_classes[i];

		for (uint32_t j = 0; j < class->count; j++)
			class->metrics[j] = archive_index(&archive->metric_of, class->metrics[j]);
	}
}

/* Whether the class is of threads and has exactly the metrics with these names. */
static bool is_class(const struct archive *archive, const struct archive_metric_class *class,
    const char *const *names, uint32_t count)
{
	if (class->count != count || class->scope != SCOPE_RECORDER)
		return false;
	for (uint32_t i = 0; i < class->count; i++)
		if (class->metrics[i] == ARCHIVE_NO_INDEX ||
		    strcmp(archive->metrics[class->metrics[i]].name, names[i]) != 0)
			return false;
	return true;
}

/* Returns the set of counters of which the class is; 0: of something else. */
static uint64_t counters_of(const struct archive *archive, const struct archive_metric_class *class)
{
	static const char *const names[] = {
#define NAME(id, name, key) SAMPLE_COUNTER_METRIC(key),
	    SAMPLE_COUNTERS(NAME)
#undef NAME
	};
	uint64_t set = 0;
	int counter = 0;

	if (class->count > SAMPLE_COUNTERS_MOST || class->scope != SCOPE_RECORDER)
		return 0;
	for (uint32_t i = 0; i < class->count; i++, counter++) {
		while (counter < SAMPLE_COUNTER_COUNT &&
		       (class->metrics[i] == ARCHIVE_NO_INDEX ||
			   strcmp(archive->metrics[class->metrics[i]].name, names[counter]) != 0))
			counter++;
		if (counter == SAMPLE_COUNTER_COUNT)
			return 0;
		set |= UINT64_C(1) << counter;
	}
	return set;
}

/* The last ones, if there are several. */
static void find_own_classes(struct archive *archive)
{
#define NAME(id, name, unit, meaning) name,
	static const char *const usage[] = {TRACE_USAGE(NAME)}, *const mark[] = {LOOP_MARKS(NAME)};
#undef NAME

	archive->usage_class = archive->mark_class = archive->counter_class = ARCHIVE_NO_INDEX;
	for (uint32_t i = 0; i < archive->metric_class_count; i++) {
		const struct archive_metric_class *class = &archive->metric_classes[i];
		uint64_t counters = counters_of(archive, class);

		if (is_class(archive, class, usage, TRACE_USAGE_VALUES))
			archive->usage_class = i;
		if (is_class(archive, class, mark, LOOP_MARK_VALUES))
			archive->mark_class = i;
		if (counters != 0) {
			archive->counter_class = i;
			archive->counters = counters;
		}
	}
}

int archive_read_definitions(struct archive *archive, char **error)
{
	struct file_records records = archive_file_records(archive, CONTENT_DEFINITIONS, 0);
	const char *why = records.trouble;

	if (!records.is_readable) {
		*error = memory_print("its global definitions (*.def) cannot be read (%s)", why);
		return -1;
	}
	if (read_chosen(archive, set_name_callbacks, records.most, &why) != 0 ||
	    read_chosen(archive, set_other_callbacks, records.most, &why) != 0) {
		*error = memory_print("its global definitions (*.def) cannot be read (%s)",
		    archive->last_error ? archive->last_error : "no reason given");
		return -1;
	}
	if (why)
		archive_warn(archive,
		    "the definitions are damaged after %llu of them (%s); names may be missing",
		    (unsigned long long)archive->definitions, why);
	resolve_references(archive);
	if (archive->location_count == 0) {
		*error =
		    !why
			? memory_copy_text("the archive is empty: it defines no location (thread)")
			: memory_print("its global definitions (*.def) are cut off or damaged "
				       "after %llu of them, before the first location (thread): %s",
			      (unsigned long long)archive->definitions, why);
		return -1;
	}
	archive_order_processes(archive);
	for (size_t i = 0; i < archive->metric_class_count; i++) {
		if (archive->metric_classes[i].instance_of != OTF2_UNDEFINED_METRIC)
			resolve_instance(archive, &archive->metric_classes[i]);
	}
	find_own_classes(archive);
	archive_number_ranks(archive);
	if (archive->ticks_per_second == 0) {
		archive_warn(archive,
		    "the clock's resolution is missing; its ticks are taken as nanoseconds");
		archive->ticks_per_second = 1000000000;
	}
	return 0;
}
