const SYMBOLS: Record<string, string> = { gbp: '£', eur: '€', usd: '$' };
const ZERO_DECIMAL = new Set(['jpy', 'krw', 'vnd', 'clp', 'xaf', 'xof']);

/** £12.50, as Stripe writes sums in messages and on its pages. */
export function formatMoney(amount: number, currency: string): string {
  const symbol = SYMBOLS[currency] ?? `${currency.toUpperCase()} `;
  return `${symbol}${ZERO_DECIMAL.has(currency) ? amount : (amount / 100).toFixed(2)}`;
}
