import { durationMinutes, isTime } from '@lessonbook/contract/dates';
import { RescheduleInput, type SessionRow } from '@lessonbook/contract/sessions';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { DateField } from '../../components/DateField.tsx';
import { TimeField } from '../../components/TimeField.tsx';
import { plusMinutes } from '../../components/time-text.ts';
import { clock } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useRescheduleSession } from './api.ts';
import { askToTellMoved } from './ask-to-tell.ts';
import { moveInWords } from './consequence-words.ts';
import { OverlapWarning } from './OverlapWarning.tsx';
import { useOverlaps } from './overlaps.ts';
import classes from './SessionSheets.module.css';

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

export function RescheduleSheet({ opened, onClose, ...form }: Props) {
  return (
    <BottomSheet title="Reschedule Session" opened={opened} onClose={onClose}>
      <RescheduleForm {...form} onClose={onClose} />
    </BottomSheet>
  );
}

function RescheduleForm({ session, to = session, today, onClose, onMoved }: Omit<Props, 'opened'>) {
  const [wanted, setWanted] = useState<NewTime>({
    date: to.date,
    startTime: clock(to.startTime),
    endTime: clock(to.endTime),
  });
  const attempts = useNamedAttempts();
  const move = useRescheduleSession();
  const inTheWay = useOverlaps(session, wanted);
  const refused = overlapsIn(move.error);
  const same = wanted.date === session.date && wanted.startTime === clock(session.startTime);
  const unchanged = same && wanted.endTime === clock(session.endTime);
  const problem = problemOf(wanted);
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
      { ...input, attempt: attempts.nameOf(input) },
      {
        onSuccess: (moved) => {
          onClose();
          askToTellMoved(session);
          onMoved?.({ id: moved.rescheduledToSessionId ?? moved.id });
        },
      },
    );
  }

  return (
    <div className={classes.sheet}>
      <p className={classes.change}>
        {session.title}
        <b>{wanted.date ? moveInWords(session, wanted) : ''}</b>
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
      <OverlapWarning overlaps={overlaps} />
      <SheetButtons
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
function problemOf(wanted: NewTime): Record<string, string> | null {
  const checked = RescheduleInput.safeParse({ ...wanted, acceptOverlaps: false });
  if (checked.success) return null;
  return Object.fromEntries(
    checked.error.issues.map(({ path, message }) => [String(path[0] ?? 'endTime'), message]),
  );
}

const overlapsIn = (error: Error | null) =>
  error instanceof ApiError ? (error.overlaps ?? []) : [];
