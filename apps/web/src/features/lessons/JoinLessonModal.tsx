import { JoinInput } from '@lessonbook/contract/group-lessons';
import type { LessonDetails } from '@lessonbook/contract/lessons';
import type { Session } from '@lessonbook/contract/sessions';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { CreatableSelect } from '../../components/CreatableSelect.tsx';
import { DateField } from '../../components/DateField.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { parseAmount } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { studentsQuery, useCreateStudent } from '../students/api.ts';
import { useJoinLesson } from './group-lessons-api.ts';
import { groupFullMessage } from './OverlapAndConflictWarnings.tsx';
import classes from './SessionModals.module.css';

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

interface Props {
  lesson: LessonDetails;
  /** Its date is the default for joining. */
  session: Session;
  today: string;
  opened: boolean;
  onClose: () => void;
}

export function JoinLessonModal({ opened, ...form }: Props) {
  return (
    <ResponsiveModal title="Add a student" opened={opened} onClose={form.onClose}>
      <JoinForm {...form} />
    </ResponsiveModal>
  );
}

function JoinForm({ lesson, session, today, onClose }: Omit<Props, 'opened'>) {
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
