/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where messages and the printed summary go. A program may have been started without a standard
 * error, or have closed it, so that descriptor 2 is a file of its own data.
 */
#ifndef MESSAGE_FILE_H
#define MESSAGE_FILE_H

#include <stdio.h>

/*
 * Returns stderr, or a stream that discards everything: if descriptor 2 was closed when the program
 * started, or is now a regular file that it was not then.
 */
FILE *pomp_message_file(void);

#endif
