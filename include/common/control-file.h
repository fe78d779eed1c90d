/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A request of `ompinst control` to a program that runs, and its answer: one file in the private
 * folder of the user (common/user-folder.h). The program makes nothing there, so that it leaves
 * nothing behind however it ends; it looks once a second whether there is a request.
 *
 *   1. ompinst, with the folder locked (flock), makes the file: O_EXCL, mode CONTROL_INCOMPLETE,
 * both parts with all their bytes, so that the answer needs no more room on a disk.
 *   2. It changes the mode to CONTROL_ASKED: the request is complete. It waits with no lock.
 *   3. The program, with the folder locked, opens the file, checks owner, kind, mode, links and
 * size, and removes its name: then the request is the program's and cannot be withdrawn. Otherwise
 *      ompinst, with the folder locked, removes the name after CONTROL_WAIT: then nothing happens.
 *   4. The program does it, writes the answer into the file, and changes the mode to
 * CONTROL_ANSWERED. Only ompinst, which has it open, can read it; it is gone when both have closed
 * it.
 *
 * The name says which process it is for, by its number where it runs, when it started, and in which
 * space of process numbers: no other process ever takes it, also if it was left behind.
 */
#ifndef CONTROL_FILE_H
#define CONTROL_FILE_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { CONTROL_INCOMPLETE = 0200, CONTROL_ASKED = 0600, CONTROL_ANSWERED = 0400 };

/* Name of libpomp's own thread where it looks for requests. */
#define CONTROL_THREAD "pomp-control"

/* Both texts are NUL-ended. */
struct control_part {
	char head[16];            /* CONTROL_REQUEST, CONTROL_ACCEPTED or CONTROL_REFUSED */
	char text[8 * 1024 - 16]; /* of a request: lines NAME=VALUE; of an answer: what to print */
};

struct control_file {
	struct control_part request, answer;
};

#define CONTROL_REQUEST  "ompinst-1"
#define CONTROL_ACCEPTED "accepted"
#define CONTROL_REFUSED  "refused"

enum { CONTROL_NAME_SIZE = 96 };

/* start: field 22 of /proc/PID/stat; space: the file number of /proc/PID/ns/pid. */
static inline void control_file_name(
    char name[CONTROL_NAME_SIZE], long process, uint64_t start, uint64_t space)
{
	snprintf(
	    name, CONTROL_NAME_SIZE, "control-%ld-%" PRIu64 "-%" PRIu64, process, start, space);
}

/* Whether this is a complete request of that user. */
static inline int control_is_request(const struct stat *status, uid_t user)
{
	return S_ISREG(status->st_mode) && (status->st_mode & 07777) == CONTROL_ASKED &&
	       status->st_uid == user && status->st_nlink == 1 &&
	       status->st_size == (off_t)sizeof(struct control_file);
}

/* Whether the text ends within the part, and is of that kind. */
static inline int control_part_is(const struct control_part *part, const char *head)
{
	return memchr(part->head, '\0', sizeof(part->head)) != NULL &&
	       memchr(part->text, '\0', sizeof(part->text)) != NULL &&
	       strcmp(part->head, head) == 0;
}

#endif
