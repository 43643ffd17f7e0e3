import { durationMinutes, isDate } from '@lessonbook/contract/dates';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import { RescheduleInput, type SessionRow } from '@lessonbook/contract/sessions';
import { DateField } from '../../components/DateField.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import { formatTime } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRescheduleSession } from './api.ts';
import { formatMove } from './lesson-change-format.ts';
import { OverlapHint, overlapsOf, useOverlaps } from './OverlapAndConflictWarnings.tsx';
import { offerRescheduleNotice } from './offer-change-notice.ts';
import classes from './SessionModals.module.css';
import { withEndTime, withStartTime } from './shared/dependent-fields.ts';
import { TimeOffHint, useTimeOffDuring } from './TimeOffNotice.tsx';
import type { TimeSlot } from './time-off-in-calendar.ts';

interface Props {
  session: SessionRow;
  /** The time that the session was dragged to; by default its current time. */
  to?: TimeSlot;
  today: string;
  opened: boolean;
  onClose: () => void;
  onMoved?: (to: { id: number }) => void;
}

export function RescheduleModal({ opened, onClose, ...form }: Props) {
  return (
    <ResponsiveModal title="Move lesson" opened={opened} onClose={onClose}>
      <RescheduleForm {...form} onClose={onClose} />
    </ResponsiveModal>
  );
}

function RescheduleForm({ session, to = session, today, onClose, onMoved }: Omit<Props, 'opened'>) {
  const { values: newTime, ...form } = useForm<TimeSlot & { lessonMinutes: number }>({
    schema: RescheduleInput,
    initialValues: {
      date: to.date,
      startTime: formatTime(to.startTime),
      endTime: formatTime(to.endTime),
      lessonMinutes: durationMinutes(to.startTime, to.endTime),
    },
    mode: 'controlled',
  });
  const move = useRescheduleSession();
  const knownOverlaps = useOverlaps(session, newTime);
  const timeOff = useTimeOffDuring(newTime);
  const sameStart =
    newTime.date === session.date && newTime.startTime === formatTime(session.startTime);
  const unchanged = sameStart && newTime.endTime === formatTime(session.endTime);
  const problem = validate(newTime);
  const overlaps = knownOverlaps.length > 0 ? knownOverlaps : overlapsOf(move.error);

  function change(changes: Partial<typeof newTime>) {
    move.reset();
    form.change(changes);
  }

  const confirm = form.onSubmit(
    ({ lessonMinutes: _, ...values }) => {
      const body = { ...values, acceptOverlaps: overlaps.length > 0 };
      const input = { params: { id: session.id }, body };
      return move.mutateAsync({ ...input, idempotencyKey: form.keyFor(input) });
    },
    (moved) => {
      onClose();
      offerRescheduleNotice(session);
      onMoved?.({ id: moved.rescheduledToSessionId ?? moved.id });
    },
  );

  return (
    <div className={classes.form}>
      <p className={classes.change}>
        {lessonLabel(session)}
        <b>{isDate(newTime.date) ? formatMove(session, newTime) : ''}</b>
      </p>
      <DateField
        label="Date"
        value={newTime.date}
        onChange={(date) => change({ date })}
        today={today}
        placeholder="Pick a date"
        error={problem?.date}
      />
      <div className={classes.pair}>
        <TimeField
          label="Start"
          value={newTime.startTime}
          onChange={(startTime) => change(withStartTime(newTime, startTime))}
          error={problem?.startTime}
        />
        <TimeField
          label="End"
          value={newTime.endTime}
          onChange={(endTime) => change(withEndTime(newTime, endTime))}
          error={problem?.endTime}
        />
      </div>
      <OverlapHint overlaps={overlaps} />
      {!unchanged && <TimeOffHint timeOff={timeOff} />}
      <ModalActions
        onCancel={onClose}
        confirmLabel={overlaps.length + timeOff.length > 0 ? 'Move anyway' : 'Move lesson'}
        busyLabel="Moving..."
        isBusy={move.isPending}
        disabled={unchanged || problem !== null}
        onConfirm={() => confirm()}
      />
    </div>
  );
}

/** Uses the contract's schema, so that the form and the server show the same messages. */
function validate(newTime: TimeSlot): Record<string, string> | null {
  const parsed = RescheduleInput.safeParse({ ...newTime, acceptOverlaps: false });
  if (parsed.success) return null;
  return Object.fromEntries(
    parsed.error.issues.map(({ path, message }) => [String(path[0] ?? 'endTime'), message]),
  );
}
