/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the standard input. A pipe may stay open indefinitely, and the program must not wait for
 * its end. A child process therefore copies the data to a file in memory and to the first run, and
 * ends with that run.
 */
#include "kept-input.h"

#include "text-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_all(int file, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t done = write(file, bytes, length);
		if (done < 0 && errno != EINTR)
			return false;
		length -= done > 0 ? (size_t)done : 0;
		bytes += done > 0 ? done : 0;
	}
	return true;
}

/* Copies until the input ends; the program may stop reading earlier. Returns success. */
static bool copy(int from, int kept, int program)
{
	char buffer[16 * 1024];
	ssize_t count;

	while ((count = read(from, buffer, sizeof buffer)) != 0) {
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0 || !write_all(kept, buffer, (size_t)count))
			return false;
		if (program >= 0 && !write_all(program, buffer, (size_t)count)) {
			close(program);
			program = -1;
		}
	}
	return true;
}

/* Starts the process that copies. Returns 0 or an errno. */
static int start_pump(struct race_input *input)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	input->pump = fork();
	if (input->pump == 0) {
		sigset_t none;
		sigemptyset(&none);
		signal(SIGPIPE, SIG_IGN);
		sigprocmask(SIG_SETMASK, &none, NULL);
		close(ends[0]);
		_exit(copy(STDIN_FILENO, input->kept, ends[1]) ? 0 : 1);
	}
	int problem = input->pump < 0 ? errno : 0;
	close(ends[1]);
	input->first = ends[0];
	return problem;
}

int race_input_open(struct race_input *input)
{
	struct stat status;

	*input = (struct race_input){-1, -1, -1};
	if (fstat(STDIN_FILENO, &status) != 0 || isatty(STDIN_FILENO) != 0 ||
	    S_ISCHR(status.st_mode))
		return 0;
	input->kept = text_file_memory();
	if (input->kept < 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return start_pump(input);
	off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (!copy(STDIN_FILENO, input->kept, -1) || lseek(STDIN_FILENO, begin, SEEK_SET) < 0)
		return errno;
	return 0;
}

void race_input_end_first(struct race_input *input)
{
	if (input->pump > 0) {
		kill(input->pump, SIGKILL);
		while (waitpid(input->pump, NULL, 0) < 0 && errno == EINTR)
			;
		input->pump = -1;
	}
	if (input->first >= 0)
		close(input->first);
	input->first = -1;
}

int race_input_again(const struct race_input *input)
{
	char path[32];

	if (input->kept < 0)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	/*
	 * Opened again, because the offset belongs to the file description, which the first run may
	 * still share.
	 */
	snprintf(path, sizeof path, "/proc/self/fd/%d", input->kept);
	return open(path, O_RDONLY | O_CLOEXEC);
}

void race_input_close(struct race_input *input)
{
	race_input_end_first(input);
	if (input->kept >= 0)
		close(input->kept);
	input->kept = -1;
}
