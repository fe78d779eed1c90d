! SPDX-License-Identifier: BSD-3-Clause
! serial loop: one thread initialises an array of a module.
module state
  implicit none
  integer, parameter :: n = 65536
  real(8) :: u(n)
end module state

program main
  use state
  implicit none
  integer :: i, step

#ifdef FIXED
  !$omp parallel do num_threads(2)
#endif
  do i = 1, n
    u(i) = mod(i, 7) ! touched: u
  end do
  do step = 1, 8
    !$omp parallel do num_threads(2)
    do i = 1, n
      u(i) = 0.5d0 * u(i) + step ! sharing: first u
    end do
  end do
  print *, u(n)
end program main
