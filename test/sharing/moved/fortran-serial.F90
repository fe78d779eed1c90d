! SPDX-License-Identifier: BSD-3-Clause
! one thread: between the loops serial code scales the array.
program serial_between
  implicit none
  integer, parameter :: n = 65536, steps = 12
  real(8), save :: u(n)
  integer :: i, step

  do step = 1, steps
    !$omp parallel do num_threads(2)
    do i = 1, n
      u(i) = u(i) + 0.5d0*i ! sharing: moved u
    end do
#ifdef FIXED
    !$omp parallel do num_threads(2)
#endif
    do i = 1, n
      u(i) = u(i)*0.5d0 ! sharing: moved u
    end do
  end do
  print *, u(n)
end program serial_between
