import type { Student } from '@lessonbook/contract/students';
import { Link } from '@tanstack/react-router';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { useDeleteStudent } from './api.ts';

interface Props {
  student: Student;
  opened: boolean;
  onClose: () => void;
}

export function DeleteStudent({ student, opened, onClose }: Props) {
  const remove = useDeleteStudent();
  return (
    <ConfirmSheet
      title="Are you sure you want to delete this student?"
      opened={opened}
      onClose={onClose}
      confirm="Delete"
      busy="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(student.id, { onSuccess: onClose })}
    >
      {student.name} leaves every list, and lessons still to come are cancelled. What was taught and
      paid stays in the book. To remove the person from there too,{' '}
      <Link to="/settings/erase" search={{ person: `student-${student.id}` }}>
        erase them for good
      </Link>
      .
    </ConfirmSheet>
  );
}
