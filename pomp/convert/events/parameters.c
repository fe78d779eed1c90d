/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters in the archive. Their string values are numbered before any event is written, because
 * the threads that write events share the table of strings without a lock.
 */
#include "location.h"
#include "shared/precondition.h"

#include <stdlib.h>

bool convert_prepare_parameters(struct convert_archive *archive)
{
	CHECK(archive->value == NULL, "the values have no numbers yet");

	const struct convert_input *input = archive->input;

	archive->value = malloc((input->value_count + 1) * sizeof(*archive->value));
	if (archive->value == NULL)
		return false;
	for (size_t i = 0; i < input->value_count; i++)
		archive->value[i] =
		    convert_string(archive, input->values[i] != NULL ? input->values[i] : "");
	return true;
}

/* A parameter that the log does not define (in a damaged log) has no event. */
void convert_parameter(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_archive *archive = location->archive;
	const struct convert_input *input = archive->input;
	uint64_t value = record->payload[0] | record->payload[1] << 32;
	OTF2_ParameterRef ref = record->argument - 1;

	if (record->argument == 0 || record->argument > input->parameter_count)
		return;
	switch (input->parameters[ref].type) {
	case TRACE_LOG_TEXT_INT64:
		convert_location_check(location, OTF2_EvtWriter_ParameterInt(location->writer, NULL,
						     location->time, ref, (int64_t)value));
		break;
	case TRACE_LOG_TEXT_UINT64:
		convert_location_check(
		    location, OTF2_EvtWriter_ParameterUnsignedInt(
				  location->writer, NULL, location->time, ref, value));
		break;
	case TRACE_LOG_TEXT_STRING:
	case TRACE_LOG_TEXT_VALUE:
		if (value > 0 && value <= input->value_count)
			convert_location_check(
			    location, OTF2_EvtWriter_ParameterString(location->writer, NULL,
					  location->time, ref, archive->value[value - 1]));
		break;
	}
}
