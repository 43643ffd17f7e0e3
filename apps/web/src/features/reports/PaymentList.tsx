import type { Payment } from '@lessonbook/contract/payments';
import type { Period } from '@lessonbook/contract/periods';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { MoneyRow } from '../../components/MoneyRow.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { ShowMore } from '../../components/ShowMore.tsx';
import { Spot } from '../../components/Spot.tsx';
import { moneyColumn, shortDate } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import { paymentsQuery } from './api.ts';

/** Money in and out of the period, newest first. A row leads to the payer's account. */
export function PaymentList({ period, today }: { period: Period; today: string }) {
  const list = useInfiniteQuery(paymentsQuery(period));
  const payments = list.data?.pages.flat() ?? [];
  const amount = moneyColumn(payments.map((payment) => payment.amount));
  return (
    <Sheet heading="Payments">
      {list.isPending && <RowSkeleton rows={4} />}
      {list.isError && (
        <LoadError onRetry={() => void list.refetch()}>The payments could not be loaded.</LoadError>
      )}
      {list.isSuccess && payments.length === 0 && (
        <EmptyState drawing={<Spot name="pay" size={88} />}>No payments found</EmptyState>
      )}
      <ul>
        {payments.map((payment) => (
          <MoneyRow
            key={payment.id}
            to="/families/$id"
            params={{ id: String(payment.familyId) }}
            who={whoOf(payment)}
            why={whyOf(payment, today)}
            amount={amount(payment.amount, payment.currency)}
          />
        ))}
      </ul>
      <ShowMore list={list} />
    </Sheet>
  );
}

/** The children it paid for; money that has found no lesson yet is known by its payer. */
const whoOf = ({ students, familyName }: Payment): string =>
  students.length > 0 ? namesInWords(students) : familyName;

/** 'Tue 17 Nov, Ruth Hale': the payer only where the name above is another. */
function whyOf(payment: Payment, today: string): string {
  const { kind, paymentDate, familyName } = payment;
  return [
    kind === 'refund' && 'Refund',
    shortDate(paymentDate, today),
    whoOf(payment) !== familyName && familyName,
  ]
    .filter(Boolean)
    .join(', ');
}
