/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport: reports about OTF2 archives of OpenMP programs, the library of ompreport.h with a
 * command line. Several of it that mpirun has started make one report together. Exit status: 0 for
 * success, 1 if a report could not be made, 2 for a wrong command line.
 */
#include "ompreport.h"

#include "reader-job.h"
#include "readers.h"

int main(int argc, char **argv)
{
	(void)argc;
	if (!readers_join())
		return 0;
	if (readers_index() > 0)
		return reader_jobs_do();
	return ompreport_run((const char *const *)argv + 1, stdout, stderr);
}
