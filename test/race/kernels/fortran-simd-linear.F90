! SPDX-License-Identifier: BSD-3-Clause
! simd: a loop steps through every third element with a second index.
! In the racy one the lanes share the index (OpenMP 5.2, 5.1.1); in the fixed one it is linear
! (5.4.6).
program stride
  implicit none
  integer :: source(271), out(90), at, i

  source = [(i, i = 1, 271)]
  at = 1
#ifdef FIXED
  !$omp simd linear(at : 3)
#else
  !$omp simd
#endif
  do i = 1, 90
     out(i) = source(at) ! race: read at
     at = at + 3 ! race: write at; race: read at
  end do
  if (any(out /= [(3 * i - 2, i = 1, 90)]) .or. at /= 271) stop 1
end program
