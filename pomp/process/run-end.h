/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library reports and writes when measuring has ended. */
#ifndef RUN_END_H
#define RUN_END_H

/*
 * Fills in the descriptors' data, converts the event logs, prints the summary. `stuck`: how many
 * threads did not leave their last event.
 */
void pomp_report(unsigned stuck);

#endif
