! SPDX-License-Identifier: BSD-3-Clause
! iterations: schedule(static), and one pair of iterations conflicts.
! Chunks are only approximately of equal size (OpenMP 5.2, 11.5.3). The fixed one has no conflict.
program static_pair
  implicit none
  integer, parameter :: n = 1000, at = 58
  integer :: a(n + 1), i

  a = 0
  !$omp parallel do schedule(static), private(i)
  do i = 1, n
     a(i) = i ! race: write a
#ifndef FIXED
     if (i == at) a(i + 1) = i + 1 ! race: write a
#endif
  end do
  !$omp end parallel do
  if (any(a(1:n) /= [(i, i = 1, n)])) stop 1
end program
