import type { Student } from '@lessonbook/contract/students';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { firstName, formatTotals, pluralize } from '../../lib/format.ts';
import { deletePreviewQuery, useDeleteStudent } from './api.ts';

interface Props {
  student: Student;
  opened: boolean;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Shows how many lessons will be cancelled and how much will still be owed. */
export function DeleteStudentModal({ student, opened, onClose, onDeleted = onClose }: Props) {
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
