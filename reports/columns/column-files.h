/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table as a folder of files, one for each column: NAME.npy, an array in NumPy's format, which
 * R, Julia and MATLAB read, too. The values of a column of names are places from 0 in NAME.txt,
 * which has a name in each line.
 */
#ifndef COLUMN_FILES_H
#define COLUMN_FILES_H

#include <stdbool.h>

#include "ompreport.h"

/*
 * Makes the folder, which must not exist, and the files of a table without texts. Returns false
 * with what is wrong in *error, which the caller frees; files that are written until then remain.
 */
bool column_files_write(const struct ompreport_table *table, const char *folder, char **error);

#endif
