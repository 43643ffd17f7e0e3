import { METHOD_NAMES } from '@lessonbook/contract/method-names';
import { type Currency, toMajor } from '@lessonbook/contract/money';
import { MANUAL_METHODS } from '@lessonbook/contract/payments';
import { Button, Select, TextInput } from '@mantine/core';
import { DateField } from '../../components/DateField.tsx';
import { Segments } from '../../components/Segments.tsx';
import { amountText, readMinor } from '../../lib/amount.ts';
import { money } from '../../lib/format.ts';
import { AmountField } from './AmountField.tsx';
import { CoverPreview } from './CoverPreview.tsx';
import { sumOf } from './cover.ts';
import classes from './PaymentFields.module.css';
import { amountOf, currenciesOf, likelyAmount, namedOf, owedIn } from './payment-form.ts';
import type { PaymentFormState } from './use-payment-form.ts';

const methods = MANUAL_METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }));

export function PaymentFields({ start, form, cover }: PaymentFormState) {
  const { values, errors, change } = form;
  const currencies = currenciesOf(start);

  /* An amount of the other currency says nothing about this one. */
  const choose = (currency: Currency) =>
    change({ currency, amount: amountOf(likelyAmount(start, currency)) });

  return (
    <>
      <div className={classes.amount}>
        <AmountField
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
            onChange={(currency) => choose(currency as Currency)}
            error={errors.currency}
            data-path="currency"
          />
        )}
      </div>
      <LikelyAmounts start={start} form={form} />
      <Segments
        label="Method"
        shown
        value={values.method}
        options={methods}
        onChange={(method) => change({ method })}
      />
      <DateField
        label="Date"
        value={values.date}
        onChange={(date) => change({ date })}
        today={start.today}
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
      <CoverPreview cover={cover} currency={values.currency} today={start.today} />
    </>
  );
}

/** Opened for one lesson of a family that owes for more: both sums are one tap away. */
function LikelyAmounts({ start, form }: Pick<PaymentFormState, 'start' | 'form'>) {
  const { currency, amount } = form.values;
  const named = sumOf(namedOf(start, currency));
  const owed = owedIn(start, currency);
  if (named === 0 || named === owed) return null;
  const choices = [
    { minor: named, words: start.named.length === 1 ? 'this lesson' : 'these lessons' },
    { minor: owed, words: 'all that is owed' },
  ];
  return (
    <div className={classes.likely}>
      {choices.map(({ minor, words }) => (
        <Button
          key={words}
          variant="light"
          size="sm"
          aria-pressed={readMinor(amount) === minor}
          onClick={() => form.change({ amount: amountText(toMajor(minor)) })}
        >
          {money(minor, currency)} {words}
        </Button>
      ))}
    </div>
  );
}
