! SPDX-License-Identifier: BSD-3-Clause
! data: the bound of an inner loop is computed into a shared scalar.
! Loop variables are private in Fortran, other scalars are not (OpenMP 5.2, 5.1.1). The fixed
! construct lists it as private.
program private_missing
  implicit none
  integer :: triangle(40), i, j, last

  triangle = 0
#ifdef FIXED
  !$omp parallel do private(last)
#else
  !$omp parallel do
#endif
  do i = 1, 40
     last = i ! race: write last
     do j = 1, last ! race: read last
        triangle(i) = triangle(i) + j
     end do
  end do
  do i = 1, 40
     if (triangle(i) /= i * (i + 1) / 2) stop 1
  end do
end program
