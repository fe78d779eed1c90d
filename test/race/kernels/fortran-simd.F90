! SPDX-License-Identifier: BSD-3-Clause
! simd: a simd loop shifts an array in place towards its end.
! An iteration reads what the one before it writes: lanes execute both at once (OpenMP 5.2, 10.4).
! The fixed loop shifts from a copy.
program shift
  implicit none
  integer :: a(256), copy(256), i

  a = [(i, i = 1, 256)]
  copy = a
  !$omp simd
  do i = 2, 256
#ifdef FIXED
     a(i) = copy(i - 1)
#else
     a(i) = a(i - 1) ! race: write a; race: read a
#endif
  end do
#ifdef FIXED
  if (any(a(2:) /= copy(:255))) stop 1
#else
  if (any(a(2:) /= 1)) stop 1
#endif
end program
