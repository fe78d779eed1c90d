/* SPDX-License-Identifier: BSD-3-Clause */
/* What the events of an archive have in common: times, strings, the end of the run. */
#include "convert-archive.h"

#include "rank-clock.h"

#include <stdarg.h>

static OTF2_ErrorCode discard_message(void *user, const char *file, uint64_t line,
    const char *function, OTF2_ErrorCode code, const char *format, va_list arguments)
{
	(void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
	return code;
}

OTF2_ErrorCallback convert_discard_otf2_messages(void)
{
	return OTF2_Error_RegisterCallback(discard_message, NULL);
}

uint64_t convert_time(const struct convert_archive *archive, uint64_t ticks)
{
	return archive->clock != NULL ? convert_clock_time(archive->clock, ticks) : ticks;
}

OTF2_StringRef convert_string(struct convert_archive *archive, const char *text)
{
	uint32_t ref = convert_strings_place(&archive->strings, text);

	if (ref == UINT32_MAX) {
		convert_check(archive, OTF2_ERROR_ENOMEM);
		return OTF2_UNDEFINED_STRING;
	}
	return ref;
}

uint64_t convert_end_of(const struct convert_input *input, const struct convert_teams *teams)
{
	uint64_t end = input->process.end.ticks;

	if (input->process.cut != 0)
		end = input->process.cut; /* later events are not known for all threads */
	if (end < teams->last)
		end = teams->last;
	return end < input->process.start.ticks ? input->process.start.ticks : end;
}
