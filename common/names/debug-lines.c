/* SPDX-License-Identifier: BSD-3-Clause */
/* See debug-lines.h. */
#include "debug-lines.h"

#include "shared/search.h"

#include <stdlib.h>
#include <string.h>

struct names_lines names_lines_of(const Dwarf_Die *unit)
{
	struct names_lines source = {0};
	Dwarf_Die die = *unit;

	if (dwarf_getsrclines(&die, &source.lines, &source.count) != 0)
		return (struct names_lines){0};
	return source;
}

uint64_t names_line_address(const struct names_lines *source, size_t i)
{
	Dwarf_Addr address = 0;

	dwarf_lineaddr(dwarf_onesrcline(source->lines, i), &address);
	return address;
}

size_t names_first_line(const struct names_lines *source, uint64_t address)
{
	size_t row;

	SEARCH(row, source->count, names_line_address(source, row) < address);
	return row;
}

const char *names_line_file(const struct names_lines *source, size_t i)
{
	return dwarf_linesrc(dwarf_onesrcline(source->lines, i), NULL, NULL);
}

int names_line_number(const struct names_lines *source, size_t i)
{
	int line = 0;
	bool ends = false;
	Dwarf_Line *row = dwarf_onesrcline(source->lines, i);

	dwarf_lineendsequence(row, &ends);
	return ends || dwarf_lineno(row, &line) != 0 ? 0 : line;
}

static bool begins_statement(const struct names_lines *source, size_t i)
{
	bool begins = false;

	dwarf_linebeginstatement(dwarf_onesrcline(source->lines, i), &begins);
	return begins;
}

size_t names_first_line_of(const struct names_lines *source, uint64_t address)
{
	size_t first = names_first_line(source, address);

	for (size_t i = first; i < source->count && names_line_address(source, i) == address; i++)
		if (begins_statement(source, i))
			return i;
	return first;
}

/* dwarf_decl_file() aborts the program if a unit's list of files is damaged. */
const char *names_file_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	Dwarf_Files *files;
	Dwarf_Word index;
	size_t count;

	if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &index) != 0 ||
	    dwarf_cu_info(attribute.cu, NULL, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
	    dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count)
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

char *names_clean_path(const char *path)
{
	char *clean = strdup(path), *to = clean;

	if (clean == NULL)
		return NULL;
	for (const char *from = path; *from != '\0';) {
		if (from[0] == '/' && from[1] == '.' && from[2] == '/')
			from += 2;
		else if (from[0] == '/' && from[1] == '/')
			from++;
		else
			*to++ = *from++;
	}
	*to = '\0';
	return clean;
}
