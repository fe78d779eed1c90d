! SPDX-License-Identifier: BSD-3-Clause
! data: two names are equivalent, and the threads use one name each.
! Equivalent variables are one storage location (OpenMP 5.2, 1.4.1). The fixed names are not
! equivalent.
program names_of_one
  implicit none
  integer :: low(20), high(20), i
#ifndef FIXED
  equivalence (low(11), high(1))
#endif

  !$omp parallel sections private(i)
  do i = 1, 20
     low(i) = i ! race: write low
  end do
  !$omp section
  do i = 1, 20
     high(i) = 100 + i ! race: write high
  end do
  !$omp end parallel sections
  if (low(5) /= 5 .or. high(20) /= 120) stop 1
end program
