import { formatTime12 } from '@lessonbook/contract/format-time';
import { isGroup } from '@lessonbook/contract/lesson-names';
import type { CancellationProposal, Session } from '@lessonbook/contract/sessions';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { formatAmount, formatRelativeDate } from '../../lib/format.ts';
import { type DateContext, formatTimeAt, toLocalDate } from '../../lib/format-timestamp.ts';
import { cancellationQuery } from './api.ts';
import classes from './SessionNotes.module.css';

interface Props {
  session: Session;
  dateContext: DateContext;
}

/** What a cancellation would cost now. */
export function CancellationCostCard({ session, dateContext }: Props) {
  const { data: proposal } = useQuery(cancellationQuery(session.id, 'carer'));
  if (!proposal) return null;
  const { fee, currency } = proposal;
  return (
    <Card heading="If it's cancelled">
      <p className={classes.cost}>
        {isGroup(session) ? 'If all families cancel now' : 'If the family cancels now'}:{' '}
        <b>{fee === null ? 'no charge' : formatAmount(fee, currency, true)}</b>.
        {formatFreeUntil(proposal, dateContext)} If you cancel: <b>no charge</b>.
        {fee !== null && ' You can always choose not to charge.'}
      </p>
    </Card>
  );
}

/** ' Free until tomorrow, 4:30pm.' */
function formatFreeUntil(
  { noticeMinutes, fee, freeUntil }: CancellationProposal,
  dateContext: DateContext,
): string {
  if (freeUntil === null) return '';
  if (noticeMinutes <= 0) return ' The lesson has already started.';
  const day = formatRelativeDate(toLocalDate(freeUntil, dateContext), dateContext.today);
  const time = formatTime12(formatTimeAt(freeUntil, dateContext));
  return ` ${fee === null ? 'Free' : 'It was free'} until ${day}, ${time}.`;
}
