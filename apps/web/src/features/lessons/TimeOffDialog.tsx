import { TimeOffInput } from '@lessonbook/contract/time-off';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { DateField } from '../../components/DateField.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { FieldPair } from '../../components/Form.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import { pluralize } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { offerCancellationNotice } from './offer-change-notice.ts';
import { SessionsDuringTimeOff } from './SessionsDuringTimeOff.tsx';
import { timeOffPreviewQuery, useCreateTimeOff } from './time-off-api.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  today: string;
  /** The day to start with, from 'Cancel my day'. */
  day?: string | undefined;
}

export function TimeOffDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="Add time off" opened={opened} onClose={onClose}>
      <TimeOffForm {...form} onClose={onClose} />
    </Dialog>
  );
}

/** Lists the sessions during the time off; the selected ones are cancelled free of charge. */
function TimeOffForm({ today, day = today, onClose }: Omit<Props, 'opened'>) {
  const [range, setRange] = useState({ fromDate: day, toDate: day });
  const [hours, setHours] = useState<{ startTime: string; endTime: string } | null>(null);
  const [reason, setReason] = useState('');
  const [keptIds, setKeptIds] = useState<ReadonlySet<number>>(new Set());
  const [submitted, setSubmitted] = useState(false);
  const idempotency = useIdempotencyKey();
  const create = useCreateTimeOff();

  const input = { ...range, ...hours, ...(reason.trim() && { reason }) };
  const problem = validate(input);
  const affected = useQuery({
    ...timeOffPreviewQuery({ ...range, ...hours, cancelSessionIds: [] }),
    enabled: problem === null,
    placeholderData: (previous) => previous,
  });
  const cancelled = (affected.data ?? []).filter(({ id }) => !keptIds.has(id));
  const errors = submitted ? problem : null;

  function save() {
    setSubmitted(true);
    // Waits for the preview, because the tutor must have seen which sessions will be cancelled.
    if (problem || !affected.data || affected.isPlaceholderData) return;
    const body = { ...input, cancelSessionIds: cancelled.map(({ id }) => id) };
    create.mutate(
      { body, idempotencyKey: idempotency.keyFor(body) },
      {
        onSuccess: () => {
          onClose();
          offerCancellationNotice(cancelled, today);
        },
      },
    );
  }

  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel={
        cancelled.length > 0 ? `Cancel ${pluralize(cancelled.length, 'lesson')}` : 'Save time off'
      }
      isBusy={create.isPending}
    >
      <FieldPair alwaysSideBySide>
        <DateField
          label="First day"
          value={range.fromDate}
          onChange={(fromDate) =>
            setRange(({ toDate }) => ({ fromDate, toDate: toDate < fromDate ? fromDate : toDate }))
          }
          today={today}
          placeholder="Pick a date"
          error={errors?.['fromDate']}
        />
        <DateField
          label="Last day"
          value={range.toDate}
          onChange={(toDate) => setRange(({ fromDate }) => ({ fromDate, toDate }))}
          today={today}
          earliest={range.fromDate}
          placeholder="Pick a date"
          error={errors?.['toDate']}
        />
      </FieldPair>
      <CheckboxField
        label="Only some hours"
        checked={hours !== null}
        onChange={(some) => setHours(some ? { startTime: '09:00', endTime: '12:00' } : null)}
      />
      {hours && (
        <FieldPair alwaysSideBySide>
          <TimeField
            label="From"
            value={hours.startTime}
            onChange={(startTime) => setHours({ ...hours, startTime })}
            error={errors?.['startTime']}
          />
          <TimeField
            label="To"
            value={hours.endTime}
            onChange={(endTime) => setHours({ ...hours, endTime })}
            error={errors?.['endTime']}
          />
        </FieldPair>
      )}
      <TextInput
        label="Reason"
        placeholder="E.g. Holiday"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <SessionsDuringTimeOff
        affectedSessions={problem === null ? affected : null}
        keptIds={keptIds}
        today={today}
        onKeptIdsChange={setKeptIds}
      />
    </DialogForm>
  );
}

function validate(input: object): Record<string, string> | null {
  const parsed = TimeOffInput.safeParse({ ...input, cancelSessionIds: [] });
  if (parsed.success) return null;
  return Object.fromEntries(
    parsed.error.issues.map(({ path, message }) => [String(path[0]), message]),
  );
}
