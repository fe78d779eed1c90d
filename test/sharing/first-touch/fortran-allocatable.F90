! SPDX-License-Identifier: BSD-3-Clause
! array assignment: one thread sets what was allocated, and loops divide its columns.
program main
  implicit none
  integer, parameter :: n = 256
  real(8), allocatable :: a(:, :)
  integer :: i, j, step

  allocate (a(n, n))
#ifdef FIXED
  !$omp parallel do num_threads(2)
  do j = 1, n
    a(:, j) = 0
  end do
#else
  a = 0 ! touched: a
#endif
  do step = 1, 8
    !$omp parallel do num_threads(2)
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) + i * step ! sharing: first a
      end do
    end do
  end do
  print *, a(n, n)
end program main
