import { type Currency, toMajor } from '@lessonbook/contract/money';
import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import { MANUAL_METHODS } from '@lessonbook/contract/payments';
import { Button, Select, TextInput } from '@mantine/core';
import { DateField } from '../../components/DateField.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { createColumnAmountFormatter, formatAmount, pluralize } from '../../lib/format.ts';
import { formatAmountInput, parseMinorUnits } from '../../lib/parse-input.ts';
import { AmountTextInput } from './AmountTextInput.tsx';
import { type Allocation, sumOutstanding } from './allocation.ts';
import { formatCharge } from './format-refund-and-reversal-impact.ts';
import classes from './PaymentFields.module.css';
import type { PaymentFormState } from './payment-form.ts';
import {
  amountOwedIn,
  availableCurrencies,
  preselectedCharges,
  suggestedAmount,
  toAmountText,
} from './payment-form.ts';

/** Any further charges are shown as a count. */
const MAX_SHOWN = 6;

interface Props {
  allocation: Allocation;
  currency: Currency;
  today: string;
}

/** The lessons that the amount would cover, updated while typing. */
function AllocationPreview({ allocation: { lines, credit }, currency, today }: Props) {
  if (lines.length === 0 && credit === 0) return null;
  const all = [credit, ...lines.flatMap(({ amount, charge }) => [amount, charge.outstanding])];
  const formatAligned = createColumnAmountFormatter(all);
  const format = (minor: number) => formatAligned(minor, currency);
  const hiddenCount = lines.length - MAX_SHOWN;
  return (
    <ImpactNotice>
      {lines.length > 0 && (
        <>
          <p className={classes.head}>Covers {pluralize(lines.length, 'lesson')}</p>
          <ul className={classes.lines}>
            {lines.slice(0, MAX_SHOWN).map((line) => (
              <li key={line.charge.id}>
                <span>{formatCharge(line.charge, today)}</span>
                <span>
                  {format(line.amount)}
                  {line.amount < line.charge.outstanding &&
                    ` of ${format(line.charge.outstanding)}`}
                </span>
              </li>
            ))}
          </ul>
          {hiddenCount > 0 && <p className={classes.more}>and {hiddenCount} more</p>}
        </>
      )}
      {credit > 0 && <p className={classes.credit}>{format(credit)} becomes credit</p>}
    </ImpactNotice>
  );
}

const methods = MANUAL_METHODS.map((value) => ({ value, label: PAYMENT_METHOD_LABELS[value] }));

export function PaymentFields({ formData, form, allocation }: PaymentFormState) {
  const { values, errors, change } = form;
  const currencies = availableCurrencies(formData);

  /** Resets the amount, because it was in the other currency. */
  const changeCurrency = (currency: Currency) =>
    change({ currency, amount: toAmountText(suggestedAmount(formData, currency)) });

  return (
    <>
      <div className={classes.amount}>
        <AmountTextInput
          value={values.amount}
          onChange={(amount) => change({ amount })}
          currency={values.currency}
          error={errors.amount}
        />
        {currencies.length > 1 && (
          <Select
            label="Currency"
            data={currencies}
            value={values.currency}
            onChange={(currency) => changeCurrency(currency as Currency)}
            error={errors.currency}
            data-path="currency"
          />
        )}
      </div>
      <SuggestedAmounts formData={formData} form={form} />
      <SegmentedControl
        label="Method"
        showLabel
        value={values.method}
        options={methods}
        onChange={(method) => change({ method })}
      />
      <DateField
        label="Date"
        value={values.date}
        onChange={(date) => change({ date })}
        today={formData.today}
        placeholder="Pick a date"
        required
        error={errors.date}
        path="date"
      />
      <TextInput
        label="Note"
        value={values.note}
        onChange={(event) => change({ note: event.currentTarget.value })}
        error={errors.note}
        data-path="note"
      />
      <AllocationPreview
        allocation={allocation}
        currency={values.currency}
        today={formData.today}
      />
    </>
  );
}

/** Buttons for the preselected lessons and for the full amount owed, if these differ. */
function SuggestedAmounts({ formData, form }: Pick<PaymentFormState, 'formData' | 'form'>) {
  const { currency, amount } = form.values;
  const preselected = sumOutstanding(preselectedCharges(formData, currency));
  const owed = amountOwedIn(formData, currency);
  if (preselected === 0 || preselected === owed) return null;
  const choices = [
    {
      minor: preselected,
      label: formData.preselectedChargeIds.length === 1 ? 'This lesson' : 'These lessons',
    },
    { minor: owed, label: 'Full balance' },
  ];
  return (
    <div className={classes.suggestions}>
      {choices.map(({ minor, label }) => (
        <Button
          key={label}
          variant="light"
          size="sm"
          aria-pressed={parseMinorUnits(amount) === minor}
          onClick={() => form.change({ amount: formatAmountInput(toMajor(minor)) })}
        >
          {label} ({formatAmount(minor, currency)})
        </Button>
      ))}
    </div>
  );
}
