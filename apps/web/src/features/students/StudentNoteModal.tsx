import { type Student, StudentInput } from '@lessonbook/contract/students';
import { Textarea } from '@mantine/core';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { firstName } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { toStudentInput, useUpdateStudent } from './api.ts';
import classes from './StudentNoteModal.module.css';

interface Props {
  student: Student;
  opened: boolean;
  onClose: () => void;
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
      className={classes.form}
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
