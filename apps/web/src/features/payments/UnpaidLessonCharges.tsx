import type { OpenCharge, PaymentFormData } from '@lessonbook/contract/payments';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState } from '../../components/ListStates.tsx';
import { createColumnAmountFormatter, formatShortDate } from '../../lib/format.ts';
import { Balances } from './shared/Balances.tsx';
import classes from './UnpaidLessonCharges.module.css';

/** Unpaid charges for one lesson, with the payer's balance. */
export function UnpaidLessonCharges({
  formData,
  lessonId,
}: {
  formData: PaymentFormData;
  lessonId: number;
}) {
  const lessonCharges = formData.charges.filter((charge) => charge.lessonId === lessonId);
  const formatAmount = createColumnAmountFormatter(
    lessonCharges.flatMap((charge) => [charge.outstanding, charge.amount]),
  );
  return (
    <Card>
      <div className={classes.payer}>
        <Link to="/families/$id" params={{ id: String(formData.familyId) }}>
          {formData.familyName}
        </Link>
        <p>
          <Balances balances={formData.balances} zeroLabel="Nothing due" />
        </p>
      </div>
      {lessonCharges.length === 0 && (
        <EmptyState illustration={<Illustration name="pay" size={88} />}>
          Nothing is due for this lesson. Any payment you record now will go towards other unpaid
          lessons or be kept as credit.
        </EmptyState>
      )}
      <ul>
        {lessonCharges.map((charge) => (
          <li key={charge.id} className={classes.row}>
            <span className={classes.text}>
              <b>{describeCharge(charge)}</b>
              <small>{formatShortDate(charge.date, formData.today)}</small>
            </span>
            <span className={classes.amount}>
              <b>{formatAmount(charge.outstanding, charge.currency)}</b>
              {charge.outstanding < charge.amount && (
                <small>of {formatAmount(charge.amount, charge.currency)}</small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** 'Maths lesson, Maya Hale' */
const describeCharge = ({ description, studentName }: OpenCharge): string =>
  [description, studentName].filter(Boolean).join(', ');
