import type { Dashboard } from '@lessonbook/contract/dashboard';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { money, relativeDate } from '../../lib/format.ts';
import { formatRecordLabel } from './payment-format.ts';
import { RecordPaymentTrigger } from './RecordPaymentTrigger.tsx';
import classes from './ReportedTransfers.module.css';

/** Transfers reported by payers, each with a button to record it. */
export function ReportedTransfers({
  claims,
  today,
}: {
  claims: Dashboard['claims'];
  today: string;
}) {
  if (claims.length === 0) return null;
  return (
    <Card heading="Transfers">
      <ul>
        {claims.map(({ familyId, familyName, amount, currency, on }) => (
          <li key={`${familyId} ${currency}`} className={classes.row}>
            <p className={classes.text}>
              <Link to="/families/$id" params={{ id: String(familyId) }}>
                {familyName}
              </Link>{' '}
              says {money(amount, currency)} was transferred
              <small>{relativeDate(on, today)}</small>
            </p>
            <RecordPaymentTrigger paidFor={{ familyId }}>
              {(open) => (
                <Button
                  variant="light"
                  size="sm"
                  aria-label={`${formatRecordLabel(amount, currency)}, ${familyName}`}
                  onClick={open}
                >
                  {formatRecordLabel(amount, currency)}
                </Button>
              )}
            </RecordPaymentTrigger>
          </li>
        ))}
      </ul>
    </Card>
  );
}
