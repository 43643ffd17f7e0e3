import type { Currency } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { currencySign } from '../../lib/format.ts';

interface Props {
  value: string;
  onChange: (amount: string) => void;
  currency: Currency;
  error?: ReactNode;
}

/** Accepts '35' or '32.50'; the currency symbol is shown as a prefix. */
export function AmountTextInput({ value, onChange, currency, error }: Props) {
  return (
    <TextInput
      label="Amount"
      withAsterisk
      inputMode="decimal"
      autoComplete="off"
      leftSection={currencySign(currency)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      data-path="amount"
    />
  );
}
