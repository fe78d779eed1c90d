! SPDX-License-Identifier: BSD-3-Clause
! worksharing: a loop ends with nowait, and another one reads its results in reverse order.
! Without the barrier a thread may read what another one has not written yet (OpenMP 5.2, 15.6).
! The fixed one has the barrier.
#ifdef FIXED
#define END_LOOP end do
#else
#define END_LOOP end do nowait
#endif
program reverse
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), b(n), i

  !$omp parallel
  !$omp do
  do i = 1, n
     a(i) = 2 * i ! race: write a
  end do
  !$omp END_LOOP
  !$omp do
  do i = 1, n
     b(i) = a(n + 1 - i) ! race: read a
  end do
  !$omp end do
  !$omp end parallel
  do i = 1, n
     if (b(i) /= 2 * (n + 1 - i)) stop 1
  end do
end program
