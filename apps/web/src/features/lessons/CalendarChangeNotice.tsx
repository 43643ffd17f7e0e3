import type { ExternalChange } from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { shortDate, timeRange } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import {
  sessionCalendarChangesQuery,
  useAcceptCalendarChange,
  useRejectCalendarChange,
} from '../calendar/api.ts';
import classes from './CalendarChangeNotice.module.css';
import { OverlapModal } from './Overlaps.tsx';
import { promptNotifyCancelled, promptNotifyMoved } from './prompt-notify.ts';

interface Props {
  sessionId: number;
  today: string;
  onMoved: (to: { id: number }) => void;
}

/** What the tutor did with this lesson in Google. It counts only once it is accepted here. */
export function CalendarChangeNotices({ sessionId, today, onMoved }: Props) {
  const { data: proposals = [] } = useQuery(sessionCalendarChangesQuery(sessionId));
  return proposals.map((proposal) => (
    <CalendarChangeNotice key={proposal.id} proposal={proposal} today={today} onMoved={onMoved} />
  ));
}

interface NoticeProps extends Omit<Props, 'sessionId'> {
  proposal: ExternalChange;
}

function CalendarChangeNotice({ proposal, today, onMoved }: NoticeProps) {
  const { id, kind, to, sessionId, date } = proposal;
  const accept = useAcceptCalendarChange();
  const putBack = useRejectCalendarChange();
  const [isAsked, setIsAsked] = useState(false);
  const isBusy = accept.isPending || putBack.isPending;
  const canAccept = kind === 'deleted' || to !== null;

  async function take(acceptOverlaps: boolean) {
    setIsAsked(false);
    try {
      // Not in a callback of the call: by then this notice is gone, and would not be told.
      const now = await accept.mutateAsync({ id, kind, acceptOverlaps });
      const session = { id: sessionId, date };
      if (kind === 'deleted') return promptNotifyCancelled([session], today);
      promptNotifyMoved(session);
      return onMoved({ id: now.sessionId });
    } catch (error) {
      return setIsAsked(error instanceof ApiError && error.code === 'overlap');
    }
  }

  return (
    <Card>
      <section aria-label="Changed in Google">
        <p className={classes.words}>
          <IconCalendar size={20} stroke={1.8} />
          {formatChange(proposal, today)}
        </p>
        <p className={classes.hint}>{formatCurrentTime(proposal, today)}</p>
        <div className={classes.actions}>
          {canAccept && (
            <Button variant="light" disabled={isBusy} onClick={() => void take(false)}>
              {accept.isPending ? 'Saving...' : kind === 'moved' ? 'Accept' : 'Cancel the lesson'}
            </Button>
          )}
          <Button variant="default" disabled={isBusy} onClick={() => putBack.mutate(id)}>
            {putBack.isPending ? 'Putting back...' : 'Put back'}
          </Button>
        </div>
      </section>
      <OverlapModal
        overlaps={isAsked ? overlapsOf(accept.error) : null}
        confirm="Move anyway"
        onClose={() => setIsAsked(false)}
        onAccept={() => void take(true)}
      />
    </Card>
  );
}

const overlapsOf = (error: Error | null) =>
  error instanceof ApiError ? (error.overlaps ?? []) : [];

function formatChange({ kind, to }: ExternalChange, today: string): string {
  if (kind === 'deleted') return 'Deleted in Google';
  if (to) {
    return `Moved in Google to ${shortDate(to.date, today)}, ${timeRange(to.startTime, to.endTime)}`;
  }
  return 'Changed in Google to something a lesson cannot be (all day, or past midnight)';
}

function formatCurrentTime({ date, startTime, endTime }: ExternalChange, today: string): string {
  const when = `${shortDate(date, today)}, ${timeRange(startTime, endTime)}`;
  return `In your book it is still ${when}.`;
}
