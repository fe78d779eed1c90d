! SPDX-License-Identifier: BSD-3-Clause
! The same few calls of MPI as smoke.c, by mpif.h (MPIF), `use mpi` or `use mpi_f08` (F08).
#ifdef F08
#define HANDLE(name) type(name)
#else
#define HANDLE(name) integer
#endif
program smoke
#if defined(F08)
  use mpi_f08
  implicit none
#elif defined(MPIF)
  implicit none
  include 'mpif.h'
#else
  use mpi
  implicit none
#endif
  integer :: rank, ranks, error, threads = 0, strided(7)
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
  call mpi_pcontrol(0)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_pcontrol(1)
!$omp parallel num_threads(2) reduction(+:threads)
  threads = threads + 1
!$omp end parallel
  strided = rank
  call mpi_bcast(strided(1:7:2), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call exchange()
  call swap_all()
  call find_place()
  call mpi_barrier(MPI_COMM_WORLD, error)
  if (rank == 0) print '(i0,a,i0,a)', ranks, ' ranks of ', threads, ' threads'
  call mpi_finalize(error)
  if (threads /= 2) stop 1
contains
  subroutine exchange()
    integer :: in(1), out(1), all(ranks), counts(ranks), places(ranks), i
    HANDLE(MPI_Request) :: requests(2)
    in = -1
    out = rank
    call mpi_irecv(in, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 7, MPI_COMM_WORLD, requests(1), error)
    call mpi_isend(out, 1, MPI_INTEGER, mod(rank + 1, ranks), 7, MPI_COMM_WORLD, requests(2), error)
    call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error)
    counts = 1
    places = [(i - 1, i = 1, ranks)]
    call mpi_allgatherv(in, 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    if (rank == 0) print '(a,i0,a,i0)', 'received ', in(1), ', last ', all(ranks)
  end subroutine

  subroutine swap_all()
    integer :: in(ranks), out(ranks), counts(ranks), places(ranks), i
    HANDLE(MPI_Datatype) :: types(ranks)
    out = rank
    counts = 1
    places = [(4 * (i - 1), i = 1, ranks)]
    types = MPI_INTEGER
    call mpi_alltoallw(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD, error)
  end subroutine

  subroutine find_place()
    integer :: sizes(1), place(1), found
    logical :: periods(1)
    HANDLE(MPI_Comm) :: line
    sizes = ranks
    periods = .false.
    place = 0
    call mpi_cart_create(MPI_COMM_WORLD, 1, sizes, periods, .false., line, error)
    call mpi_cart_rank(line, place, found, error)
    call mpi_comm_free(line, error)
    if (found /= 0) print '(a,i0)', 'place 0 is rank ', found
  end subroutine
end program
