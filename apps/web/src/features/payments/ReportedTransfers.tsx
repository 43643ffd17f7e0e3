import type { Dashboard } from '@lessonbook/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { formatAmount, formatRelativeDate } from '../../lib/format.ts';
import { formatRecordLabel } from './format-refund-and-reversal-impact.ts';
import { RecordPaymentButton } from './RecordPaymentButton.tsx';
import classes from './ReportedTransfers.module.css';

/** Transfers reported by payers, each with a button to record it. */
export function ReportedTransfers({
  transfers,
  today,
}: {
  transfers: Dashboard['transferClaims'];
  today: string;
}) {
  if (transfers.length === 0) return null;
  return (
    <Card heading="Reported transfers">
      <ul>
        {transfers.map(({ familyId, familyName, amount, currency, claimedOn }) => (
          <li key={`${familyId} ${currency}`} className={classes.row}>
            <p className={classes.text}>
              <Link to="/families/$id" params={{ id: String(familyId) }}>
                {familyName}
              </Link>{' '}
              says they've transferred {formatAmount(amount, currency)}
              <small>{formatRelativeDate(claimedOn, today)}</small>
            </p>
            <RecordPaymentButton
              target={{ familyId }}
              size="sm"
              aria-label={`${formatRecordLabel(amount, currency)}, ${familyName}`}
            >
              {formatRecordLabel(amount, currency)}
            </RecordPaymentButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
