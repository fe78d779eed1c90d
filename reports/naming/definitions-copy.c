/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One callback for each kind of definition that the conversion writes: it counts the definition
 * and, if there is a writer, writes it. New texts get references after all existing ones.
 */
#include "definitions-copy.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

struct copy {
	struct naming_definitions *definitions; /* filled if there is no writer */
	OTF2_GlobalDefWriter *writer;           /* NULL: read only */
	uint64_t added;
	OTF2_StringRef next; /* the next free string reference */
	OTF2_ErrorCode code; /* the first write error */
	bool has_contexts;   /* one was written */
};

static OTF2_CallbackCode note(struct copy *copy, OTF2_ErrorCode code)
{
	if (copy->writer == NULL)
		copy->definitions->seen++;
	else if (copy->code == OTF2_SUCCESS)
		copy->code = code;
	return copy->code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

#define PARAMETERS(...) __VA_ARGS__
/* Copies a kind without changes. */
#define COPY(kind, parameters, ...)                                                                \
	static OTF2_CallbackCode copy_##kind(void *context, parameters)                            \
	{                                                                                          \
		struct copy *copy = context;                                                       \
		return note(copy, copy->writer == NULL ? OTF2_SUCCESS                              \
						       : OTF2_GlobalDefWriter_Write##kind(         \
							     copy->writer, __VA_ARGS__));          \
	}

COPY(ClockProperties,
    PARAMETERS(uint64_t resolution, uint64_t start, uint64_t length, uint64_t realtime), resolution,
    start, length, realtime)
COPY(Paradigm, PARAMETERS(OTF2_Paradigm paradigm, OTF2_StringRef name, OTF2_ParadigmClass class),
    paradigm, name, class)
COPY(ParadigmProperty,
    PARAMETERS(OTF2_Paradigm paradigm, OTF2_ParadigmProperty property, OTF2_Type type,
	OTF2_AttributeValue value),
    paradigm, property, type, value)
COPY(SystemTreeNode,
    PARAMETERS(OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef class,
	OTF2_SystemTreeNodeRef parent),
    self, name, class, parent)
COPY(SystemTreeNodeDomain, PARAMETERS(OTF2_SystemTreeNodeRef self, OTF2_SystemTreeDomain domain),
    self, domain)
COPY(LocationGroup,
    PARAMETERS(OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
	OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator),
    self, name, type, node, creator)
COPY(LocationGroupProperty,
    PARAMETERS(OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type,
	OTF2_AttributeValue value),
    group, name, type, value)
COPY(Location,
    PARAMETERS(OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t events,
	OTF2_LocationGroupRef group),
    self, name, type, events, group)
COPY(Group,
    PARAMETERS(OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
	OTF2_GroupFlag flags, uint32_t count, const uint64_t *members),
    self, name, type, paradigm, flags, count, members)
COPY(Comm,
    PARAMETERS(OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
	OTF2_CommFlag flags),
    self, name, group, parent, flags)
COPY(MetricMember,
    PARAMETERS(OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description,
	OTF2_MetricType type, OTF2_MetricMode mode, OTF2_Type value, OTF2_Base base,
	int64_t exponent, OTF2_StringRef unit),
    self, name, description, type, mode, value, base, exponent, unit)
COPY(MetricClass,
    PARAMETERS(OTF2_MetricRef self, uint8_t count, const OTF2_MetricMemberRef *members,
	OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder),
    self, count, members, occurrence, recorder)
COPY(Parameter, PARAMETERS(OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type),
    self, name, type)
COPY(InterruptGenerator,
    PARAMETERS(OTF2_InterruptGeneratorRef self, OTF2_StringRef name,
	OTF2_InterruptGeneratorMode mode, OTF2_Base base, int64_t exponent, uint64_t period),
    self, name, mode, base, exponent, period)

/* Limit for damaged files, which may contain huge string references. */
enum { STRINGS_MOST = 1 << 24 };

