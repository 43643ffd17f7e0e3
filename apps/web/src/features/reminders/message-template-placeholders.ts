import type { TemplateKind } from '@lessonbook/contract/messages';

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
