import { JoinInput } from '@lessonbook/contract/group-lessons';
import type { LessonDetails } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import type { Session } from '@lessonbook/contract/sessions';
import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { CreatableSelect } from '../../components/CreatableSelect.tsx';
import { DateField } from '../../components/DateField.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { firstName, formatAmount, formatShortDate } from '../../lib/format.ts';
import { parseAmount } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { studentsQuery, useCreateStudent } from '../students/api.ts';
import seatClasses from './GroupLessonFields.module.css';
import { SeatRow } from './GroupLessonFields.tsx';
import { useJoinLesson, useLeaveLesson } from './group-lessons-api.ts';
import { feeSourceLabels } from './lesson-change-format.ts';
import { groupFullMessage } from './OverlapAndConflictWarnings.tsx';
import classes from './SessionModals.module.css';

interface Props {
  lesson: LessonDetails;
  /** The session whose date is the default for joining or leaving. */
  session: Session;
  today: string;
}

type RosterStudent = LessonDetails['students'][number];

/** The students of a saved lesson. They join and leave from a chosen date, and are saved separately from the other fields. */
export function RosterFields({ lesson, session, today }: Props) {
  const [isJoining, setIsJoining] = useState(false);
  const [leaving, setLeaving] = useState<RosterStudent | null>(null);
  const roster = lesson.students.filter(({ toDate }) => toDate === null || toDate >= today);
  return (
    <>
      {lesson.students.length > 1 && (
        <fieldset className={seatClasses.seats}>
          <legend>Students</legend>
          <p className={seatClasses.size}>Group of {roster.length}</p>
          <div className={seatClasses.list}>
            <ul>
              {roster.map((student) => (
                <SeatRow
                  key={`${student.studentId} ${student.fromDate}`}
                  name={student.name}
                  detail={formatDates(student, today)}
                  {...describePrice(student, lesson, session)}
                  {...(student.toDate === null &&
                    roster.length > 1 && { onRemove: () => setLeaving(student) })}
                />
              ))}
            </ul>
            <AddButton onClick={() => setIsJoining(true)} />
          </div>
        </fieldset>
      )}
      {lesson.students.length <= 1 && <AddButton onClick={() => setIsJoining(true)} />}
      <JoinModal
        lesson={lesson}
        session={session}
        today={today}
        opened={isJoining}
        onClose={() => setIsJoining(false)}
      />
      <LeaveModal
        lesson={lesson}
        session={session}
        today={today}
        student={leaving}
        onClose={() => setLeaving(null)}
      />
    </>
  );
}

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button
    variant="subtle"
    leftSection={<IconPlus size={18} stroke={1.8} />}
    justify="flex-start"
    onClick={onClick}
  >
    Add a student
  </Button>
);

/** 'Joins Tue 1 Dec' or 'Until Mon 30 Nov' */
function formatDates({ fromDate, toDate }: RosterStudent, today: string): string | undefined {
  if (toDate !== null) return `Until ${formatShortDate(toDate, today)}`;
  return fromDate !== null && fromDate > today
    ? `Joins ${formatShortDate(fromDate, today)}`
    : undefined;
}

/** The price in the session or, for a student who joins later, in the lesson. */
function describePrice(
  { studentId, fee }: RosterStudent,
  { seatFee, currency }: LessonDetails,
  { students }: Session,
): { price: string; reason: string } {
  const seat = students.find((each) => each.studentId === studentId);
  const major = fee ?? seatFee;
  const minor = seat ? seat.fee : major && toMinor(major);
  return {
    price: minor ? formatAmount(minor, currency, true) : 'Free',
    reason: feeSourceLabels[seat?.feeSource ?? (fee === null ? 'lesson' : 'student')],
  };
}

interface JoinValues {
  studentId: string;
  from: string;
  fee: string;
}

/** If no price is entered, the price of one place applies. */
const toJoinInput = ({ studentId, from, fee }: JoinValues) => ({
  studentId: Number.parseInt(studentId, 10),
  from,
  ...(fee.trim() && { fee: parseAmount(fee) }),
});

const JoinSchema = z.pipe(
  z.transform<JoinValues, z.input<typeof JoinInput>>(toJoinInput),
  JoinInput,
);

interface JoinModalProps extends Props {
  opened: boolean;
  onClose: () => void;
}

export function JoinModal({ opened, ...form }: JoinModalProps) {
  return (
    <ResponsiveModal title="Add a student" opened={opened} onClose={form.onClose}>
      <JoinForm {...form} />
    </ResponsiveModal>
  );
}

function JoinForm({ lesson, session, today, onClose }: Omit<JoinModalProps, 'opened'>) {
  const students = useQuery(studentsQuery);
  const addStudent = useCreateStudent();
  const join = useJoinLesson();
  const { values, errors, change, ...form } = useForm<JoinValues>({
    schema: JoinSchema,
    initialValues: { studentId: '', from: session.date, fee: '' },
    mode: 'controlled',
  });
  const full = groupFullMessage(join.error);
  const current = lesson.students.filter(({ toDate }) => toDate === null);
  const options = (students.data ?? []).filter(
    ({ id }) => !current.some(({ studentId }) => studentId === id),
  );
  function update(fields: Partial<JoinValues>) {
    join.reset();
    change(fields);
  }
  const save = form.onSubmit(
    (input) => {
      const request = {
        params: { id: lesson.id },
        body: { ...toJoinInput(input), acceptFull: full !== undefined },
      };
      return join.mutateAsync({ ...request, idempotencyKey: form.keyFor(request) });
    },
    () => onClose(),
  );
  return (
    <div className={classes.form}>
      <CreatableSelect
        label="Student"
        placeholder="Choose a student"
        options={options.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={values.studentId}
        onChange={(studentId) => update({ studentId })}
        onAdd={(name) =>
          addStudent.mutate({ name }, { onSuccess: ({ id }) => update({ studentId: String(id) }) })
        }
        isAdding={addStudent.isPending}
        error={errors['studentId']}
        initialFocus
        path="studentId"
      />
      <DateField
        label="Joins on"
        placeholder="Pick a date"
        today={today}
        value={values.from}
        onChange={(from) => update({ from })}
        required
        error={errors['from']}
        path="from"
      />
      <TextInput
        label="Individual price"
        description="Leave blank to use the price per place."
        inputMode="decimal"
        autoComplete="off"
        value={values.fee}
        onChange={(event) => update({ fee: event.currentTarget.value })}
        error={errors['fee']}
        data-path="fee"
      />
      <p className={classes.hint}>They won't be added to, or charged for, earlier lessons.</p>
      {full && (
        <ImpactNotice>
          <p>{full}</p>
        </ImpactNotice>
      )}
      <ModalActions
        onCancel={onClose}
        confirmLabel={full ? 'Add anyway' : 'Add student'}
        busyLabel="Saving..."
        isBusy={join.isPending}
        onConfirm={() => save()}
      />
    </div>
  );
}

interface LeaveModalProps extends Props {
  /** Null while the modal is closed. */
  student: RosterStudent | null;
  onClose: () => void;
}

function LeaveModal({ student, ...props }: LeaveModalProps) {
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
}: LeaveModalProps & { student: RosterStudent }) {
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
