import type { InvoiceState } from '@lessonbook/contract/invoices';
import { normalizeText } from '@lessonbook/contract/normalize-text';
import { parseTypedAmount, type TypedAmount } from '@lessonbook/contract/parse-amount';
import { parseTypedDate } from '@lessonbook/contract/parse-date';
import { parseDate, parseWeekday, resolveDate } from '@lessonbook/contract/parse-date-phrase';

type StateFilter = InvoiceState | 'open';

/** What a search text may mean. Several may apply: '35' is an amount and a part of an invoice number. */
export interface ParsedQuery {
  /** Normalised words without the date and the state. All words if there are no others, because they may be a name. */
  names: string[];
  /** Whether the text contains more than a date and a state. */
  hasNames: boolean;
  date: string | null;
  state: StateFilter | null;
  amount: TypedAmount | null;
  /** Text that may be in an email address. */
  email: string | null;
  /** Digits of a phone number, without the leading zero or country code that the stored number may not have. */
  phoneDigits: string | null;
  /** Text that may be in an invoice number, and the number at its end. */
  invoiceNumber: { text: string; sequence: number | null } | null;
}

/** More words would only make the query slower. A long word is matched by its beginning. */
const MAX_WORDS = 6;
const MAX_WORD_LENGTH = 30;

export function parseQuery(text: string, today: string): ParsedQuery {
  const tokens = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const { date, rest: withoutDate } = findDate(tokens, today);
  const { state, rest } = findState(withoutDate);
  const hasNames = rest.length > 0;
  return {
    names: toWords(hasNames ? rest : tokens),
    hasNames,
    date,
    state,
    amount: parseTypedAmount(text),
    email: tokens.length === 1 && text.length > 1 ? text.toLowerCase() : null,
    phoneDigits: parsePhoneDigits(text),
    invoiceNumber: date === null ? parseInvoiceNumber(tokens) : null,
  };
}

/** 'Lewis-Grant' is two words, and "O'Brien" is one. */
const toWords = (tokens: readonly string[]): string[] =>
  normalizeText(tokens.join(' '))
    .replaceAll("'", '')
    .split(/[\s/-]+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD_LENGTH));

/** 'Tue 17 Nov 2026' has four tokens, and so does '3rd of December 2026'. */
const MAX_DATE_TOKENS = 5;

/** A date at the start or the end of the text, the longest one that can be read. */
function findDate(
  tokens: readonly string[],
  today: string,
): { date: string | null; rest: string[] } {
  for (let length = Math.min(tokens.length, MAX_DATE_TOKENS); length > 0; length--) {
    for (const start of new Set([tokens.length - length, 0])) {
      const date = toDate(tokens.slice(start, start + length), today);
      if (date) return { date, rest: tokens.toSpliced(start, length) };
    }
  }
  return { date: null, rest: [...tokens] };
}

function toDate(tokens: readonly string[], today: string): string | null {
  const [first, ...others] = tokens;
  // In 'Tue 17 Nov' the weekday adds nothing.
  if (others.length > 0 && parseWeekday(first) !== null)
    return parseTypedDate(others.join(' '), today);
  const typed = parseTypedDate(tokens.join(' '), today);
  if (typed) return typed;
  const match = parseDate(tokens, today);
  return match?.tokenCount === tokens.length ? resolveDate(match.value, today) : null;
}

/** The words that screens use for the states, and everyday ones. */
const STATE_WORDS: Record<string, StateFilter> = {
  draft: 'draft',
  drafts: 'draft',
  sent: 'sent',
  open: 'open',
  unpaid: 'open',
  outstanding: 'open',
  overdue: 'overdue',
  late: 'overdue',
  paid: 'paid',
  void: 'void',
  voided: 'void',
};
/** Many names start with a shorter prefix of a state. */
const MIN_STATE_LETTERS = 4;

/** The first word that is a state, or the beginning of one that is still being typed. */
function findState(tokens: readonly string[]): { state: StateFilter | null; rest: string[] } {
  const partPaid = tokens.findIndex(
    (token, index) => /^part(ly|ially)?$/.test(token) && tokens[index + 1] === 'paid',
  );
  if (partPaid !== -1) return { state: 'part_paid', rest: tokens.toSpliced(partPaid, 2) };
  for (const [index, token] of tokens.entries()) {
    const word = Object.keys(STATE_WORDS).find(
      (name) => name === token || (token.length >= MIN_STATE_LETTERS && name.startsWith(token)),
    );
    if (word) return { state: STATE_WORDS[word] ?? null, rest: tokens.toSpliced(index, 1) };
  }
  return { state: null, rest: [...tokens] };
}

const MIN_PHONE_DIGITS = 3;

/** Numbers are stored as +447700900123 if possible, and typed as 07700 900123. */
function parsePhoneDigits(text: string): string | null {
  if (!/^[+\d\s()./-]+$/.test(text)) return null;
  const digits = text
    .replace(/[^\d+]/g, '')
    .replace(/^(\+|00)44/, '')
    .replace(/^[+0]+/, '')
    .replaceAll('+', '');
  return digits.length >= MIN_PHONE_DIGITS ? digits : null;
}

const INVOICE_NUMBER = /^[\p{L}\d/_-]*\d[\p{L}\d/_-]*$/u;

/** 'INV-0042', or '42' for the same invoice. */
function parseInvoiceNumber(tokens: readonly string[]): ParsedQuery['invoiceNumber'] {
  const [first = '', second] = tokens;
  const hasPrefix = /^(invoice|inv|no|number|#)$/.test(first) && second !== undefined;
  const text = hasPrefix ? second : first;
  if (tokens.length > (hasPrefix ? 2 : 1) || !INVOICE_NUMBER.test(text)) return null;
  const digits = /(\d{1,9})$/.exec(text)?.[1];
  return { text: text.slice(0, MAX_WORD_LENGTH), sequence: digits ? Number(digits) : null };
}
