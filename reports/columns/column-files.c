/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements column-files.h. */
#include "column-files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "shared/precondition.h"

/* NumPy's format, version 1.0 (NEP 1): magic, version, the header's length, a dictionary, "\n". */
enum { MAGIC_SIZE = 10, ALIGNMENT = 64 };

static const struct {
	const char *name; /* NumPy's */
	size_t size;
} types[] = {
    [OMPREPORT_COUNT] = {"u8", sizeof(uint64_t)},
    [OMPREPORT_DIFFERENCE] = {"i8", sizeof(int64_t)},
    [OMPREPORT_RATIO] = {"f8", sizeof(double)},
    [OMPREPORT_NAME] = {"u4", sizeof(uint32_t)},
    [OMPREPORT_NUMBER] = {"u4", sizeof(uint32_t)},
};

static void write_array(FILE *file, const struct ompreport_column *column, size_t rows)
{
	char order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<';
	char *header = memory_print("{'descr': '%c%s', 'fortran_order': False, 'shape': (%zu,), }",
	    order, types[column->type].name, rows);
	size_t length = strlen(header) + 1;
	size_t padded = (MAGIC_SIZE + length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - MAGIC_SIZE;

	fwrite("\x93NUMPY\x01\x00", 1, 8, file);
	fputc((int)(padded & 0xff), file);
	fputc((int)(padded >> 8), file);
	fprintf(file, "%-*s\n", (int)padded - 1, header);
	free(header);
	if (rows > 0)
		fwrite(column->values, types[column->type].size, rows, file);
}

/* A line break within a name becomes a blank. */
static void write_names(FILE *file, const struct ompreport_column *column)
{
	for (size_t i = 0; i < column->name_count; i++) {
		for (const char *at = column->names[i]; *at != '\0'; at++)
			fputc(*at == '\n' ? ' ' : *at, file);
		fputc('\n', file);
	}
}

/* Opens, fills and closes a file; rows: of an array, or SIZE_MAX for the names. */
static bool write_file(
    const char *folder, const struct ompreport_column *column, size_t rows, char **error)
{
	bool has_names = rows == SIZE_MAX;
	char *path = memory_print("%s/%s.%s", folder, column->name, has_names ? "txt" : "npy");
	FILE *file = fopen(path, "wx");
	bool written = false;

	if (file) {
		if (has_names)
			write_names(file, column);
		else
			write_array(file, column, rows);
		written = !ferror(file);
		written &= fclose(file) == 0;
	}
	if (!written)
		*error = memory_print("%s: %s", path, strerror(errno));
	free(path);
	return written;
}

bool column_files_write(const struct ompreport_table *table, const char *folder, char **error)
{
	if (mkdir(folder, 0777) != 0) {
		*error = memory_print(
		    "%s: %s; expected a folder that can be made", folder, strerror(errno));
		return false;
	}
	for (size_t i = 0; i < table->column_count; i++) {
		const struct ompreport_column *column = &table->columns[i];

		CHECK(column->type != OMPREPORT_TEXT, "texts are names here");
		if (!write_file(folder, column, table->rows, error) ||
		    (column->type == OMPREPORT_NAME &&
			!write_file(folder, column, SIZE_MAX, error)))
			return false;
	}
	return true;
}
