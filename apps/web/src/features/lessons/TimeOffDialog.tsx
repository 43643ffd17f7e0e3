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
import { AffectedSessions } from './AffectedSessions.tsx';
import { promptNotifyCancelled } from './prompt-notify.ts';
import { timeOffPreviewQuery, useCreateTimeOff } from './time-off-api.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  today: string;
  /** 'Cancel my day': that day, and nothing left to fill in. */
  day?: string | undefined;
}

export function TimeOffDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="Add time off" opened={opened} onClose={onClose}>
      <TimeOffForm {...form} onClose={onClose} />
    </Dialog>
  );
}

/** Shows the lessons inside while the tutor still chooses; the ticked ones are cancelled, free. */
function TimeOffForm({ today, day = today, onClose }: Omit<Props, 'opened'>) {
  const [range, setRange] = useState({ fromDate: day, toDate: day });
  const [hours, setHours] = useState<{ startTime: string; endTime: string } | null>(null);
  const [reason, setReason] = useState('');
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
  const [tried, setTried] = useState(false);
  const attempts = useIdempotencyKey();
  const create = useCreateTimeOff();

  const wanted = { ...range, ...hours, ...(reason.trim() && { reason }) };
  const problem = validate(wanted);
  const affected = useQuery({
    ...timeOffPreviewQuery({ ...range, ...hours, cancelSessionIds: [] }),
    enabled: problem === null,
    placeholderData: (before) => before,
  });
  const cancelled = (affected.data ?? []).filter(({ id }) => !kept.has(id));
  const errors = tried ? problem : null;

  function save() {
    setTried(true);
    // Before the lessons inside are known, nobody has agreed to what happens to them.
    if (problem || !affected.data || affected.isPlaceholderData) return;
    const body = { ...wanted, cancelSessionIds: cancelled.map(({ id }) => id) };
    create.mutate(
      { body, idempotencyKey: attempts.nameOf(body) },
      {
        onSuccess: () => {
          onClose();
          promptNotifyCancelled(cancelled, today);
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
      cancel="Go back"
      submit={
        cancelled.length > 0 ? `Cancel ${pluralize(cancelled.length, 'lesson')}` : 'Save time off'
      }
      isBusy={create.isPending}
    >
      <FieldPair always>
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
        <FieldPair always>
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
      <AffectedSessions
        affected={problem === null ? affected : null}
        kept={kept}
        today={today}
        onKeep={setKept}
      />
    </DialogForm>
  );
}

function validate(wanted: object): Record<string, string> | null {
  const checked = TimeOffInput.safeParse({ ...wanted, cancelSessionIds: [] });
  if (checked.success) return null;
  return Object.fromEntries(
    checked.error.issues.map(({ path, message }) => [String(path[0]), message]),
  );
}
