import type { CalendarProposal } from '@lessonbook/contract/calendar';
import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { shortDate, timeRange } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { sessionProposalsQuery, useAcceptProposal, usePutBackProposal } from '../calendar/api.ts';
import { askToTellCancelled, askToTellMoved } from './ask-to-tell.ts';
import { OverlapSheet } from './OverlapNotice.tsx';
import classes from './ProposalNotice.module.css';

interface Props {
  sessionId: number;
  today: string;
  onMoved: (to: { id: number }) => void;
}

/** What the tutor did with this lesson in Google. It counts only once it is accepted here. */
export function ProposalNotices({ sessionId, today, onMoved }: Props) {
  const { data: proposals = [] } = useQuery(sessionProposalsQuery(sessionId));
  return proposals.map((proposal) => (
    <ProposalNotice key={proposal.id} proposal={proposal} today={today} onMoved={onMoved} />
  ));
}

interface NoticeProps extends Omit<Props, 'sessionId'> {
  proposal: CalendarProposal;
}

function ProposalNotice({ proposal, today, onMoved }: NoticeProps) {
  const { id, kind, to, sessionId, date } = proposal;
  const accept = useAcceptProposal();
  const putBack = usePutBackProposal();
  const [isAsked, setIsAsked] = useState(false);
  const isBusy = accept.isPending || putBack.isPending;
  const canAccept = kind === 'deleted' || to !== null;

  async function take(acceptOverlaps: boolean) {
    setIsAsked(false);
    try {
      // Not in a callback of the call: by then this notice is gone, and would not be told.
      const now = await accept.mutateAsync({ id, kind, acceptOverlaps });
      const session = { id: sessionId, date };
      if (kind === 'deleted') return askToTellCancelled([session], today);
      askToTellMoved(session);
      return onMoved({ id: now.sessionId });
    } catch (error) {
      return setIsAsked(error instanceof ApiError && error.code === 'overlap');
    }
  }

  return (
    <Sheet>
      <section aria-label="Changed in Google">
        <p className={classes.words}>
          <IconCalendar size={20} stroke={1.8} />
          {changeInWords(proposal, today)}
        </p>
        <p className={classes.hint}>{bookInWords(proposal, today)}</p>
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
      <OverlapSheet
        overlaps={isAsked ? overlapsIn(accept.error) : null}
        confirm="Move anyway"
        onClose={() => setIsAsked(false)}
        onAccept={() => void take(true)}
      />
    </Sheet>
  );
}

const overlapsIn = (error: Error | null) =>
  error instanceof ApiError ? (error.overlaps ?? []) : [];

function changeInWords({ kind, to }: CalendarProposal, today: string): string {
  if (kind === 'deleted') return 'Deleted in Google';
  if (to) {
    return `Moved in Google to ${shortDate(to.date, today)}, ${timeRange(to.startTime, to.endTime)}`;
  }
  return 'Changed in Google to something a lesson cannot be (all day, or past midnight)';
}

function bookInWords({ date, startTime, endTime }: CalendarProposal, today: string): string {
  const when = `${shortDate(date, today)}, ${timeRange(startTime, endTime)}`;
  return `In your book it is still ${when}.`;
}
