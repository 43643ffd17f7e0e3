import type { CancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { isGroup } from '@lessonbook/contract/lesson-names';
import type { CancellationProposal, Session } from '@lessonbook/contract/sessions';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { formatAmount, pluralize } from '../../lib/format.ts';
import { cancellationQuery } from './api.ts';
import { policyQuery } from './cancellation-policy-api.ts';
import classes from './SessionNotes.module.css';

/** What a cancellation would cost now. */
export function CancellationCostCard({ session }: { session: Session }) {
  const { data: proposal } = useQuery(cancellationQuery(session.id, 'carer'));
  const { data: policy } = useQuery(policyQuery);
  if (!proposal || !policy) return null;
  const { fee, currency } = proposal;
  return (
    <Card heading="If it's cancelled">
      <p className={classes.cost}>
        {isGroup(session) ? 'If all families cancel now' : 'If the family cancels now'}:{' '}
        <b>{fee === null ? 'no charge' : formatAmount(fee, currency, true)}</b>
        {formatNotice(proposal, policy)}. If you cancel: <b>no charge</b>.
        {fee !== null && ' You can always choose not to charge.'}
      </p>
    </Card>
  );
}

/** " (less than 24 hours' notice)" */
function formatNotice(
  { noticeMinutes }: CancellationProposal,
  { noticeHours }: CancellationPolicy,
): string {
  if (noticeHours === 0) return '';
  if (noticeMinutes <= 0) return ' (the lesson has already started)';
  const isShort = noticeMinutes < noticeHours * 60;
  return ` (${isShort ? 'less' : 'more'} than ${pluralize(noticeHours, "hour's", "hours'")} notice)`;
}
