! SPDX-License-Identifier: BSD-3-Clause
! simd: a temporary from outside of a simd loop carries a value from one statement to the next.
! The lanes share it (OpenMP 5.2, 5.1.1 and 10.4). The fixed loop has it private.
program squares
  implicit none
  integer :: x(128), y(128), i, square

  x = [(i, i = 1, 128)]
#ifdef FIXED
  !$omp simd private(square)
#else
  !$omp simd
#endif
  do i = 1, 128
     square = x(i) * x(i) ! race: write square
     y(i) = square + 1 ! race: read square
  end do
  !$omp end simd
  if (any(y /= x * x + 1)) stop 1
end program
