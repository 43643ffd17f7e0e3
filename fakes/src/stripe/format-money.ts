const SYMBOLS: Record<string, string> = { gbp: '£', eur: '€', usd: '$' };
const ZERO_DECIMAL = new Set(['jpy', 'krw', 'vnd', 'clp', 'xaf', 'xof']);

/** Formats an amount as Stripe does in messages and on pages, such as £12.50. */
export function formatMoney(amount: number, currency: string): string {
  const symbol = SYMBOLS[currency] ?? `${currency.toUpperCase()} `;
  return `${symbol}${ZERO_DECIMAL.has(currency) ? amount : (amount / 100).toFixed(2)}`;
}
