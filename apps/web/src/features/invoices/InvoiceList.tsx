import type { InvoiceRow } from '@lessonbook/contract/invoices';
import { MoneyRow } from '../../components/MoneyRow.tsx';
import { firstName, moneyColumn, shortDate } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import classes from './InvoiceList.module.css';
import { InvoiceState } from './InvoiceState.tsx';

/** Invoices and credit notes as they come from the server: drafts first, then newest first. */
export function InvoiceList({ rows, today }: { rows: readonly InvoiceRow[]; today: string }) {
  const amount = moneyColumn(rows.flatMap(({ total, due }) => [total, due]));
  return (
    <ul>
      {rows.map((row) => (
        <MoneyRow
          key={row.id}
          to="/invoices/$id"
          params={{ id: String(row.id) }}
          who={row.familyName}
          why={[row.number, childrenOf(row)].filter(Boolean).join(', ')}
          status={
            <span className={classes.state}>
              <InvoiceState kind={row.kind} state={row.state} />
              {isOpen(row) && row.dueOn && <small>due {shortDate(row.dueOn, today)}</small>}
            </span>
          }
          amount={amount(row.total, row.currency)}
          rest={
            isOpen(row) && row.due !== row.total && `${amount(row.due, row.currency)} still due`
          }
        />
      ))}
    </ul>
  );
}

const isOpen = ({ state, kind }: InvoiceRow): boolean =>
  kind === 'invoice' && (state === 'sent' || state === 'part_paid' || state === 'overdue');

/** Nothing where the payer is the one child: the name stands above already. */
function childrenOf({ students, familyName }: InvoiceRow): string {
  return students.length === 1 && students[0] === firstName(familyName)
    ? ''
    : namesInWords(students);
}
