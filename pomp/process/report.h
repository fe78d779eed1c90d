/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library says and writes when measuring has ended. */
#ifndef REPORT_H
#define REPORT_H

/*
 * Fills the descriptors' data, converts the event logs, prints the summary. Process lock held;
 * `stuck`: how many threads did not leave their last event.
 */
void pomp_report(unsigned stuck);

#endif
