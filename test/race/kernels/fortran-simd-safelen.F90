! SPDX-License-Identifier: BSD-3-Clause
! simd: a recurrence of distance two under safelen(4), which says that four iterations are concurrent.
! The fixed loop says safelen(2) (OpenMP 5.2, 10.4).
program recurrence
  implicit none
  integer :: a(66), i

  a = 1
#ifdef FIXED
  !$omp simd safelen(2)
#else
  !$omp simd safelen(4)
#endif
  do i = 3, 66
     a(i) = a(i - 2) + 1 ! race: write a; race: read a
  end do
  if (a(66) /= 33) stop 1
end program
