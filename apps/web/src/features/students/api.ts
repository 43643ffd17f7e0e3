import { type StudentInput, students } from '@lessonbook/contract/students';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, callAllPages } from '../../lib/http.ts';
import { sortByName } from '../../lib/sort-by-name.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';

export const studentsQuery = queryOptions({
  queryKey: ['/api/students'],
  queryFn: async () => sortByName(await callAllPages(students.listStudents)),
});

export const carersQuery = queryOptions({
  queryKey: ['/api/carers'],
  queryFn: async () => sortByName(await callAllPages(students.listCarers)),
});

/** Invalidates everything that shows students or carers; deleting a student also cancels lessons. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [
        '/api/students',
        '/api/carers',
        '/api/families',
        '/api/balances',
        '/api/sessions',
        '/api/lessons',
        '/api/dashboard',
      ].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
}

export function useCreateStudent() {
  const refresh = useRefresh();
  const idempotency = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: StudentInput) =>
      call(students.createStudent, { body, idempotencyKey: idempotency.keyFor(body) }),
    meta: { errorFallback: 'Failed to create student. Please try again.' },
    onSuccess: async () => {
      idempotency.reset();
      await refresh();
      toastSuccess('Student created successfully');
    },
  });
}

export function useUpdateStudent() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, ...body }: StudentInput & { id: number }) =>
      call(students.updateStudent, { params: { id }, body }),
    meta: { errorFallback: 'Failed to update student. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Student updated successfully');
    },
  });
}

export function useDeleteStudent() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) => call(students.deleteStudent, { params: { id } }),
    meta: { errorFallback: 'Failed to delete student. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Student deleted successfully');
    },
  });
}
