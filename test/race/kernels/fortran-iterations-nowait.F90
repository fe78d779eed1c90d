! SPDX-License-Identifier: BSD-3-Clause
! iterations: nowait behind a loop, and one iteration of the next loop reads its neighbour's element.
! The fixed loop ends with its barrier.
program two_loops
  implicit none
  integer, parameter :: n = 600, at = 200
  integer :: a(n + 1), b(n), i

  a = 0
  !$omp parallel
  !$omp do
  do i = 1, n
     a(i) = i ! race: write a
  end do
#ifdef FIXED
  !$omp end do
#else
  !$omp end do nowait
#endif
  !$omp do
  do i = 1, n
     b(i) = i
     if (i == at) b(i) = a(i + 1) - 1 ! race: read a
  end do
  !$omp end do
  !$omp end parallel
  if (any(b /= [(i, i = 1, n)])) stop 1
end program
