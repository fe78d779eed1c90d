! SPDX-License-Identifier: BSD-3-Clause
! library: a task prints what another task reads: items of every type, arrays and sections are read
! by both, and written by none.
program print_beside_readers
  implicit none
  integer :: count, numbers(6)
  real :: single
  double precision :: double
  complex :: pair
  logical :: flag
  character(len=8) :: text
  logical :: wrong(2)

  count = 7
  numbers = 3
  single = 1.5
  double = 2.5d0
  pair = (1.0, 2.0)
  flag = .true.
  text = 'constant'
  wrong = .false.
  open (unit=20, status='scratch')
  !$omp parallel num_threads(4)
  !$omp single
  !$omp task shared(count, numbers, single, double, pair, flag, text)
  write (20, *) count, single, double, pair, flag, text, numbers, numbers(1:5:2)
  !$omp end task
  !$omp task shared(count, numbers, single, double, pair, flag, text, wrong)
  wrong(1) = count /= 7 .or. any(numbers /= 3) .or. single > 2.0 .or. double > 3.0d0
  wrong(2) = real(pair) > 1.0 .or. .not. flag .or. text /= 'constant'
  !$omp end task
  !$omp end single
  !$omp end parallel
  close (20)
  if (any(wrong)) stop 1
end program
