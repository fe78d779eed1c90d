! Regions that follow each other closely, variables that are declared late.
subroutine pair(a, n)
  integer :: n
  real(8) :: a(n), s
  s = 0
  !$omp parallel reduction(+ : s)
  s = s + 1
  !$omp end parallel
  !$omp parallel reduction(+ : s)
  s = s + 2
  !$omp end parallel
  a(1) = s
end subroutine

program close_together
  integer :: i, k, n
  real(8) :: a(100), t
  n = 100
  a = 1
  t = 0
  !$omp parallel private(i, k)
  do i = 1, n
    k = i
    !$omp atomic
    t = t + a(k)
  end do
  !$omp single
  !$omp task
  t = t + 1
  !$omp end task
  !$omp end single
  !$omp end parallel
  call pair(a, n)
  print *, t, a(1)
end program
