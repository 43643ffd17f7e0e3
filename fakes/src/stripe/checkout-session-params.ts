import { ApiError, invalidParam, missingParam } from './error-response.ts';
import type { Form, FormValue } from './form-encoding.ts';
import { asForm, parseInteger, toText } from './parse-form-fields.ts';

export interface LineParams {
  name: string;
  description: string | null;
  currency: string;
  unitAmount: number;
  quantity: number;
}

/** Stripe's minimum charge amounts, in minor units. */
const MIN_AMOUNTS: Record<string, number> = { gbp: 30, usd: 50, eur: 50 };

/** Parses the line items and checks their total. */
export function parseLines(value: FormValue | undefined): LineParams[] {
  if (!Array.isArray(value) || value.length === 0) throw missingParam('line_items');
  const lines = value.map((each, index) => parseLine(asForm(each), `line_items[${index}]`));
  const currency = lines[0]?.currency;
  if (lines.some((line) => line.currency !== currency)) {
    throw invalidParam('line_items', 'All line items must have the same currency.');
  }
  const total = lines.reduce((sum, line) => sum + line.unitAmount * line.quantity, 0);
  const minimum = MIN_AMOUNTS[currency ?? ''] ?? 50;
  if (total < minimum) {
    const message =
      `The Checkout Session's total amount due must add up to at least ` +
      `${minimum} in the smallest unit of ${currency}`;
    throw invalidParam('line_items', message, 'amount_too_small');
  }
  return lines;
}

function parseLine(line: Form, path: string): LineParams {
  if (typeof line['price'] === 'string') {
    const message = `No such price: '${line['price']}'`;
    throw new ApiError({ status: 400, code: 'resource_missing', message, param: `${path}[price]` });
  }
  const price = asForm(line['price_data']);
  const product = asForm(price['product_data']);
  const currency = price['currency'];
  if (typeof currency !== 'string') throw missingParam(`${path}[price_data][currency]`);
  if (typeof product['name'] !== 'string' || product['name'] === '') {
    throw missingParam(`${path}[price_data][product_data][name]`);
  }
  return {
    name: product['name'],
    description: toText(product['description']),
    currency: currency.toLowerCase(),
    unitAmount: parseInteger(price['unit_amount'], `${path}[price_data][unit_amount]`),
    quantity:
      line['quantity'] === undefined ? 1 : parseInteger(line['quantity'], `${path}[quantity]`),
  };
}

/** A Checkout Session expires between 30 minutes and 24 hours after its creation; the default is 24 hours. */
export function parseExpiry(value: FormValue | undefined, now: number): number {
  if (value === undefined) return now + 86_400;
  const expiresAt = parseInteger(value, 'expires_at');
  // One minute of tolerance for clock differences and latency.
  if (expiresAt < now + 1_740) {
    const message =
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.';
    throw invalidParam('expires_at', message);
  }
  if (expiresAt > now + 86_460) {
    const message =
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.';
    throw invalidParam('expires_at', message);
  }
  return expiresAt;
}
