! SPDX-License-Identifier: BSD-3-Clause
! library: threads write their results into one internal file.
! A write statement changes its character variable (OpenMP 5.2, 1.4.1). In the fixed one it is
! private.
program internal_file
  implicit none
  character(len=8) :: text
  integer :: i, value, wrong

  wrong = 0
#ifdef FIXED
  !$omp parallel do private(text, value) reduction(+: wrong)
#else
  !$omp parallel do private(value) reduction(+: wrong)
#endif
  do i = 1, 40
     write (text, '(i8)') i ! race: write text
     read (text, '(i8)') value ! race: read text
     if (value /= i) wrong = wrong + 1
  end do
  if (wrong /= 0) stop 1
end program
