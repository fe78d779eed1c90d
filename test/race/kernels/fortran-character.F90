! SPDX-License-Identifier: BSD-3-Clause
! data: the iterations write overlapping parts of one string.
! Substrings that overlap have characters in common (OpenMP 5.2, 1.4.1). The fixed ones do not
! overlap.
program substrings
  implicit none
  integer, parameter :: n = 50
  character(len=4 * n + 4) :: line
  integer :: i, at

  line = ' '
  !$omp parallel do private(at)
  do i = 1, n
     at = 4 * i - 3
#ifdef FIXED
     line(at:at + 3) = 'abc,'
#else
     line(at:at + 4) = 'abc, ' ! race: write line
#endif
  end do
  if (line(1:3) /= 'abc' .or. index(line, 'x') /= 0) stop 1
end program
