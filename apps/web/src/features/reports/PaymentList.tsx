import type { Payment } from '@lessonbook/contract/payments';
import type { Period } from '@lessonbook/contract/periods';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { createAmountFormatter, formatList, formatShortDate } from '../../lib/format.ts';
import { paymentsQuery } from './api.ts';

/** Payments and refunds in the period, newest first. Each row links to the payer's account. */
export function PaymentList({ period, today }: { period: Period; today: string }) {
  const list = useInfiniteQuery(paymentsQuery(period));
  const payments = list.data?.pages.flat() ?? [];
  const amount = createAmountFormatter(payments.map((payment) => payment.amount));
  return (
    <Card heading="Payments">
      {list.isPending && <RowSkeleton rows={4} />}
      {list.isError && (
        <LoadError onRetry={() => void list.refetch()}>The payments could not be loaded.</LoadError>
      )}
      {list.isSuccess && payments.length === 0 && (
        <EmptyState illustration={<Illustration name="pay" size={88} />}>
          No payments found
        </EmptyState>
      )}
      <ul>
        {payments.map((payment) => (
          <LinkRowWithAmount
            key={payment.id}
            to="/families/$id"
            params={{ id: String(payment.familyId) }}
            name={formatPaymentTitle(payment)}
            description={describePayment(payment, today)}
            amount={amount(payment.amount, payment.currency)}
          />
        ))}
      </ul>
      <ShowMore list={list} />
    </Card>
  );
}

/** The students it paid for, or the payer if it has not been allocated yet. */
const formatPaymentTitle = ({ students, familyName }: Payment): string =>
  students.length > 0 ? formatList(students) : familyName;

/** 'Tue 17 Nov, Ruth Hale'. The payer is omitted if already shown above. */
function describePayment(payment: Payment, today: string): string {
  const { kind, paymentDate, familyName } = payment;
  return [
    kind === 'refund' && 'Refund',
    kind === 'dispute' && 'Disputed payment',
    formatShortDate(paymentDate, today),
    formatPaymentTitle(payment) !== familyName && familyName,
  ]
    .filter(Boolean)
    .join(', ');
}
