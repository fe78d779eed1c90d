! SPDX-License-Identifier: BSD-3-Clause
! schedules: one loop deals out chunks in turn, the other one parts of the same size.
program chunks
  implicit none
  integer, parameter :: n = 65536, steps = 12
  real(8), allocatable :: u(:)
  integer :: i, step

  allocate (u(n))
  u = 0
  do step = 1, steps
    !$omp parallel do schedule(static) num_threads(2)
    do i = 1, n
      u(i) = u(i) + 0.5d0*i ! sharing: moved u
    end do
#ifdef FIXED
    !$omp parallel do schedule(static) num_threads(2)
#else
    !$omp parallel do schedule(static, 1024) num_threads(2)
#endif
    do i = 1, n
      u(i) = u(i)*0.5d0 ! sharing: moved u
    end do
  end do
  print *, u(n)
end program chunks
