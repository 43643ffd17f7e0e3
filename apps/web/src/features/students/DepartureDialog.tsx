import { addDaysToDate, isDate } from '@lessonbook/contract/dates';
import {
  DepartureInput,
  type DeparturePreview,
  defaultPortalEnd,
  type NoticeAction,
} from '@lessonbook/contract/student-departures';
import type { StudentListItem } from '@lessonbook/contract/student-overview-and-timeline';
import type { Student } from '@lessonbook/contract/students';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { firstName, pluralize } from '../../lib/format.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';
import { useForm } from '../../lib/use-form.ts';
import { useSubmitAfterPreview } from '../../lib/use-submit-after-preview.ts';
import { studentListQuery, useChangeStudentStatus } from './api.ts';
import classes from './DeparturePreview.module.css';
import { DepartureFamilies, DepartureLessons } from './DeparturePreview.tsx';
import { departurePreviewQuery, useSaveDeparture } from './departures-api.ts';
import { groupByYear, LeavingStudentsByYearPicker } from './LeavingStudentsByYearPicker.tsx';
import { toPreviousStatusInput } from './previous-status.ts';

interface Props {
  /** If null, the tutor chooses school years. */
  student: Student | null;
  today: string;
  opened: boolean;
  onClose: () => void;
}

/** Ends the lessons of a student who is leaving, or of whole school years at the end of the exam season. */
export function DepartureDialog({ opened, ...props }: Props) {
  const { student, onClose } = props;
  const title = student ? `${firstName(student.name)} is leaving` : 'End of exam season';
  return (
    <Dialog title={title} opened={opened} onClose={onClose}>
      {student ? <DepartureForm {...props} /> : <ExamSeason {...props} />}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'opened'>;

function ExamSeason(props: FormProps) {
  const { data } = useQuery(studentListQuery);
  return data ? <ExamSeasonForm {...props} students={data} /> : <RowSkeleton rows={2} />;
}

function ExamSeasonForm({ students, ...props }: FormProps & { students: StudentListItem[] }) {
  // Decided once, because there may be no current student with a school year after saving.
  const [hasYears] = useState(() => groupByYear(students).length > 0);
  if (hasYears) return <DepartureForm {...props} />;
  return (
    <>
      <p className={classes.empty}>
        None of your students has a school year yet. Add school years under Edit student, and you
        can end the lessons of a whole year here.
      </p>
      <Button onClick={props.onClose}>Close</Button>
    </>
  );
}

interface FormValues {
  studentIds: readonly number[];
  lastDate: string;
  noticeUntil: string;
  inNotice: NoticeAction;
  /** Null until the tutor has chosen a date other than the default. */
  portalEndsOn: string | null;
  drafts: boolean;
}

type PreviewInput = z.input<typeof DepartureInput>;

const toInput = ({ drafts: _, ...values }: FormValues): PreviewInput => ({
  studentIds: [...values.studentIds],
  lastDate: values.lastDate,
  noticeUntil: values.noticeUntil === '' ? null : values.noticeUntil,
  inNotice: values.inNotice,
  portalEndsOn: values.portalEndsOn ?? usualPortalEnd(values),
});

const usualPortalEnd = ({
  lastDate,
  noticeUntil,
  inNotice,
}: Omit<FormValues, 'drafts'>): string => {
  const lastDay = inNotice === 'keep' && noticeUntil > lastDate ? noticeUntil : lastDate;
  return isDate(lastDay) ? defaultPortalEnd(lastDay) : '';
};

const FormSchema = z.pipe(z.transform<FormValues, PreviewInput>(toInput), DepartureInput);

const NOTICE_OPTIONS = [
  { value: 'charge', label: 'Cancel and charge them', hint: 'In full, whatever your policy says' },
  {
    value: 'keep',
    label: 'They take place as usual',
    hint: 'The notice ends with the last lesson',
  },
] as const;

function DepartureForm({ student, today, onClose }: FormProps) {
  const { values, errors, change, onSubmit, keyFor } = useForm<FormValues>({
    schema: FormSchema,
    initialValues: {
      studentIds: student ? [student.id] : [],
      lastDate: student?.leftOn ?? today,
      noticeUntil: '',
      inNotice: 'charge',
      portalEndsOn: student?.portalEndsOn ?? null,
      drafts: true,
    },
    mode: 'controlled',
  });
  const save = useSaveDeparture();
  const offerUndo = useOfferUndo(student, today);
  const isValid = FormSchema.safeParse(values).success;
  const input = toInput(values);
  const preview = useQuery({
    ...departurePreviewQuery(input),
    enabled: isValid,
    placeholderData: (previous) => previous,
    retry: false,
  });
  const { data } = preview;

  const submit = onSubmit(async ({ drafts }) => {
    const body = { ...input, fingerprint: data?.fingerprint ?? '', drafts };
    const saved = await save.mutateAsync({ body, idempotencyKey: keyFor(body) });
    offerUndo(saved, data?.students[0]?.student.leftOn ?? null);
  }, onClose);
  const submission = useSubmitAfterPreview({ isValid, preview, submit });

  return (
    <DialogForm
      onSubmit={submission.onSubmit}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel={getSubmitLabel(student, data)}
      isBusy={save.isPending || submission.isWaiting}
    >
      {!student && (
        <LeavingStudentsByYearPicker
          chosenIds={values.studentIds}
          error={errors.studentIds}
          onChange={(studentIds) => change({ studentIds })}
        />
      )}
      <FieldPair alwaysSideBySide>
        <DateField
          label="Last day"
          value={values.lastDate}
          onChange={(lastDate) => change({ lastDate })}
          today={today}
          placeholder="Pick a date"
          error={errors.lastDate}
          path="lastDate"
        />
        {student && (
          <DateField
            label="Notice until"
            value={values.noticeUntil}
            onChange={(noticeUntil) => change({ noticeUntil })}
            today={today}
            earliest={values.lastDate}
            placeholder="No notice"
            clearable
            error={errors.noticeUntil}
            path="noticeUntil"
          />
        )}
      </FieldPair>
      {values.noticeUntil !== '' && (
        <RadioList
          legend="Lessons in the notice period"
          options={NOTICE_OPTIONS}
          chosen={values.inNotice}
          onChoose={(inNotice) => change({ inNotice })}
        />
      )}
      {preview.isError ? (
        <ImpactNotice>{preview.error.message}</ImpactNotice>
      ) : (
        isValid && <DepartureLessons preview={data} isSingle={student !== null} today={today} />
      )}
      <DateField
        label="Family portal open until"
        value={input.portalEndsOn}
        onChange={(portalEndsOn) => change({ portalEndsOn })}
        today={today}
        earliest={values.lastDate}
        placeholder="Pick a date"
        error={errors.portalEndsOn}
        path="portalEndsOn"
      />
      <CheckboxField
        label={student ? 'Draft a message to the family' : 'Draft a message to each family'}
        hint="You can read and change it under Messages before it’s sent."
        checked={values.drafts}
        onChange={(drafts) => change({ drafts })}
      />
      {isValid && data && <DepartureFamilies families={data.families} drafts={values.drafts} />}
    </DialogForm>
  );
}

function getSubmitLabel(student: Student | null, preview: DeparturePreview | undefined): string {
  if (!student) {
    const count = preview?.students.length ?? 0;
    return count === 0 ? 'End lessons' : `End lessons of ${pluralize(count, 'student')}`;
  }
  const [shown] = preview?.students ?? [];
  const count = (shown?.cancelled.length ?? 0) + (shown?.charged.length ?? 0);
  return count === 0 ? 'Save last day' : `Cancel ${pluralize(count, 'lesson')}`;
}

interface Saved {
  students: number;
  cancelled: number;
  chargedSessions: number;
  messages: number;
}

/** The departure of a single student can be undone: the lessons are restored, but a draft message is kept. */
function useOfferUndo(student: Student | null, today: string) {
  const undo = useChangeStudentStatus();
  return ({ students, cancelled, chargedSessions, messages }: Saved, leftOn: string | null) => {
    const title = student
      ? `${student.name} is leaving`
      : `Last day saved for ${pluralize(students, 'student')}`;
    const lessons = cancelled + chargedSessions;
    const details = [
      lessons > 0 && `${pluralize(lessons, 'lesson')} cancelled.`,
      messages > 0 && `${pluralize(messages, 'draft')} under Messages.`,
    ]
      .filter(Boolean)
      .join(' ');
    if (!student || student.status === 'left' || !canRestoreAll(student, leftOn, today))
      return void toastSuccess(title, details);
    const body = toPreviousStatusInput(student.status, student.pause, today);
    const restore = async () => {
      // Callbacks of `mutate` are not called once the dialog is closed. A failure is shown by the mutation itself.
      await undo.mutateAsync({ params: { id: student.id }, body });
      toastSuccess('Lessons restored');
    };
    return void toastUndo(title, () => void restore().catch(() => undefined), details);
  };
}

/** Lessons before today stay cancelled when a student comes back, and pauses that ended on the last day are not extended. */
function canRestoreAll({ pause }: Student, leftOn: string | null, today: string): boolean {
  if (leftOn === null || leftOn < addDaysToDate(today, -1)) return false;
  return pause === null || (pause.toDate !== null && pause.toDate <= leftOn);
}
