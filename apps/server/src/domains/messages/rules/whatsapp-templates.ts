import { firstName } from '@lessonbook/contract/first-name';
import {
  formatLessonLine,
  formatRelativeDate,
  formatShortDate,
  type LessonText,
} from './format-dates-and-lessons.ts';
import { toReader } from './recipients.ts';

/**
 * The templates approved by Meta, word for word as in docs/operating/whatsapp.md. Any change must first be approved by
 * Meta. Each {{number}} is a parameter.
 */
export const WHATSAPP_TEMPLATES = {
  lesson_reminder:
    "Hi {{1}}, this is a reminder from {{2}}.\n\nLessons {{3}}: {{4}}.\n\nIf you can't make it, please let your tutor know. Replies to this number aren't monitored. Reply STOP to end these reminders.",
  payment_reminder:
    "Hi {{1}}, this is a reminder from {{2}}.\n\nThere's still {{3}} to pay for: {{4}}.\n\nYou can pay here: {{5}}\n\nIf you have just paid, thank you, and please ignore this. Replies to this number aren't monitored. Reply STOP to end these reminders.",
} as const;

/** Templates in Meta's Authentication category. Meta fixes the text. The parameter is the code, which a button copies. */
export const AUTHENTICATION_TEMPLATES = {
  sign_in_code: '{{1}} is your verification code. For your security, do not share this code.',
} as const;

export type WhatsAppTemplate = keyof typeof WHATSAPP_TEMPLATES;

export interface FilledTemplate {
  template: WhatsAppTemplate;
  parameters: readonly string[];
}

/** A message may have up to 1,024 characters; this is what remains for the list after the fixed text and the short parameters. */
const MAX_LIST_LENGTH = 400;
const MAX_NAME_LENGTH = 60;

/** WhatsApp rejects parameters that are empty or contain line breaks, tabs or more than four consecutive spaces. */
export const toParameter = (text: string, maxLength = MAX_NAME_LENGTH): string => {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : line || '…';
};

/** Joins as many items as fit and adds how many were left out. */
export function joinWithinLimit(items: readonly string[]): string {
  const included: string[] = [];
  let length = 0;
  for (const item of items.map((each) => toParameter(each, 150))) {
    length += item.length + 2;
    if (length > MAX_LIST_LENGTH) break;
    included.push(item);
  }
  const omitted = items.length - included.length;
  return [...included, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join('; ');
}

export function fillReminderTemplate(
  to: {
    person: { key: string; name: string; timeZone: string | null };
    tutor: string;
    timeZone: string;
    today: string;
  },
  lessons: readonly LessonText[],
): FilledTemplate {
  const reader = toReader(to.person, to.timeZone);
  const date = lessons[0]?.date ?? to.today;
  const [relativeDate, shortDate] = [
    formatRelativeDate(date, to.today),
    formatShortDate(date, to.today),
  ];
  const day =
    relativeDate === shortDate ? `on ${shortDate}` : `${relativeDate.toLowerCase()}, ${shortDate}`;
  return {
    template: 'lesson_reminder',
    parameters: [
      toParameter(firstName(to.person.name)),
      toParameter(to.tutor),
      day,
      joinWithinLimit(lessons.map((lesson) => formatLessonLine(lesson, reader))),
    ],
  };
}

export function fillPaymentTemplate(values: {
  name: string;
  tutor: string;
  amount: string;
  lessons: readonly string[];
  link: string;
}): FilledTemplate {
  return {
    template: 'payment_reminder',
    parameters: [
      toParameter(values.name),
      toParameter(values.tutor),
      toParameter(values.amount),
      joinWithinLimit(values.lessons),
      // The link is never truncated, because it would no longer work.
      toParameter(values.link, values.link.length),
    ],
  };
}

/** The text as seen by the family. */
export const renderTemplate = ({ template, parameters }: FilledTemplate): string =>
  WHATSAPP_TEMPLATES[template].replaceAll(
    /\{\{(\d)\}\}/g,
    (_, number: string) => parameters[Number(number) - 1] ?? '',
  );
