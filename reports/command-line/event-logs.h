/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Event logs that were not converted to an archive: the program was killed, or the conversion was
 * postponed.
 */
#ifndef EVENT_LOGS_H
#define EVENT_LOGS_H

/*
 * The experiment's folder if it has event logs but no archive, and the path is the folder or
 * something in it: the missing archive, a log, the folder of a rank. Heap, or NULL.
 */
char *event_logs_folder(const char *path);

#endif
