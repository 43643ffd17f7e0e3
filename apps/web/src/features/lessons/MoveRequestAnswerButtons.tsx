import type { LessonStart, MoveRequest } from '@lessonbook/contract/move-requests';
import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { ApiError } from '../../lib/http.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import classes from './MoveRequestAnswerButtons.module.css';
import { formatStart, useAcceptMoveRequest } from './move-requests-api.ts';
import { ConflictModal, overlapsOf } from './OverlapAndConflictWarnings.tsx';

/** Loaded lazily because of the date and time fields. */
const AnswerDialogs = lazy(async () => ({
  default: (await import('./SuggestOrDeclineMoveDialogs.tsx')).SuggestOrDeclineMoveDialogs,
}));

interface Props {
  request: MoveRequest;
  today: string;
  onMoved?: (to: { id: number }) => void;
}

/** What a family wrote, and the tutor's answers: accept one of their times, suggest others or decline. */
export function MoveRequestAnswerButtons({ request, today, onMoved }: Props) {
  const { id, choices, message, status, studentName } = request;
  const accept = useAcceptMoveRequest(today);
  const idempotency = useIdempotencyKey();
  const [activeDialog, setActiveDialog] = useState<'suggest' | 'decline' | null>(null);
  // The time that overlaps another lesson and needs confirmation.
  const [confirmed, setConfirmed] = useState<LessonStart | null>(null);
  const isBusy = accept.isPending;

  async function acceptTime({ date, startTime }: LessonStart, acceptOverlaps: boolean) {
    setConfirmed(null);
    const input = { params: { id }, body: { date, startTime, acceptOverlaps } };
    try {
      // Awaited rather than handled in onSuccess: this component is unmounted by then, so the callback would not run.
      const moved = await accept.mutateAsync({
        ...input,
        idempotencyKey: idempotency.keyFor(input),
      });
      onMoved?.({ id: moved.sessionId });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'overlap') setConfirmed({ date, startTime });
    }
  }

  return (
    <div className={classes.answer}>
      {message && <blockquote className={classes.message}>{message}</blockquote>}
      {choices.length > 0 && (
        <ul className={classes.choices}>
          {choices.map((choice) => (
            <li key={`${choice.date} ${choice.startTime}`}>
              {choice.isPast ? (
                <p>{formatStart(choice, today)} has passed.</p>
              ) : (
                <Button
                  variant="light"
                  size="sm"
                  disabled={isBusy}
                  aria-label={`Accept ${formatStart(choice, today)} for ${studentName}`}
                  onClick={() => void acceptTime(choice, false)}
                >
                  Accept {formatStart(choice, today)}
                </Button>
              )}
              {!choice.isPast && choice.conflict && <p>At the same time: {choice.conflict}</p>}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.others}>
        {status === 'open' && (
          <Button
            variant="default"
            size="sm"
            disabled={isBusy}
            aria-label={`Suggest another time for ${studentName}`}
            onClick={() => setActiveDialog('suggest')}
          >
            Suggest another time
          </Button>
        )}
        <Button
          variant="subtle"
          size="sm"
          disabled={isBusy}
          aria-label={`Decline the request for ${studentName}`}
          onClick={() => setActiveDialog('decline')}
        >
          Decline
        </Button>
      </div>
      <LazyMount opened={activeDialog !== null}>
        <AnswerDialogs
          request={request}
          today={today}
          activeDialog={activeDialog}
          onClose={() => setActiveDialog(null)}
        />
      </LazyMount>
      <ConflictModal
        conflicts={confirmed ? { overlaps: overlapsOf(accept.error), timeOff: [] } : null}
        confirmLabel="Move anyway"
        onClose={() => setConfirmed(null)}
        onAccept={() => confirmed && void acceptTime(confirmed, true)}
      />
    </div>
  );
}
