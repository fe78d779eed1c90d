/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bare reader of OTF2: reads all events with callbacks for enter and leave that do nothing, and
 * prints how many there were. "merged" uses the library's reader of all locations in the order of
 * time; "each" reads one location after the other. For reading.py.
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct locations {
	OTF2_LocationRef *refs;
	size_t count, room;
};

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
    OTF2_LocationType type, uint64_t events, OTF2_LocationGroupRef group)
{
	struct locations *locations = context;

	(void)name, (void)type, (void)events, (void)group;
	if (locations->count == locations->room) {
		locations->room = 2 * locations->room + 64;
		locations->refs =
		    realloc(locations->refs, locations->room * sizeof(locations->refs[0]));
		if (!locations->refs)
			return OTF2_CALLBACK_INTERRUPT;
	}
	locations->refs[locations->count++] = self;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_local(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
    void *context, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	(void)location, (void)time, (void)position, (void)context, (void)attributes, (void)region;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_global(OTF2_LocationRef location, OTF2_TimeStamp time, void *context,
    OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	(void)location, (void)time, (void)context, (void)attributes, (void)region;
	return OTF2_CALLBACK_SUCCESS;
}

static void open_events(OTF2_Reader *reader, struct locations *locations)
{
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t read;

	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, locations);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
	for (size_t i = 0; i < locations->count; i++)
		OTF2_Reader_SelectLocation(reader, locations->refs[i]);
	if (OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS) {
		for (size_t i = 0; i < locations->count; i++) {
			OTF2_DefReader *local =
			    OTF2_Reader_GetDefReader(reader, locations->refs[i]);

			if (!local)
				continue;
			OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read);
			OTF2_Reader_CloseDefReader(reader, local);
		}
		OTF2_Reader_CloseDefFiles(reader);
	}
	OTF2_Reader_OpenEvtFiles(reader);
}

static uint64_t read_merged(OTF2_Reader *reader, const struct locations *locations)
{
	OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
	OTF2_GlobalEvtReader *merged;
	uint64_t read = 0;

	for (size_t i = 0; i < locations->count; i++)
		OTF2_Reader_GetEvtReader(reader, locations->refs[i]);
	merged = OTF2_Reader_GetGlobalEvtReader(reader);
	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, on_global);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, on_global);
	OTF2_Reader_RegisterGlobalEvtCallbacks(reader, merged, callbacks, NULL);
	OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_ReadAllGlobalEvents(reader, merged, &read);
	OTF2_Reader_CloseGlobalEvtReader(reader, merged);
	return read;
}

static uint64_t read_each(OTF2_Reader *reader, const struct locations *locations)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	uint64_t all = 0;

	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_local);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_local);
	for (size_t i = 0; i < locations->count; i++) {
		OTF2_EvtReader *one = OTF2_Reader_GetEvtReader(reader, locations->refs[i]);
		uint64_t read = 0;

		OTF2_Reader_RegisterEvtCallbacks(reader, one, callbacks, NULL);
		OTF2_Reader_ReadAllLocalEvents(reader, one, &read);
		OTF2_Reader_CloseEvtReader(reader, one);
		all += read;
	}
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	return all;
}

int main(int argc, char **argv)
{
	struct locations locations = {NULL, 0, 0};
	bool merged = argc == 3 && strcmp(argv[1], "merged") == 0;
	OTF2_Reader *reader;

	if (argc != 3 || (!merged && strcmp(argv[1], "each") != 0)) {
		fprintf(stderr, "usage: bench-reading merged|each ANCHOR\n");
		return 2;
	}
	reader = OTF2_Reader_Open(argv[2]);
	if (!reader)
		return 1;
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	open_events(reader, &locations);
	printf("%llu\n", (unsigned long long)(merged ? read_merged(reader, &locations)
						     : read_each(reader, &locations)));
	OTF2_Reader_CloseEvtFiles(reader);
	OTF2_Reader_Close(reader);
	free(locations.refs);
	return 0;
}
