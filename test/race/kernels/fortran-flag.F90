! SPDX-License-Identifier: BSD-3-Clause
! synchronization: a thread waits for a flag that another one sets atomically, and reads the data.
! The flag is relaxed: it does not order the data (OpenMP 5.2, 15.8.1). The fixed accesses have
! release and acquire.
#ifdef FIXED
#define SET_FLAG atomic write release
#define GET_FLAG atomic read acquire
#else
#define SET_FLAG atomic write relaxed
#define GET_FLAG atomic read relaxed
#endif
program flags
  use omp_lib
  implicit none
  integer :: flag, message, seen, wrong

  flag = 0
  message = 0
  wrong = 0
  !$omp parallel private(seen) reduction(+: wrong)
  if (omp_get_thread_num() == 0) then
     message = 8 ! race: write message
     !$omp SET_FLAG
     flag = 1
  else
     seen = 0
     do while (seen == 0)
        !$omp GET_FLAG
        seen = flag
     end do
     if (message /= 8) wrong = wrong + 1 ! race: read message
  end if
  !$omp end parallel
  if (wrong /= 0) stop 1
end program
