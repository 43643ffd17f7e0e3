import type { TemplateKind } from '@lessonbook/contract/messages';
import { RECIPIENTS, REMINDER_LEAD_MINUTES } from '@lessonbook/contract/reminder-settings';

/** '2 hours before' */
export function formatLead(minutes: number | null): string {
  if (minutes === null) return 'No reminder';
  if (minutes % 1440 === 0)
    return minutes === 1440 ? '1 day before' : `${minutes / 1440} days before`;
  return minutes === 60 ? '1 hour before' : `${minutes / 60} hours before`;
}

const NEVER = 'never';

/* Select options need string values. */
export const leadChoices = [
  ...REMINDER_LEAD_MINUTES.map((minutes) => ({
    value: String(minutes),
    label: formatLead(minutes),
  })),
  { value: NEVER, label: formatLead(null) },
];
export const leadToValue = (minutes: number | null): string =>
  minutes === null ? NEVER : String(minutes);
export const parseLead = (text: string | null): (typeof REMINDER_LEAD_MINUTES)[number] | null =>
  REMINDER_LEAD_MINUTES.find((minutes) => String(minutes) === text) ?? null;

const recipientLabels: Record<(typeof RECIPIENTS)[number], string> = {
  carer: 'Carer',
  student: 'Student',
  both: 'Both',
};
export const recipientChoices = RECIPIENTS.map((value) => ({
  value,
  label: recipientLabels[value],
}));

/** Parses '3, 7, 14' into numbers. The contract's schema rejects NaN. */
export const parseDays = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);

export const templateLabels: Record<TemplateKind, string> = {
  lesson_reminder: 'Lesson reminder',
  lesson_change: 'Lesson change',
  payment_reminder: 'Payment reminder',
  invoice: 'Invoice',
  receipt: 'Receipt',
};

const commonPlaceholders = {
  name: "the recipient's first name",
  tutor: 'your name',
};

/** What each {placeholder} means, by kind of message. */
export const placeholders: Record<TemplateKind, Record<string, string>> = {
  lesson_reminder: {
    ...commonPlaceholders,
    when: '“Tomorrow” or the date',
    day: "“tomorrow's lesson (Tuesday 17 November)”",
    summary: 'children and times, in one line',
    lessons: 'each lesson with time and location',
  },
  lesson_change: {
    ...commonPlaceholders,
    what: '“Lesson cancelled” or “Lesson moved”',
    summary: 'children and dates, in one line',
    change: 'what happened and, if cancelled, whether a fee applies',
    lessons: 'each lesson, with its new time',
  },
  payment_reminder: {
    ...commonPlaceholders,
    amount: 'the amount owed',
    lessons: 'each unpaid lesson with its amount',
    link: 'address of the payment page',
  },
  invoice: {
    ...commonPlaceholders,
    number: 'invoice number',
    amount: 'the amount due',
    due: 'the due date',
    link: 'address of the invoice',
  },
  receipt: {
    ...commonPlaceholders,
    amount: 'the amount received',
    date: 'the date it was received',
    lessons: 'what it was for',
    balance: 'the remaining balance or credit',
  },
};
