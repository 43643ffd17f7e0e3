import { type StudentStatusInput, studentStatus } from '@lessonbook/contract/change-student-status';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import {
  studentOverview,
  type TimelineFilter,
} from '@lessonbook/contract/student-overview-and-timeline';
import { type Student, type StudentInput, students } from '@lessonbook/contract/students';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { firstName } from '../../lib/format.ts';
import { callAllPages, callApi } from '../../lib/http.ts';
import { markDeleted } from '../../lib/query-client.ts';
import { sortByName } from '../../lib/sort-by-name.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';

/* Queries */

/** All students with their contacts and payers, for forms. */
export const studentsQuery = queryOptions({
  queryKey: ['/api/students'],
  queryFn: async () => sortByName(await callAllPages(students.listStudents)),
});

/** The students with what the list shows about each of them. */
export const studentListQuery = queryOptions({
  queryKey: ['/api/students/list'],
  queryFn: async () => sortByName(await callAllPages(studentOverview.studentList)),
});

export const studentOverviewQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/students', id],
    queryFn: () => callApi(studentOverview.studentOverview, { params: { id } }),
  });

const TIMELINE_PAGE_SIZE = 30;

export const studentTimelineQuery = (id: number, show: TimelineFilter) =>
  infiniteQueryOptions({
    queryKey: ['/api/students', id, 'timeline', show],
    queryFn: ({ pageParam }) =>
      callApi(studentOverview.studentTimeline, {
        params: { id },
        query: { show, limit: TIMELINE_PAGE_SIZE, offset: pageParam },
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.hasMore ? all.length * TIMELINE_PAGE_SIZE : undefined),
  });

export const carersQuery = queryOptions({
  queryKey: ['/api/carers'],
  queryFn: async () => sortByName(await callAllPages(students.listCarers)),
});

/** Always refetched, because the tutor bases a decision on it. */
const preview = { staleTime: 0, gcTime: 0 };

export const deletePreviewQuery = (id: number) =>
  queryOptions({
    queryKey: ['student-delete-preview', id],
    queryFn: () => callApi(students.previewStudentDeletion, { params: { id } }),
    ...preview,
  });

export const statusPreviewQuery = (id: number, body: StudentStatusInput) =>
  queryOptions({
    queryKey: ['student-status-preview', id, body],
    queryFn: () => callApi(studentStatus.previewStudentStatus, { params: { id }, body }),
    ...preview,
  });

/* Students */

export function useCreateStudent() {
  const client = useQueryClient();
  const idempotency = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: StudentInput) =>
      callApi(students.createStudent, { body, idempotencyKey: idempotency.keyFor(body) }),
    meta: { errorFallback: 'Failed to create student. Please try again.' },
    onSuccess: (student) => {
      idempotency.reset();
      // The lesson dialog selects a new student before the list is refetched.
      client.setQueryData(studentsQuery.queryKey, (list) => list && sortByName([...list, student]));
      toastSuccess('Student created successfully');
    },
  });
}

export function useUpdateStudent() {
  return useMutation({
    mutationFn: ({ id, ...body }: StudentInput & { id: number }) =>
      callApi(students.updateStudent, { params: { id }, body }),
    meta: { errorFallback: 'Failed to update student. Please try again.' },
    onSuccess: () => toastSuccess('Student updated successfully'),
  });
}

export function useDeleteStudent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(students.deleteStudent, { params: { id } }),
    meta: { errorFallback: 'Failed to delete student. Please try again.' },
    onSuccess: (_, id) => {
      markDeleted(client, ['/api/students', id]);
      toastSuccess('Student deleted successfully');
    },
  });
}

/** The student's current values as form input. The carer is not changed. */
export const toStudentInput = (student: Student): StudentInput => ({
  name: student.name,
  phone: student.phone ?? '',
  email: student.email ?? '',
  subject: student.subject ?? '',
  school: student.school ?? '',
  schoolYear: student.schoolYear ?? '',
  notes: student.notes ?? '',
  carerId: student.carerId,
  carerName: student.carerName ?? '',
  carerRelationship: student.carerRelationship ?? '',
  carerPhone: student.carerPhone ?? '',
  carerEmail: student.carerEmail ?? '',
});

export function useChangeStudentStatus() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof studentStatus.changeStudentStatus>) =>
      callApi(studentStatus.changeStudentStatus, input),
    meta: { errorFallback: "The status couldn't be changed. Please try again." },
  });
}

/* Contacts */

export function useAddContact() {
  return useMutation({
    mutationFn: (
      input: EndpointInput<typeof studentContacts.addContact> & { idempotencyKey: string },
    ) => callApi(studentContacts.addContact, input),
    meta: { errorFallback: "The contact couldn't be added. Please try again." },
  });
}

export function useSetNoteReaders() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof studentContacts.setNoteReaders>) =>
      callApi(studentContacts.setNoteReaders, input),
    meta: { errorFallback: "We couldn't save that. Please try again." },
    onSuccess: ({ notesForStudentOnly, name }) =>
      toastSuccess(
        notesForStudentOnly
          ? `Only ${firstName(name)} can read the notes now`
          : 'Everyone with access to notes can read them again',
      ),
  });
}

export function useUpdateContact() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof studentContacts.updateContact>) =>
      callApi(studentContacts.updateContact, input),
    meta: { errorFallback: "The contact couldn't be saved. Please try again." },
  });
}

export function useRemoveContact() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof studentContacts.removeContact>) =>
      callApi(studentContacts.removeContact, input),
    meta: { errorFallback: "The contact couldn't be removed. Please try again." },
    onSuccess: () => toastSuccess('Contact removed'),
  });
}