static OTF2_CallbackCode copy_String(void *context, OTF2_StringRef self, const char *text)
{
	struct copy *copy = context;
	struct naming_definitions *definitions = copy->definitions;

	if (copy->writer != NULL)
		return note(copy, OTF2_GlobalDefWriter_WriteString(copy->writer, self, text));
	if (self < STRINGS_MOST) {
		size_t wanted = (size_t)self + 1;
		size_t from = definitions->string_count;

		MEMORY_GROW(definitions->strings, definitions->string_room, wanted);
		for (; from < wanted; from++)
			definitions->strings[from] = NULL;
		if (wanted > definitions->string_count)
			definitions->string_count = wanted;
		free(definitions->strings[self]);
		definitions->strings[self] = memory_copy_text(text);
	}
	return note(copy, OTF2_SUCCESS);
}

static const char *string_of(const struct naming_definitions *definitions, OTF2_StringRef ref)
{
	return ref < definitions->string_count && definitions->strings[ref] != NULL
		   ? definitions->strings[ref]
		   : "";
}

/* The reference of a text; a new text is written and remembered. */
static OTF2_StringRef new_string(struct copy *copy, const char *text)
{
	struct naming_definitions *definitions = copy->definitions;

	for (size_t i = 0; i < definitions->string_count; i++)
		if (definitions->strings[i] != NULL && strcmp(definitions->strings[i], text) == 0)
			return (OTF2_StringRef)i;
	note(copy, OTF2_GlobalDefWriter_WriteString(copy->writer, copy->next, text));
	*MEMORY_ADD(definitions->strings, definitions->string_room, definitions->string_count) =
	    memory_copy_text(text);
	copy->added++;
	return copy->next++;
}

static struct naming_region *find_region(
    const struct naming_definitions *definitions, OTF2_RegionRef ref)
{
	uint64_t index = map_find(&definitions->region_of, ref);

	return index == MAP_NONE ? NULL : &definitions->regions.region[index];
}

static OTF2_CallbackCode copy_Region(void *context, OTF2_RegionRef self, OTF2_StringRef name,
    OTF2_StringRef canonical, OTF2_StringRef description, OTF2_RegionRole role,
    OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
    uint32_t end)
{
	struct copy *copy = context;
	struct naming_definitions *definitions = copy->definitions;
	struct naming_regions *regions = &definitions->regions;

	if (copy->writer == NULL) {
		memory_map_set(&definitions->region_of, self, regions->count);
		*MEMORY_ADD(regions->region, regions->room, regions->count) =
		    (struct naming_region){
			.ref = self,
			.name = memory_copy_text(string_of(definitions, name)),
			.code = memory_copy_text(string_of(definitions, canonical)),
			.begin = begin,
			.is_sample = paradigm == OTF2_PARADIGM_SAMPLING,
		    };
		return note(copy, OTF2_SUCCESS);
	}
	const struct naming_region *region = find_region(definitions, self);
	if (region != NULL && region->new_function != NULL)
		description = new_string(copy, region->new_function);
	if (region != NULL && region->new_name != NULL) {
		name = new_string(copy, region->new_name);
		file = new_string(copy, region->new_file);
	}
	if (region != NULL && region->new_name != NULL && !region->is_sample) {
		begin = region->new_begin;
		end = region->new_end;
	}
	if (region != NULL && region->new_begin > 0 && region->is_sample)
		canonical = name; /* its place is known now, and not asked for again */
	return note(copy, OTF2_GlobalDefWriter_WriteRegion(copy->writer, self, name, canonical,
			      description, role, paradigm, flags, file, begin, end));
}

static OTF2_CallbackCode copy_SourceCodeLocation(
    void *context, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, uint32_t line)
{
	struct copy *copy = context;

	if (copy->writer != NULL)
		return note(copy,
		    OTF2_GlobalDefWriter_WriteSourceCodeLocation(copy->writer, self, file, line));
	if (self >= copy->definitions->places)
		copy->definitions->places = self + 1;
	return note(copy, OTF2_SUCCESS);
}

