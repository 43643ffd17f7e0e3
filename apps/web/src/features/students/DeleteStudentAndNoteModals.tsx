import { type Student, StudentInput } from '@lessonbook/contract/students';
import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ConfirmModal, ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { firstName, formatTotals, pluralize } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-sync-form-with-saved-data.ts';
import { deletePreviewQuery, toStudentInput, useDeleteStudent, useUpdateStudent } from './api.ts';
import classes from './StudentDetails.module.css';

interface Props {
  student: Student;
  opened: boolean;
  onClose: () => void;
}

/** Says how many lessons are cancelled and what stays owed. */
export function DeleteStudentModal({
  student,
  opened,
  onClose,
  onDeleted = onClose,
}: Props & { onDeleted?: () => void }) {
  const remove = useDeleteStudent();
  const { data: preview } = useQuery({ ...deletePreviewQuery(student.id), enabled: opened });
  const owed = formatTotals(
    preview?.balances.map(({ currency, owed: minor }) => ({ currency, minor })) ?? [],
  );
  return (
    <ConfirmModal
      title="Are you sure you want to delete this student?"
      opened={opened}
      onClose={onClose}
      confirmLabel="Delete student"
      busyLabel="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(student.id, { onSuccess: onDeleted })}
    >
      <p>
        {student.name} will be removed from every list. Past lessons and payments stay in your
        records.
      </p>
      <p role="status">
        {preview &&
          `${preview.sessions === 0 ? 'No lessons' : pluralize(preview.sessions, 'upcoming lesson')} will be cancelled. ${
            owed ? `${owed} will still be owed` : 'Nothing is owed'
          } for ${firstName(student.name)}'s lessons.`}
      </p>
      <p>
        If {firstName(student.name)} is only taking a break, change the status instead. To remove
        the person from your records as well,{' '}
        <Link to="/settings/erase" search={{ person: `student-${student.id}` }}>
          erase them permanently
        </Link>
        .
      </p>
    </ConfirmModal>
  );
}

/** The private note about a student. */
export function StudentNoteModal({ student, opened, onClose }: Props) {
  return (
    <ResponsiveModal title={`Note on ${firstName(student.name)}`} opened={opened} onClose={onClose}>
      <NoteForm student={student} onClose={onClose} />
    </ResponsiveModal>
  );
}

function NoteForm({ student, onClose }: Omit<Props, 'opened'>) {
  const update = useUpdateStudent();
  const initialValues = toStudentInput(student);
  const { form, fillIn, onSubmit } = useForm({
    schema: StudentInput,
    initialValues,
    draft: { key: `student ${student.id}`, fields: ['notes'] },
  });
  useRefreshUnchangedFields({ form, fillIn }, initialValues);
  return (
    <form
      className={classes.noteForm}
      noValidate
      onSubmit={onSubmit((input) => update.mutateAsync({ id: student.id, ...input }), onClose)}
    >
      <Textarea
        label="Private note"
        description="Only you can see it."
        rows={6}
        data-autofocus
        key={form.key('notes')}
        {...form.getInputProps('notes')}
      />
      <ModalActions
        onCancel={onClose}
        confirmLabel="Save note"
        busyLabel="Saving..."
        isBusy={update.isPending}
      />
    </form>
  );
}
