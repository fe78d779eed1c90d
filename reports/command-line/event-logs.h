/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Event logs that have not become an archive: the program was killed, or its trace was left for
 * later.
 */
#ifndef EVENT_LOGS_H
#define EVENT_LOGS_H

/*
 * The experiment's folder, if the path names one that holds event logs and no archive, or something
 * in such a folder: the archive that is not there yet, a log, the folder of one rank. Heap, or
 * NULL.
 */
char *event_logs_folder(const char *path);

#endif
