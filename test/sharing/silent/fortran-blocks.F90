! SPDX-License-Identifier: BSD-3-Clause
!
! silent: columns in blocks: each thread updates its own.
program blocks
  implicit none
  integer, parameter :: n = 512, steps = 20
  real(8), save :: a(n, n)
  integer :: i, j, step

  a = 1
  do step = 1, steps
!$omp parallel do private(i)
     do j = 1, n
        do i = 1, n
           a(i, j) = a(i, j) * 0.5d0 + 1
        end do
     end do
  end do
  if (minval(a) < 1) error stop 'wrong result'
end program
