import type { StudentReminders } from '@lessonbook/contract/reminders';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Segments } from '../../components/Segments.tsx';
import { studentRemindersQuery, useSaveStudentReminders } from './api.ts';
import { ChoiceFields } from './ChoiceFields.tsx';
import classes from './Reminders.module.css';

interface Props {
  student: { id: number; name: string };
  opened: boolean;
  onClose: () => void;
}

export function OwnRemindersSheet({ student, opened, onClose }: Props) {
  const reminders = useQuery(studentRemindersQuery(student.id));
  return (
    <BottomSheet title={`Reminders for ${student.name}`} opened={opened} onClose={onClose}>
      {reminders.data ? (
        <OwnForm id={student.id} saved={reminders.data} onClose={onClose} />
      ) : reminders.isError ? (
        <LoadError onRetry={() => void reminders.refetch()}>
          The reminders could not be loaded.
        </LoadError>
      ) : (
        <RowSkeleton rows={3} />
      )}
    </BottomSheet>
  );
}

const whose = [
  { value: 'everyone', label: 'As for everyone' },
  { value: 'own', label: 'Own choice' },
] as const;

function OwnForm(props: { id: number; saved: StudentReminders; onClose: () => void }) {
  const { id, saved, onClose } = props;
  const [choice, setChoice] = useState(saved);
  const save = useSaveStudentReminders();
  return (
    // Not a form: it stands inside that of the student, as far as events go.
    <div className={classes.form}>
      <Segments
        label="Whose choice"
        value={choice.own ? 'own' : 'everyone'}
        options={whose}
        onChange={(value) => setChoice({ ...choice, own: value === 'own' })}
      />
      {choice.own && (
        <ChoiceFields choice={choice} onChange={(part) => setChoice({ ...choice, ...part })} />
      )}
      <SheetButtons
        onCancel={onClose}
        confirm="Save Changes"
        busy="Saving..."
        isBusy={save.isPending}
        disabled={choice.own && choice.channels.length === 0}
        onConfirm={() => save.mutate({ id, ...choice }, { onSuccess: onClose })}
      />
    </div>
  );
}
