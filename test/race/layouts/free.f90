! SPDX-License-Identifier: BSD-3-Clause
! layout: directives of free form, as people write them.
subroutine sums(values, n, results)
  implicit none
  integer, intent(in) :: n, values(n)
  integer, intent(out) :: results(6)
  integer :: i, a_total_of_all_values, another_total, third, Fourth, last, &
       bins(3), a_number_of_threads_with_a_long_name, a_size_of_chunks_with_a_long_name

  a_total_of_all_values = 0
  another_total = 0
  third = 1
  fourth = -1
  bins = 0
  a_number_of_threads_with_a_long_name = 4
  a_size_of_chunks_with_a_long_name = 3
  ! Capital letters, and a comment behind the last line.
  !$OMP PARALLEL DO &
  !$OMP& SCHEDULE(STATIC) & ! first
  !$omp   default(shared)   ! the end
  do i = 1, n
     a_total_of_all_values = a_total_of_all_values + values(i)
  end do
  ! Too long for one line.
  !$omp parallel do num_threads(a_number_of_threads_with_a_long_name) schedule(dynamic, a_size_of_chunks_with_a_long_name)
  do i = 1, n
     another_total = another_total - values(i)
  end do
  ! A list of shared variables.
  !$omp parallel do default(none) shared(n, third, values)
  do i = 1, n
     third = ior(third, values(i))
  end do
  !$omp paralleldo
  outer: do i = 1, n
     if (values(i) > FOURTH) Fourth = values(i)
  end do outer
  !$omp parallel
  !$omp do schedule(static, 1)
  do i = 1, n
     last = values(i)
     if (last > 1) then
        ! in a branch
        bins(modulo(last, 3) + 1) = bins(modulo(last, 3) + 1) + 1
     end if
  end do
  !$omp enddo
  !$omp end parallel
  results = (/ a_total_of_all_values, another_total, third, fourth, bins(1), last /)
end subroutine

program layouts
  implicit none
  integer :: values(100), i, results(6)

  do i = 1, 100
     values(i) = modulo(i, 7)
  end do
  call sums(values, 100, results)
  print '(6i5)', results
  if (results(1) /= 297 .or. results(2) /= -297 .or. results(4) /= 6 .or. results(6) /= 2) stop 1
end program
