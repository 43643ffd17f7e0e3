import { type Currency, toMinor } from './money.ts';

export interface TypedAmount {
  minor: number;
  /** Null if the text contains no currency symbol. */
  currency: Currency | null;
}

const CURRENCY_SIGNS: Record<string, Currency> = { '£': 'GBP', $: 'USD', '€': 'EUR', '₹': 'INR' };
const AMOUNT = /^([£$€₹])?\s?(\d{1,7}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

/** An amount in a search text, such as '35', '£1,234.50' or '€20'. */
export function parseTypedAmount(text: string): TypedAmount | null {
  const match = AMOUNT.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '', pence = '0'] = match;
  const minor = toMinor(Number(`${whole.replaceAll(',', '')}.${pence}`));
  return { minor, currency: CURRENCY_SIGNS[sign] ?? null };
}
