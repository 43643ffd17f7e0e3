import { type Currency, toMinor } from '@lessonbook/contract/money';
import type { Match } from '@lessonbook/contract/parse-date';
import { parseNumber, parseWeekday } from '@lessonbook/contract/parse-date-phrase';
import type { RecurrencePattern } from '@lessonbook/contract/recurrence';
import { MAX_FEE } from '@lessonbook/contract/schema-fields';
import { parseMinorUnits } from '../../lib/parse-input.ts';

// Maps, because plain objects would also match typed words such as 'constructor'.
const PATTERN_WORDS = new Map<string, RecurrencePattern>([
  ['weekly', 'weekly'],
  ['fortnightly', 'biweekly'],
  ['biweekly', 'biweekly'],
  ['monthly', 'monthly'],
]);

/** 'weekly', 'every week', 'every two weeks', 'every other Tue'. The weekday is parsed by parseDate. */
export function parseRecurrence(phrase: readonly string[]): Match<RecurrencePattern> | null {
  const [first = '', second = '', third = ''] = phrase;
  const single = PATTERN_WORDS.get(first);
  if (single) return { value: single, tokenCount: 1 };
  if (first === 'once' && (second === 'a' || second === 'per') && third === 'week')
    return { value: 'weekly', tokenCount: 3 };
  if (first !== 'every' && first !== 'each') return null;
  if (second === 'week') return { value: 'weekly', tokenCount: 2 };
  if (second === 'fortnight') return { value: 'biweekly', tokenCount: 2 };
  if (second === 'month') return { value: 'monthly', tokenCount: 2 };
  if (parseWeekday(second) !== null) return { value: 'weekly', tokenCount: 1 };
  if (!['two', '2', 'second', '2nd', 'other'].includes(second)) return null;
  if (third === 'week' || third === 'weeks') return { value: 'biweekly', tokenCount: 3 };
  return parseWeekday(third) === null ? null : { value: 'biweekly', tokenCount: 2 };
}

/** '45min', '1h30', '1 hr 30', '1.5 hours', 'half an hour', 'an hour and a half'; in minutes. */
export function parseDuration(phrase: readonly string[]): Match<number> | null {
  const whole = parseSingleDuration(phrase);
  const isHours = whole !== null && whole.value > 0 && whole.value % 60 === 0;
  const minutes = /^(\d{1,2})(m|mins?|minutes?)?$/.exec(phrase[whole?.tokenCount ?? 0] ?? '');
  if (!isHours || !minutes || Number(minutes[1]) >= 60) return whole;
  const unit = /^(mins?|minutes?)$/.test(phrase[whole.tokenCount + 1] ?? '') ? 1 : 0;
  // '1h 4' may be followed by a time.
  const isClear = minutes[2] !== undefined || unit === 1 || Number(minutes[1]) % 15 === 0;
  if (!isClear) return whole;
  return { value: whole.value + Number(minutes[1]), tokenCount: whole.tokenCount + 1 + unit };
}

function parseSingleDuration(phrase: readonly string[]): Match<number> | null {
  const [first = '', second = '', third = ''] = phrase;
  if (first === 'half' && second === 'hour') return { value: 30, tokenCount: 2 };
  if (phrase.slice(0, 3).join(' ') === 'half an hour') return { value: 30, tokenCount: 3 };
  if ((first === 'an' || first === 'one' || first === '1') && second === 'hour') {
    const andHalf = phrase.slice(2, 5).join(' ') === 'and a half';
    return andHalf ? { value: 90, tokenCount: 5 } : { value: 60, tokenCount: 2 };
  }
  const short = /^(?:(\d{1,2})h)?(?:(\d{1,3})(?:m|mins?|minutes?)?)?$/.exec(first);
  if (short?.[1] || /[a-z]$/.test(first)) {
    const minutes = short && Number(short[1] ?? 0) * 60 + Number(short[2] ?? 0);
    if (minutes) return { value: minutes, tokenCount: 1 };
  }
  const decimal = /^(\d{1,2})(?:[.,](5|25|75))?(h|hrs?|hours?)?$/.exec(first);
  const isHours = decimal?.[3] ?? /^(h|hrs?|hours?)$/.test(second);
  if (decimal && isHours) {
    const hours = Number(decimal[1]) + Number(`0.${decimal[2] ?? 0}`);
    return hours > 0 ? { value: hours * 60, tokenCount: decimal[3] ? 1 : 2 } : null;
  }
  const count = parseNumber(first);
  const isMinutes = /^(m|mins?|minutes?)$/.test(second) && third !== 'past';
  return count && isMinutes ? { value: count, tokenCount: 2 } : null;
}

export interface ParsedFee {
  /** In minor units; null for a free lesson. */
  minor: number | null;
  currency: Currency | null;
}

const CURRENCY_SIGNS = new Map<string, Currency>([
  ['£', 'GBP'],
  ['$', 'USD'],
  ['€', 'EUR'],
  ['₹', 'INR'],
]);
const CURRENCY_WORDS = new Map<string, Currency>([
  ['gbp', 'GBP'],
  ['pound', 'GBP'],
  ['pounds', 'GBP'],
  ['quid', 'GBP'],
  ['usd', 'USD'],
  ['dollar', 'USD'],
  ['dollars', 'USD'],
  ['eur', 'EUR'],
  ['euro', 'EUR'],
  ['euros', 'EUR'],
  ['inr', 'INR'],
  ['rupee', 'INR'],
  ['rupees', 'INR'],
]);

/** '£35', '£35.50', '35 pounds', '40€', 'free' */
export function parseFee(phrase: readonly string[]): Match<ParsedFee> | null {
  const [first = '', second = ''] = phrase;
  if (first === 'free') return { value: { minor: null, currency: null }, tokenCount: 1 };
  const match = /^([£$€₹]?)(\d[\d.,]*)([£$€₹]|[a-z]+)?$/.exec(first);
  if (!match) return null;
  const [, prefix = '', amount = '', suffix = ''] = match;
  const attached =
    CURRENCY_SIGNS.get(prefix) ?? CURRENCY_SIGNS.get(suffix) ?? CURRENCY_WORDS.get(suffix);
  const currency = attached ?? (suffix === '' ? CURRENCY_WORDS.get(second) : undefined);
  const minor = parseMinorUnits(amount);
  if (!currency || minor === null || !(minor >= toMinor(1) && minor <= toMinor(MAX_FEE)))
    return null;
  return { value: { minor, currency }, tokenCount: attached ? 1 : 2 };
}
