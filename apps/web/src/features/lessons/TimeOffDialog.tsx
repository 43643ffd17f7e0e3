import { isDate } from '@lessonbook/contract/dates';
import { TimeOffInput } from '@lessonbook/contract/time-off';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import { pluralize } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useSubmitAfterPreview } from '../../lib/use-submit-after-preview.ts';
import { offerCancellationNotice } from './offer-change-notice.ts';
import { SessionsDuringTimeOff } from './SessionsDuringTimeOff.tsx';
import { timeOffPreviewQuery, useCreateTimeOff } from './time-off-api.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  today: string;
  /** The day to start with. */
  day?: string | undefined;
}

export function TimeOffDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="Add time off" opened={opened} onClose={onClose}>
      <TimeOffForm {...form} onClose={onClose} />
    </Dialog>
  );
}

interface TimeOffFormValues {
  fromDate: string;
  toDate: string;
  isPartOfDay: boolean;
  startTime: string;
  endTime: string;
  reason: string;
  /** Ids of the lessons that will still take place. */
  keptIds: readonly number[];
}

const toInput = (form: TimeOffFormValues) => ({
  fromDate: form.fromDate,
  toDate: form.toDate,
  ...(form.isPartOfDay && { startTime: form.startTime, endTime: form.endTime }),
  ...(form.reason.trim() && { reason: form.reason }),
});

const TimeOffFormSchema = z.pipe(
  z.transform<TimeOffFormValues, z.input<typeof TimeOffInput>>(toInput),
  TimeOffInput,
);

/** Lists the sessions during the time off; the selected ones are cancelled free of charge. */
function TimeOffForm({ today, day = today, onClose }: Omit<Props, 'opened'>) {
  const { values, errors, change, onSubmit, keyFor } = useForm<TimeOffFormValues>({
    schema: TimeOffFormSchema,
    initialValues: {
      fromDate: day,
      toDate: day,
      isPartOfDay: false,
      startTime: '09:00',
      endTime: '12:00',
      reason: '',
      keptIds: [],
    },
    mode: 'controlled',
  });
  const create = useCreateTimeOff();

  const { reason: _, ...period } = toInput(values);
  const isValid = TimeOffFormSchema.safeParse(values).success;
  const affected = useQuery({
    ...timeOffPreviewQuery({ ...period, cancelSessionIds: [] }),
    enabled: isValid,
    placeholderData: (previous) => previous,
  });
  const cancelled = (affected.data ?? []).filter(({ id }) => !values.keptIds.includes(id));

  const save = onSubmit(
    (submitted) => {
      const body = { ...toInput(submitted), cancelSessionIds: cancelled.map(({ id }) => id) };
      return create.mutateAsync({ body, idempotencyKey: keyFor(body) });
    },
    () => {
      onClose();
      offerCancellationNotice(cancelled, today);
    },
  );
  const submission = useSubmitAfterPreview({
    isValid,
    preview: affected,
    describe: (sessions) => sessions.map(({ id }) => id),
    submit: save,
  });

  return (
    <DialogForm
      onSubmit={submission.onSubmit}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel={
        cancelled.length > 0 ? `Cancel ${pluralize(cancelled.length, 'lesson')}` : 'Save time off'
      }
      isBusy={create.isPending || submission.isWaiting}
    >
      <FieldPair alwaysSideBySide>
        <DateField
          label="First day"
          value={values.fromDate}
          onChange={(fromDate) =>
            change({
              fromDate,
              ...(isDate(fromDate) && values.toDate < fromDate && { toDate: fromDate }),
            })
          }
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
          placeholder="Pick a date"
          error={errors.toDate}
          path="toDate"
        />
      </FieldPair>
      <CheckboxField
        label="Only some hours"
        checked={values.isPartOfDay}
        onChange={(isPartOfDay) => change({ isPartOfDay })}
      />
      {values.isPartOfDay && (
        <FieldPair alwaysSideBySide>
          <TimeField
            label="From"
            value={values.startTime}
            onChange={(startTime) => change({ startTime })}
            error={errors.startTime}
          />
          <TimeField
            label="To"
            value={values.endTime}
            onChange={(endTime) => change({ endTime })}
            error={errors.endTime}
          />
        </FieldPair>
      )}
      <TextInput
        label="Reason"
        placeholder="E.g. Holiday"
        value={values.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
        error={errors.reason}
        data-path="reason"
      />
      <SessionsDuringTimeOff
        affectedSessions={isValid ? affected : null}
        keptIds={new Set(values.keptIds)}
        today={today}
        onKeptIdsChange={(kept) => change({ keptIds: [...kept] })}
      />
    </DialogForm>
  );
}
