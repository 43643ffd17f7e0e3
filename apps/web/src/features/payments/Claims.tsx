import type { Dashboard } from '@lessonbook/contract/reports';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Sheet } from '../../components/Sheet.tsx';
import { money, nearDate } from '../../lib/format.ts';
import classes from './Claims.module.css';
import { recordInWords } from './payment-words.ts';
import { RecordPayment } from './RecordPayment.tsx';

/** Who says that money is on its way: a look at the bank, and one press records it. */
export function Claims({ claims, today }: { claims: Dashboard['claims']; today: string }) {
  if (claims.length === 0) return null;
  return (
    <Sheet heading="Transfers">
      <ul>
        {claims.map(({ familyId, familyName, amount, currency, on }) => (
          <li key={`${familyId} ${currency}`} className={classes.row}>
            <p className={classes.words}>
              <Link to="/families/$id" params={{ id: String(familyId) }}>
                {familyName}
              </Link>{' '}
              says {money(amount, currency)} was transferred
              <small>{nearDate(on, today)}</small>
            </p>
            <RecordPayment paidFor={{ familyId }}>
              {(open) => (
                <Button
                  variant="light"
                  size="sm"
                  aria-label={`${recordInWords(amount, currency)}, ${familyName}`}
                  onClick={open}
                >
                  {recordInWords(amount, currency)}
                </Button>
              )}
            </RecordPayment>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
