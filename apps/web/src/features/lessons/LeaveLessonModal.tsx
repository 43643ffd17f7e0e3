import { JoinInput } from '@lessonbook/contract/group-lessons';
import type { LessonDetails } from '@lessonbook/contract/lessons';
import type { Session } from '@lessonbook/contract/sessions';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { firstName } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useLeaveLesson } from './group-lessons-api.ts';
import classes from './SessionModals.module.css';

type RosterStudent = LessonDetails['students'][number];

interface Props {
  lesson: LessonDetails;
  /** Its date is the default for leaving. */
  session: Session;
  today: string;
  /** Null while the modal is closed. */
  student: RosterStudent | null;
  onClose: () => void;
}

export function LeaveLessonModal({ student, ...props }: Props) {
  const last = useLastValue(student);
  return (
    <ResponsiveModal
      title={last ? `Remove ${firstName(last.name)}` : 'Remove'}
      opened={student !== null}
      onClose={props.onClose}
    >
      {last && <LeaveForm {...props} student={last} />}
    </ResponsiveModal>
  );
}

const LeaveSchema = z.object({ from: JoinInput.shape.from });

function LeaveForm({
  lesson,
  session,
  today,
  student,
  onClose,
}: Props & { student: RosterStudent }) {
  const leave = useLeaveLesson();
  const { values, errors, change, ...form } = useForm({
    schema: LeaveSchema,
    initialValues: { from: session.date },
    mode: 'controlled',
  });
  const save = form.onSubmit(
    ({ from }) =>
      leave.mutateAsync({
        params: { id: lesson.id, studentId: student.studentId },
        query: { from },
      }),
    () => onClose(),
  );
  return (
    <div className={classes.form}>
      <DateField
        label="Remove from"
        placeholder="Pick a date"
        today={today}
        value={values.from}
        onChange={(from) => change({ from })}
        required
        error={errors['from']}
        path="from"
      />
      <p className={classes.hint}>
        {firstName(student.name)} will be removed from lessons on and after this date. Earlier
        lessons and their charges won't change.
      </p>
      <ModalActions
        onCancel={onClose}
        confirmLabel="Remove student"
        busyLabel="Saving..."
        isBusy={leave.isPending}
        color="red"
        onConfirm={() => save()}
      />
    </div>
  );
}