/* Contexts come after all places in the source, so that those of new lines are written before. */
static void write_new_places(struct copy *copy)
{
	struct naming_regions *regions = &copy->definitions->regions;
	uint32_t next = copy->definitions->places;

	for (size_t i = 0; i < regions->count; i++) {
		struct naming_region *region = &regions->region[i];

		if (!region->is_sample || region->new_begin == 0)
			continue;
		region->new_place = next++;
		note(copy,
		    OTF2_GlobalDefWriter_WriteSourceCodeLocation(copy->writer, region->new_place,
			new_string(copy, region->new_file), region->new_begin));
		copy->added++;
	}
}

static OTF2_CallbackCode copy_CallingContext(void *context, OTF2_CallingContextRef self,
    OTF2_RegionRef region_ref, OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
	struct copy *copy = context;
	const struct naming_region *region = find_region(copy->definitions, region_ref);

	if (copy->writer == NULL)
		return note(copy, OTF2_SUCCESS);
	if (!copy->has_contexts)
		write_new_places(copy);
	copy->has_contexts = true;
	if (region != NULL && region->is_sample && region->new_begin > 0)
		place = region->new_place;
	return note(copy, OTF2_GlobalDefWriter_WriteCallingContext(
			      copy->writer, self, region_ref, place, parent));
}

static OTF2_GlobalDefReaderCallbacks *callbacks_new(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

#define SET(kind) OTF2_GlobalDefReaderCallbacks_Set##kind##Callback(callbacks, copy_##kind)
	if (callbacks == NULL)
		return NULL;
	SET(ClockProperties);
	SET(Paradigm);
	SET(ParadigmProperty);
	SET(String);
	SET(SystemTreeNode);
	SET(SystemTreeNodeDomain);
	SET(LocationGroup);
	SET(LocationGroupProperty);
	SET(Location);
	SET(Region);
	SET(Group);
	SET(Comm);
	SET(MetricMember);
	SET(MetricClass);
	SET(Parameter);
	SET(SourceCodeLocation);
	SET(CallingContext);
	SET(InterruptGenerator);
#undef SET
	return callbacks;
}

/* Reads all definitions once. */
static OTF2_ErrorCode read_all(struct copy *copy, const char *anchor, uint64_t *count)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	OTF2_ErrorCode code = OTF2_ERROR_FILE_INTERACTION;

	*count = 0;
	if (reader == NULL)
		return code;
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = callbacks_new();
	if (definitions != NULL && callbacks != NULL)
		code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, copy);
	if (code == OTF2_SUCCESS)
		code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, count);
	if (callbacks != NULL)
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	OTF2_Reader_Close(reader);
	return copy->code != OTF2_SUCCESS ? copy->code : code;
}

OTF2_ErrorCode naming_read(
    struct naming_definitions *definitions, const char *anchor, uint64_t *all)
{
	struct copy copy = {.definitions = definitions};
	OTF2_ErrorCode code = read_all(&copy, anchor, all);

	naming_prepare(&definitions->regions);
	return code;
}

OTF2_ErrorCode naming_copy(struct naming_definitions *definitions, const char *anchor,
    OTF2_GlobalDefWriter *writer, uint64_t *added)
{
	struct copy copy = {
	    .definitions = definitions,
	    .writer = writer,
	    .next = (OTF2_StringRef)definitions->string_count,
	};
	uint64_t count;
	OTF2_ErrorCode code = read_all(&copy, anchor, &count);

	*added = copy.added;
	return code;
}

void naming_definitions_free(struct naming_definitions *definitions)
{
	for (size_t i = 0; i < definitions->string_count; i++)
		free(definitions->strings[i]);
	free(definitions->strings);
	naming_free(&definitions->regions);
	map_free(&definitions->region_of);
	*definitions = (struct naming_definitions){0};
}
