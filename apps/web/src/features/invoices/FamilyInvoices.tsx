import type { InvoiceRow } from '@lessonbook/contract/invoices';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { createColumnAmountFormatter, formatShortDate } from '../../lib/format.ts';
import { invoicesQuery } from './api.ts';
import classes from './FamilyInvoices.module.css';
import { InvoiceStatus } from './InvoiceStatus.tsx';

/** The invoices of one family: drafts first, then newest first. */
export function FamilyInvoices({ familyId, today }: { familyId: number; today: string }) {
  const list = useInfiniteQuery(invoicesQuery({ familyId }));
  const rows = list.data?.pages.flat();
  if (!rows) {
    return list.isError ? (
      <LoadError onRetry={() => void list.refetch()}>We couldn't load the invoices.</LoadError>
    ) : (
      <RowSkeleton rows={3} />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState illustration={<Illustration name="register" size={88} />}>
        No invoices yet. Press “Invoice” to create the first one.
      </EmptyState>
    );
  }
  const formatAmount = createColumnAmountFormatter(rows.flatMap(({ total, due }) => [total, due]));
  return (
    <>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to="/invoices/$id"
              params={{ id: String(row.id) }}
              className={classes.row}
              data-overdue={row.state === 'overdue' || undefined}
            >
              <span className={classes.text}>
                <b>{row.number ?? 'Draft'}</b>
                <small>{formatDates(row, today)}</small>
              </span>
              <InvoiceStatus kind={row.kind} state={row.state} holdReason={row.holdReason} />
              <b className={classes.amount}>{formatAmount(row.total, row.currency)}</b>
            </Link>
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </>
  );
}

/** 'Thu 12 Nov, due Mon 30 Nov' */
function formatDates({ issuedOn, dueOn }: InvoiceRow, today: string): string {
  return [
    issuedOn && formatShortDate(issuedOn, today),
    dueOn && `due ${formatShortDate(dueOn, today)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
