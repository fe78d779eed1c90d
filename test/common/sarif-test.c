/* SPDX-License-Identifier: BSD-3-Clause */
/* What SARIF says of the tool: its version, and the address that the build was given, if any. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sarif-writer.h"

int main(void)
{
	static const char wanted[] = "\"informationUri\": \"" OMPINST_INFORMATION_URI "\"";
	bool is_wanted = OMPINST_INFORMATION_URI[0] != '\0', has_version, has_address;
	struct sarif_writer sarif;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return 1;
	sarif_start(&sarif, out, "tool");
	sarif_open_results(&sarif);
	sarif_finish(&sarif);
	fclose(out);
	has_version = strstr(text, "\"version\": \"1.2.3\"") != NULL;
	has_address = strstr(text, is_wanted ? wanted : "informationUri") != NULL;
	if (!has_version || has_address != is_wanted)
		fprintf(stderr, "sarif-test: version %s, address '%s' %s: %s\n",
		    has_version ? "found" : "missing", OMPINST_INFORMATION_URI,
		    has_address ? "found" : "missing", text);
	free(text);
	return has_version && has_address == is_wanted ? 0 : 1;
}
