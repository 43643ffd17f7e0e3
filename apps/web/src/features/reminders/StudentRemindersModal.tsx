import { StudentReminders } from '@lessonbook/contract/reminder-settings';
import { useQuery } from '@tanstack/react-query';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useForm } from '../../lib/use-form.ts';
import { studentRemindersQuery, useSaveStudentReminders } from './api.ts';
import { ReminderScheduleFields } from './ReminderScheduleFields.tsx';
import classes from './Reminders.module.css';

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
          We couldn't load the reminders.
        </LoadError>
      ) : (
        <RowSkeleton rows={3} />
      )}
    </ResponsiveModal>
  );
}

const sourceOptions = [
  { value: 'everyone', label: 'Same as everyone else' },
  { value: 'own', label: 'Different for this student' },
] as const;

function StudentRemindersForm(props: { id: number; saved: StudentReminders; onClose: () => void }) {
  const { id, saved, onClose } = props;
  const {
    values: settings,
    change,
    onSubmit,
  } = useForm({ schema: StudentReminders, initialValues: saved, mode: 'controlled' });
  const save = useSaveStudentReminders();
  const confirm = onSubmit((values) => save.mutateAsync({ id, ...values }), onClose);
  return (
    // Not a form: its submit event would bubble to the student form in the React tree.
    <div className={classes.form}>
      <SegmentedControl
        label="Reminders"
        value={settings.isCustom ? 'own' : 'everyone'}
        options={sourceOptions}
        onChange={(value) => change({ isCustom: value === 'own' })}
      />
      {settings.isCustom && <ReminderScheduleFields schedule={settings} onChange={change} />}
      <ModalActions
        onCancel={onClose}
        confirmLabel="Save Changes"
        busyLabel="Saving..."
        isBusy={save.isPending}
        disabled={settings.isCustom && settings.channels.length === 0}
        onConfirm={() => confirm()}
      />
    </div>
  );
}
