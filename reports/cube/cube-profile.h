/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exports an archive's sums as a Cube 4 profile, "profile.cubex", for CubeGUI and other tools that
 * read Score-P's and Scalasca's profiles: a tar archive of anchor.xml and, for each metric with
 * values, N.index and N.data.
 */
#ifndef CUBE_PROFILE_H
#define CUBE_PROFILE_H

#include "export.h"

/*
 * Reads all events. Of the choice only the time and the threads apply. The same archive makes the
 * same bytes. The caller checks `out` for errors.
 */
void export_cube(struct archive *archive, const struct export_choice *choice, FILE *out);

#endif
