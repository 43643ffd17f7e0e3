import type { StudentReminders } from '@lessonbook/contract/reminder-settings';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { studentRemindersQuery, useSaveStudentReminders } from './api.ts';
import classes from './Reminders.module.css';
import { ScheduleFields } from './ScheduleFields.tsx';

interface Props {
  student: { id: number; name: string };
  opened: boolean;
  onClose: () => void;
}

export function StudentRemindersModal({ student, opened, onClose }: Props) {
  const reminders = useQuery(studentRemindersQuery(student.id));
  return (
    <ResponsiveModal title={`Reminders for ${student.name}`} opened={opened} onClose={onClose}>
      {reminders.data ? (
        <StudentRemindersForm id={student.id} saved={reminders.data} onClose={onClose} />
      ) : reminders.isError ? (
        <LoadError onRetry={() => void reminders.refetch()}>
          The reminders could not be loaded.
        </LoadError>
      ) : (
        <RowSkeleton rows={3} />
      )}
    </ResponsiveModal>
  );
}

const sourceOptions = [
  { value: 'everyone', label: 'As for everyone' },
  { value: 'own', label: 'Own choice' },
] as const;

function StudentRemindersForm(props: { id: number; saved: StudentReminders; onClose: () => void }) {
  const { id, saved, onClose } = props;
  const [settings, setSettings] = useState(saved);
  const save = useSaveStudentReminders();
  return (
    // Not a form: its submit event would bubble to the student form in the React tree.
    <div className={classes.form}>
      <SegmentedControl
        label="Whose choice"
        value={settings.isCustom ? 'own' : 'everyone'}
        options={sourceOptions}
        onChange={(value) => setSettings({ ...settings, isCustom: value === 'own' })}
      />
      {settings.isCustom && (
        <ScheduleFields
          schedule={settings}
          onChange={(changes) => setSettings({ ...settings, ...changes })}
        />
      )}
      <ModalActions
        onCancel={onClose}
        confirmLabel="Save Changes"
        busyLabel="Saving..."
        isBusy={save.isPending}
        disabled={settings.isCustom && settings.channels.length === 0}
        onConfirm={() => save.mutate({ id, ...settings }, { onSuccess: onClose })}
      />
    </div>
  );
}
