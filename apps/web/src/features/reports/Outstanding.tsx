import type { Family } from '@lessonbook/contract/families';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import {
  createAmountFormatter,
  firstName,
  formatAmount,
  formatList,
  formatShortDate,
  totalsByCurrency,
} from '../../lib/format.ts';
import { balancesQuery } from './api.ts';
import classes from './Outstanding.module.css';

/** Families who owe money, oldest debt first. */
export function Outstanding({ today }: { today: string }) {
  const balances = useQuery(balancesQuery);
  if (!balances.data) {
    return (
      <Card>
        {balances.isError ? (
          <LoadError onRetry={() => void balances.refetch()}>
            What is owed could not be loaded.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Card>
    );
  }
  const rows = balances.data.flatMap((family) =>
    outstandingBalances(family).map((balance) => ({ family, balance })),
  );
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState illustration={<Illustration name="pay" size={112} />}>
          Nobody owes you anything.
        </EmptyState>
      </Card>
    );
  }
  const amount = createAmountFormatter(rows.map(({ balance }) => balance.owed));
  const sums = totalsByCurrency(
    rows.map(({ balance }) => ({ currency: balance.currency, minor: balance.owed })),
  );
  return (
    <Card>
      <div className={classes.total}>
        <h2>Owed to you</h2>
        {sums.map(({ currency, minor }) => (
          <p key={currency}>{formatAmount(minor, currency, true)}</p>
        ))}
      </div>
      <ul>
        {rows.map(({ family, balance }) => (
          <LinkRowWithAmount
            key={`${family.id} ${balance.currency}`}
            to="/families/$id"
            params={{ id: String(family.id) }}
            name={family.name}
            description={describeFamily(family, today)}
            amount={<span className={classes.owed}>{amount(balance.owed, balance.currency)}</span>}
          />
        ))}
      </ul>
    </Card>
  );
}

const outstandingBalances = ({ balances }: Family) => balances.filter(({ owed }) => owed > 0);

/** 'Maya and Leo, since Tue 3 Nov', or the transfer reported by the payer. */
function describeFamily({ students, name, oldestDueDate, claim }: Family, today: string): string {
  return [
    students.join() !== name && formatList(students.map(firstName)),
    claim
      ? `says it was transferred on ${formatShortDate(claim.claimedOn, today)}`
      : oldestDueDate && `since ${formatShortDate(oldestDueDate, today)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
