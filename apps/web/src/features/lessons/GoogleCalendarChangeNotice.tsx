import type { ExternalChange } from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { formatShortDate, formatTimeRange } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import {
  sessionCalendarChangesQuery,
  useAcceptCalendarChange,
  useRejectCalendarChange,
} from '../calendar/api.ts';
import classes from './GoogleCalendarChangeNotice.module.css';
import { ConflictModal, overlapsOf } from './OverlapAndConflictWarnings.tsx';
import { offerCancellationNotice, offerRescheduleNotice } from './offer-change-notice.ts';

interface Props {
  sessionId: number;
  today: string;
  onMoved: (to: { id: number }) => void;
}

/** Changes the tutor made to this session in Google. They apply only once accepted here. */
export function GoogleCalendarChangeNotices({ sessionId, today, onMoved }: Props) {
  const { data: changes = [] } = useQuery(sessionCalendarChangesQuery(sessionId));
  return changes.map((change) => (
    <GoogleCalendarChangeNotice key={change.id} change={change} today={today} onMoved={onMoved} />
  ));
}

interface NoticeProps extends Omit<Props, 'sessionId'> {
  change: ExternalChange;
}

function GoogleCalendarChangeNotice({ change, today, onMoved }: NoticeProps) {
  const { id, kind, to, sessionId, date } = change;
  const accept = useAcceptCalendarChange();
  const reject = useRejectCalendarChange();
  const [isConfirming, setIsConfirming] = useState(false);
  const isBusy = accept.isPending || reject.isPending;
  const canAccept = kind === 'deleted' || to !== null;

  async function acceptChange(acceptOverlaps: boolean) {
    setIsConfirming(false);
    try {
      // Awaited rather than handled in onSuccess: by then the notice is unmounted and the callback would not run.
      const accepted = await accept.mutateAsync({ id, kind, acceptOverlaps });
      const session = { id: sessionId, date };
      if (kind === 'deleted') return offerCancellationNotice([session], today);
      offerRescheduleNotice(session);
      return onMoved({ id: accepted.sessionId });
    } catch (error) {
      return setIsConfirming(error instanceof ApiError && error.code === 'overlap');
    }
  }

  return (
    <Card>
      <section aria-label="Changed in Google">
        <p className={classes.text}>
          <IconCalendar size={20} stroke={1.8} />
          {formatChange(change, today)}
        </p>
        <p className={classes.hint}>{formatCurrentTime(change, today)}</p>
        <div className={classes.actions}>
          {canAccept && (
            <Button variant="light" disabled={isBusy} onClick={() => void acceptChange(false)}>
              {accept.isPending ? 'Saving...' : kind === 'moved' ? 'Accept' : 'Cancel the lesson'}
            </Button>
          )}
          <Button variant="default" disabled={isBusy} onClick={() => reject.mutate(id)}>
            {reject.isPending ? 'Undoing...' : 'Undo change'}
          </Button>
        </div>
      </section>
      <ConflictModal
        conflicts={isConfirming ? { overlaps: overlapsOf(accept.error), timeOff: [] } : null}
        confirmLabel="Move anyway"
        onClose={() => setIsConfirming(false)}
        onAccept={() => void acceptChange(true)}
      />
    </Card>
  );
}

function formatChange({ kind, to }: ExternalChange, today: string): string {
  if (kind === 'deleted') return 'Deleted in Google';
  if (to) {
    return `Moved in Google to ${formatShortDate(to.date, today)}, ${formatTimeRange(to.startTime, to.endTime)}`;
  }
  return "Changed in Google to an all-day or overnight event, which can't be a lesson";
}

function formatCurrentTime({ date, startTime, endTime }: ExternalChange, today: string): string {
  const when = `${formatShortDate(date, today)}, ${formatTimeRange(startTime, endTime)}`;
  return `In Lessonbook it is still ${when}.`;
}
