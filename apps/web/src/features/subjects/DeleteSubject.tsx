import type { Subject } from '@lessonbook/contract/subjects';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { useDeleteSubject } from './api.ts';

interface Props {
  subject: Subject;
  opened: boolean;
  onClose: () => void;
}

export function DeleteSubject({ subject, opened, onClose }: Props) {
  const remove = useDeleteSubject();
  return (
    <ConfirmSheet
      title="Are you sure you want to delete this subject?"
      opened={opened}
      onClose={onClose}
      confirm="Delete"
      busy="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(subject.id, { onSuccess: onClose })}
    >
      {subject.name} can no longer be chosen. Lessons that have it go on as they are.
    </ConfirmSheet>
  );
}
