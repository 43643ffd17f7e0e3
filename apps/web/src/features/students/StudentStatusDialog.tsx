import {
  type ChosenStatus,
  type StudentStatusChange,
  StudentStatusInput,
} from '@lessonbook/contract/change-student-status';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { type Student, studentStatusOn } from '@lessonbook/contract/students';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { formatList, formatShortDate, pluralize } from '../../lib/format.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';
import { useForm } from '../../lib/use-form.ts';
import { useSubmitAfterPreview } from '../../lib/use-submit-after-preview.ts';
import { statusPreviewQuery, useChangeStudentStatus } from './api.ts';
import { toPreviousStatusInput } from './previous-status.ts';
import { STATUS_LABELS } from './student-format.ts';

interface Props {
  student: Student;
  today: string;
  opened: boolean;
  onClose: () => void;
}

/** Changes the status of a student, after showing which lessons will be cancelled or go ahead again. */
export function StudentStatusDialog({ opened, ...props }: Props) {
  return (
    <Dialog title="Change status" opened={opened} onClose={props.onClose}>
      <StatusForm {...props} />
    </Dialog>
  );
}

interface FormValues {
  status: ChosenStatus;
  fromDate: string;
  toDate: string;
}

const OPTIONS: { value: ChosenStatus; hint: string }[] = [
  { value: 'trial', hint: 'Trying out lessons' },
  { value: 'active', hint: 'Has regular lessons' },
  { value: 'paused', hint: 'Lessons are cancelled free of charge for a while' },
];

function toInput({ status, fromDate, toDate }: FormValues): StudentStatusInput {
  if (status !== 'paused') return { status };
  return { status, fromDate, toDate: toDate === '' ? null : toDate };
}

const StatusFormSchema = z.pipe(
  z.transform<FormValues, StudentStatusInput>(toInput),
  StudentStatusInput,
);

/** Resuming is the usual change for a paused student. */
function toFormValues(student: Student, today: string): FormValues {
  const current = studentStatusOn(student, today);
  const pause = student.pause && student.pause.fromDate > today ? student.pause : null;
  return {
    status: current === 'trial' && !pause ? 'trial' : pause ? 'paused' : 'active',
    fromDate: pause?.fromDate ?? today,
    toDate: pause?.toDate ?? '',
  };
}

function StatusForm({ student, today, onClose }: Omit<Props, 'opened'>) {
  const { values, errors, change, onSubmit } = useForm<FormValues>({
    schema: StatusFormSchema,
    initialValues: toFormValues(student, today),
    mode: 'controlled',
  });
  const save = useChangeStudentStatus();
  const undo = useChangeStudentStatus();
  const input = toInput(values);
  const isValid = StatusFormSchema.safeParse(values).success;
  const preview = useQuery({
    ...statusPreviewQuery(student.id, input),
    enabled: isValid,
    placeholderData: (previous) => previous,
    retry: false,
  });

  function offerUndo() {
    const title = `${student.name}: ${STATUS_LABELS[values.status].toLowerCase()}`;
    // The status 'left' can only be set in the departure dialog, with its preview, so this change has no undo.
    if (student.status === 'left') return toastSuccess(title);
    const previous = toPreviousStatusInput(student.status, student.pause, today);
    return toastUndo(title, () =>
      undo.mutate(
        { params: { id: student.id }, body: previous },
        { onSuccess: () => toastSuccess('Status changed back') },
      ),
    );
  }

  const submit = onSubmit(
    (submitted) => save.mutateAsync({ params: { id: student.id }, body: toInput(submitted) }),
    () => {
      onClose();
      offerUndo();
    },
  );
  const submission = useSubmitAfterPreview({ isValid, preview, submit });

  return (
    <DialogForm
      onSubmit={submission.onSubmit}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel={getSubmitLabel(values.status, preview.data)}
      isBusy={save.isPending || submission.isWaiting}
    >
      <RadioList
        legend={`Status of ${student.name}`}
        options={OPTIONS.map((option) => ({ ...option, label: STATUS_LABELS[option.value] }))}
        chosen={values.status}
        onChoose={(status) => change({ status })}
      />
      <p>Leaving for good? Go back and choose “Student is leaving” in the same menu.</p>
      {values.status === 'paused' && (
        <FieldPair alwaysSideBySide>
          <DateField
            label="First day"
            value={values.fromDate}
            onChange={(fromDate) => change({ fromDate })}
            today={today}
            placeholder="Pick a date"
            error={errors.fromDate}
            path="fromDate"
          />
          <DateField
            label="Last day"
            value={values.toDate}
            onChange={(toDate) => change({ toDate })}
            today={today}
            earliest={values.fromDate}
            placeholder="No end date"
            clearable
            error={errors.toDate}
            path="toDate"
          />
        </FieldPair>
      )}
      {isValid && (
        <ImpactNotice busy={preview.isFetching}>
          {preview.isError
            ? preview.error.message
            : preview.data
              ? formatImpact(values.status, preview.data, today)
              : 'Checking which lessons change...'}
        </ImpactNotice>
      )}
    </DialogForm>
  );
}

const getSubmitLabel = (status: ChosenStatus, change: StudentStatusChange | undefined): string => {
  const count = change?.cancelled.length ?? 0;
  return count > 0 && status === 'paused' ? `Cancel ${pluralize(count, 'lesson')}` : 'Save status';
};

const MAX_DATES = 4;

/** 'Tue 24 Nov, Tue 1 Dec and 12 more' */
function formatDates(sessions: readonly SessionRow[], today: string): string {
  const dates = sessions.slice(0, MAX_DATES).map(({ date }) => formatShortDate(date, today));
  const others = sessions.length - dates.length;
  return formatList(others > 0 ? [...dates, `${others} more`] : dates);
}

function formatImpact(status: ChosenStatus, change: StudentStatusChange, today: string): string {
  const { cancelled, restored, overlaps } = change;
  return [
    cancelled.length > 0 &&
      `${pluralize(cancelled.length, 'lesson')} will be cancelled free of charge: ${formatDates(cancelled, today)}.`,
    restored.length > 0 &&
      `${pluralize(restored.length, 'lesson')} will go ahead again: ${formatDates(restored, today)}.`,
    overlaps.length > 0 &&
      `${pluralize(overlaps.length, 'of them overlaps', 'of them overlap')} another lesson.`,
    cancelled.length + restored.length === 0 && 'No lessons will change.',
    status === 'paused' && cancelled.length > 0 && 'No reminders will be sent for these lessons.',
  ]
    .filter(Boolean)
    .join(' ');
}
