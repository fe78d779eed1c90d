/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields may be in quotes; none has a newline. */
#include "summary-rows.h"

#include <string.h>

#define HEADER "kind,name,sub_name,file,begin_line,end_line,count,time_ns,self_ns"

bool summary_rows_begin(const char *text)
{
	return strncmp(text, HEADER, strlen(HEADER)) == 0;
}

/* "" in quotes is one quote. */
size_t summary_row_read(char *line, char *columns[SUMMARY_COLUMNS], char **next)
{
	*next = strchr(line, '\n');
	if (*next != NULL)
		*(*next)++ = '\0';
	for (size_t i = 0; i < SUMMARY_COLUMNS; i++) {
		char *to = line;
		bool quoted = *line == '"';

		columns[i] = line;
		line += quoted;
		while (*line != '\0' && (quoted || *line != ',')) {
			if (quoted && *line == '"' && *++line != '"')
				quoted = false;
			else
				*to++ = *line++;
		}
		if (*line == '\0')
			return i;
		line++;
		*to = '\0';
	}
	return SUMMARY_COLUMNS;
}
