import { durationMinutes, isTime } from '@lessonbook/contract/dates';
import { RescheduleInput, type SessionRow } from '@lessonbook/contract/sessions';
import { useState } from 'react';
import { DateField } from '../../components/DateField.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import { formatTime } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { plusMinutes } from '../../lib/parse-input.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useRescheduleSession } from './api.ts';
import { formatMove } from './lesson-format.ts';
import { OverlapHint, useOverlaps } from './Overlaps.tsx';
import { promptNotifyMoved } from './prompt-notify.ts';
import classes from './SessionModals.module.css';

export interface NewTime {
  date: string;
  startTime: string;
  endTime: string;
}

interface Props {
  session: SessionRow;
  /** Where it was dragged to; its own time to begin with. */
  to?: NewTime;
  today: string;
  opened: boolean;
  onClose: () => void;
  onMoved?: (to: { id: number }) => void;
}

export function RescheduleModal({ opened, onClose, ...form }: Props) {
  return (
    <ResponsiveModal title="Reschedule Session" opened={opened} onClose={onClose}>
      <RescheduleForm {...form} onClose={onClose} />
    </ResponsiveModal>
  );
}

function RescheduleForm({ session, to = session, today, onClose, onMoved }: Omit<Props, 'opened'>) {
  const [wanted, setWanted] = useState<NewTime>({
    date: to.date,
    startTime: formatTime(to.startTime),
    endTime: formatTime(to.endTime),
  });
  const attempts = useIdempotencyKey();
  const move = useRescheduleSession();
  const inTheWay = useOverlaps(session, wanted);
  const refused = overlapsOf(move.error);
  const same = wanted.date === session.date && wanted.startTime === formatTime(session.startTime);
  const unchanged = same && wanted.endTime === formatTime(session.endTime);
  const problem = validate(wanted);
  const overlaps = inTheWay.length > 0 ? inTheWay : refused;

  function change(part: Partial<NewTime>) {
    move.reset();
    setWanted((before) => ({ ...before, ...part }));
  }

  /** The lesson keeps its length, as a tutor expects of a move. */
  function changeStart(startTime: string) {
    if (!isTime(startTime)) return change({ startTime });
    const length = durationMinutes(wanted.startTime, wanted.endTime);
    change({ startTime, ...(length > 0 && { endTime: plusMinutes(startTime, length) }) });
  }

  function confirm() {
    const input = {
      params: { id: session.id },
      body: { ...wanted, acceptOverlaps: overlaps.length > 0 },
    };
    move.mutate(
      { ...input, idempotencyKey: attempts.nameOf(input) },
      {
        onSuccess: (moved) => {
          onClose();
          promptNotifyMoved(session);
          onMoved?.({ id: moved.rescheduledToSessionId ?? moved.id });
        },
      },
    );
  }

  return (
    <div className={classes.sheet}>
      <p className={classes.change}>
        {session.title}
        <b>{wanted.date ? formatMove(session, wanted) : ''}</b>
      </p>
      <DateField
        label="Date"
        value={wanted.date}
        onChange={(date) => change({ date })}
        today={today}
        placeholder="Pick a date"
        error={problem?.date}
      />
      <div className={classes.pair}>
        <TimeField
          label="Start"
          value={wanted.startTime}
          onChange={changeStart}
          error={problem?.startTime}
        />
        <TimeField
          label="End"
          value={wanted.endTime}
          onChange={(endTime) => change({ endTime })}
          error={problem?.endTime}
        />
      </div>
      <OverlapHint overlaps={overlaps} />
      <ModalActions
        onCancel={onClose}
        confirm={overlaps.length > 0 ? 'Move anyway' : 'Move session'}
        busy="Moving..."
        isBusy={move.isPending}
        disabled={unchanged || problem !== null}
        onConfirm={confirm}
      />
    </div>
  );
}

/** In the words of the contract, so that form and server agree. */
function validate(wanted: NewTime): Record<string, string> | null {
  const checked = RescheduleInput.safeParse({ ...wanted, acceptOverlaps: false });
  if (checked.success) return null;
  return Object.fromEntries(
    checked.error.issues.map(({ path, message }) => [String(path[0] ?? 'endTime'), message]),
  );
}

const overlapsOf = (error: Error | null) =>
  error instanceof ApiError ? (error.overlaps ?? []) : [];
