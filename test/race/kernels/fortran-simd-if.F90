! SPDX-License-Identifier: BSD-3-Clause
! simd: each iteration needs the one before, in a loop whose if clause is true.
! With a false one, as in the fixed program, the loop has no lanes (OpenMP 5.2, 10.4).
program simd_if
  implicit none
  integer, parameter :: length = 300
  integer :: sums(length), i, limit
  sums = 0
#ifdef FIXED
  limit = length
#else
  limit = length / 2
#endif
  !$omp simd if(length > limit)
  do i = 2, length
    sums(i) = sums(i - 1) + 1 ! race: write sums; race: read sums
  end do
  if (sums(length) /= length - 1) stop 1
end program
