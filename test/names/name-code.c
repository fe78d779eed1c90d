/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers the questions of standard input, one a line: CONSTRUCT entry|return OFFSET LOCK BUILDID
 * MODULE, numbers in hexadecimal, "-" for no build id. A comma and the caller's offset may follow
 * an entry's OFFSET. Prints a line for each question: what is known, function, file, begin, end,
 * sub_name, directive and the module's problem, separated by tabs, "-" for none. Arguments are
 * folders with debug files. The CONSTRUCT "line" asks for the line of code, not for a construct;
 * function, file and line of each call around inlined code follow.
 */
#include "namer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *shown(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : "-";
}

int main(int argc, char **argv)
{
	struct code_names_settings settings = {
	    .debug_dirs = argc > 1 ? (const char *const *)argv + 1 : NULL, .seconds = 30};
	struct code_namer *namer = pomp_code_names.begin(&settings);
	char line[8192], construct[64], at[16], build_id[256];
	char places[64], *comma;
	uint64_t lock;
	int before;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%63s %15s %63s %" SCNx64 " %255s %n", construct, at, places,
			&lock, build_id, &before) != 5) {
			fprintf(stderr, "name-code: '%s': expected six words\n", line);
			return 2;
		}
		comma = strchr(places, ',');
		struct code_question question = {
		    .construct = construct,
		    .place = {.module = line + before,
			.build_id = strcmp(build_id, "-") == 0 ? "" : build_id,
			.offset = strtoull(places, NULL, 16),
			.caller = comma != NULL ? strtoull(comma + 1, NULL, 16) : 0,
			.at = strcmp(at, "entry") == 0 ? CODE_ENTRY : CODE_RETURN},
		    .lock_offset = lock,
		};
		struct code_name name;
		bool is_found = strcmp(construct, "line") == 0
				    ? pomp_code_names.find_line(namer, &question.place, &name)
				    : pomp_code_names.find(namer, &question, &name);
		if (!is_found)
			fprintf(stderr, "name-code: out of memory\n");
		printf("%d\t%s\t%s\t%d\t%d\t%s\t%s\t%s", name.known, shown(name.function),
		    shown(name.file), name.begin, name.end, shown(name.sub_name),
		    shown(name.directive), shown(pomp_code_names.problem(namer, line + before)));
		for (size_t i = 0; i < name.caller_count; i++)
			printf("\t%s\t%s\t%d", shown(name.callers[i].function),
			    shown(name.callers[i].file), name.callers[i].line);
		printf("\n");
		code_name_free(&name);
	}
	pomp_code_names.end(namer);
	return 0;
}
