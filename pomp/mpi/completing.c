/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that wait for requests or test them. */
#include "completion.h"

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	bool entered = mpi_call_enter(CALL_MPI_Wait);
	struct mpi_completion completion;
	bool known =
	    entered && mpi_completion_begin(&completion, 1, request, &status, MPI_STATUS_IGNORE);
	int result = PMPI_Wait(request, status);

	if (known) {
		if (result == MPI_SUCCESS)
			mpi_completion_done(&completion, 0, 0);
		mpi_completion_end(&completion, false);
	}
	mpi_call_leave(CALL_MPI_Wait, entered);
	return result;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	bool entered = mpi_call_enter(CALL_MPI_Test);
	struct mpi_completion completion;
	bool known =
	    entered && mpi_completion_begin(&completion, 1, request, &status, MPI_STATUS_IGNORE);
	int result = PMPI_Test(request, flag, status);

	if (known) {
		if (result == MPI_SUCCESS && *flag)
			mpi_completion_done(&completion, 0, 0);
		mpi_completion_end(&completion, true);
	}
	mpi_call_leave(CALL_MPI_Test, entered);
	return result;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
	bool entered = mpi_call_enter(CALL_MPI_Waitall);
	struct mpi_completion completion;
	bool known = entered && mpi_completion_begin(
				    &completion, count, requests, &statuses, MPI_STATUSES_IGNORE);
	int result = PMPI_Waitall(count, requests, statuses);

	if (known) {
		for (int i = 0; result == MPI_SUCCESS && i < count; i++)
			mpi_completion_done(&completion, i, i);
		mpi_completion_end(&completion, false);
	}
	mpi_call_leave(CALL_MPI_Waitall, entered);
	return result;
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
	bool entered = mpi_call_enter(CALL_MPI_Testall);
	struct mpi_completion completion;
	bool known = entered && mpi_completion_begin(
				    &completion, count, requests, &statuses, MPI_STATUSES_IGNORE);
	int result = PMPI_Testall(count, requests, flag, statuses);

	if (known) {
		for (int i = 0; result == MPI_SUCCESS && *flag && i < count; i++)
			mpi_completion_done(&completion, i, i);
		mpi_completion_end(&completion, true);
	}
	mpi_call_leave(CALL_MPI_Testall, entered);
	return result;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
	bool entered = mpi_call_enter(CALL_MPI_Waitany);
	struct mpi_completion completion;
	bool known = entered &&
		     mpi_completion_begin(&completion, count, requests, &status, MPI_STATUS_IGNORE);
	int result = PMPI_Waitany(count, requests, index, status);

	if (known) {
		if (result == MPI_SUCCESS && *index != MPI_UNDEFINED)
			mpi_completion_done(&completion, *index, 0);
		mpi_completion_end(&completion, false);
	}
	mpi_call_leave(CALL_MPI_Waitany, entered);
	return result;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
	bool entered = mpi_call_enter(CALL_MPI_Testany);
	struct mpi_completion completion;
	bool known = entered &&
		     mpi_completion_begin(&completion, count, requests, &status, MPI_STATUS_IGNORE);
	int result = PMPI_Testany(count, requests, index, flag, status);

	if (known) {
		if (result == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED)
			mpi_completion_done(&completion, *index, 0);
		mpi_completion_end(&completion, true);
	}
	mpi_call_leave(CALL_MPI_Testany, entered);
	return result;
}

/* The statuses are in the order of the indices, not of the requests. */
#define COMPLETES_SOME(call, tests)                                                                \
	int MPI_##call(                                                                            \
	    int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])    \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct mpi_completion completion;                                                  \
		bool known = entered && mpi_completion_begin(&completion, count, requests,         \
					    &statuses, MPI_STATUSES_IGNORE);                       \
		int result = PMPI_##call(count, requests, done, indices, statuses);                \
		if (known) {                                                                       \
			if (result == MPI_SUCCESS && *done != MPI_UNDEFINED)                       \
				for (int i = 0; i < *done; i++)                                    \
					mpi_completion_done(&completion, indices[i], i);           \
			mpi_completion_end(&completion, tests);                                    \
		}                                                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

COMPLETES_SOME(Waitsome, false)
COMPLETES_SOME(Testsome, true)
