/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2's collective operations by the ranks' own: OTF2 is to know no MPI here either. */
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

#include "shared/ranks.h"

#include <otf2/otf2.h>

/* `ranks` stays valid until the archive is closed. */
OTF2_ErrorCode convert_set_collectives(OTF2_Archive *archive, const struct pomp_ranks *ranks);

#endif
