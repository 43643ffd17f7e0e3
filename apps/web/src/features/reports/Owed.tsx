import type { Family } from '@lessonbook/contract/families';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { MoneyRow } from '../../components/MoneyRow.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { Spot } from '../../components/Spot.tsx';
import { firstName, money, moneyColumn, shortDate } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import { sumsOf } from '../../lib/sums.ts';
import { balancesQuery } from './api.ts';
import classes from './Owed.module.css';

/** Who owes what, the one who has waited longest first. */
export function Owed({ today }: { today: string }) {
  const balances = useQuery(balancesQuery);
  if (!balances.data) {
    return (
      <Sheet>
        {balances.isError ? (
          <LoadError onRetry={() => void balances.refetch()}>
            What is owed could not be loaded.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Sheet>
    );
  }
  const rows = balances.data.flatMap((family) =>
    owedBy(family).map((balance) => ({ family, balance })),
  );
  if (rows.length === 0) {
    return (
      <Sheet>
        <EmptyState drawing={<Spot name="pay" size={112} />}>Nobody owes you anything.</EmptyState>
      </Sheet>
    );
  }
  const amount = moneyColumn(rows.map(({ balance }) => balance.owed));
  const sums = sumsOf(
    rows.map(({ balance }) => ({ currency: balance.currency, minor: balance.owed })),
  );
  return (
    <Sheet>
      <div className={classes.total}>
        <h2>Owed to you</h2>
        {sums.map(({ currency, minor }) => (
          <p key={currency}>{money(minor, currency, true)}</p>
        ))}
      </div>
      <ul>
        {rows.map(({ family, balance }) => (
          <MoneyRow
            key={`${family.id} ${balance.currency}`}
            to="/families/$id"
            params={{ id: String(family.id) }}
            who={family.name}
            why={whyOf(family, today)}
            amount={<span className={classes.owed}>{amount(balance.owed, balance.currency)}</span>}
          />
        ))}
      </ul>
    </Sheet>
  );
}

const owedBy = ({ balances }: Family) => balances.filter(({ owed }) => owed > 0);

/** 'Maya and Leo, since Tue 3 Nov', or what the payer says about it. */
function whyOf({ students, name, oldestDue, claim }: Family, today: string): string {
  return [
    students.join() !== name && namesInWords(students.map(firstName)),
    claim
      ? `says it was transferred on ${shortDate(claim.on, today)}`
      : oldestDue && `since ${shortDate(oldestDue, today)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
