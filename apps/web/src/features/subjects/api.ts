import { type SubjectInput, subjects } from '@lessonbook/contract/subjects';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';

export const subjectsQuery = queryOptions({
  queryKey: ['/api/subjects'],
  queryFn: () => callApi(subjects.listSubjects),
});

export function useCreateSubject() {
  const client = useQueryClient();
  const idempotency = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: SubjectInput) =>
      callApi(subjects.createSubject, { body, idempotencyKey: idempotency.keyFor(body) }),
    meta: { errorFallback: 'Failed to create subject. Please try again.' },
    onSuccess: (subject) => {
      idempotency.reset();
      // The lesson dialog selects a new subject before the list is refetched.
      client.setQueryData(subjectsQuery.queryKey, (list) => list && [...list, subject]);
      toastSuccess('Subject created successfully');
    },
  });
}

export function useUpdateSubject() {
  return useMutation({
    mutationFn: ({ id, ...body }: SubjectInput & { id: number }) =>
      callApi(subjects.updateSubject, { params: { id }, body }),
    meta: { errorFallback: 'Failed to update subject. Please try again.' },
    onSuccess: () => toastSuccess('Subject updated successfully'),
  });
}

export function useDeleteSubject() {
  return useMutation({
    mutationFn: (id: number) => callApi(subjects.deleteSubject, { params: { id } }),
    meta: { errorFallback: 'Failed to delete subject. Please try again.' },
    onSuccess: () => toastSuccess('Subject deleted successfully'),
  });
}
