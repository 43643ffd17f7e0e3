import type { TemplateKind } from '@lessonbook/contract/messages';

/** The default templates; the tutor can replace any of them. */
export const DEFAULT_TEMPLATES: Record<TemplateKind, { subject: string; text: string }> = {
  lesson_reminder: {
    subject: 'Lesson reminder: {when}, {summary}',
    text: "Hi {name},\n\nA reminder of {day}:\n\n{lessons}\n\nIf you can't make it, just reply.\n\n{tutor}",
  },
  lesson_change: {
    subject: '{what}: {summary}',
    text: 'Hi {name},\n\n{change}\n\n{lessons}\n\nIf you have a question, just reply.\n\n{tutor}',
  },
  payment_reminder: {
    subject: 'Payment reminder: {amount}',
    text: "Hi {name},\n\nThere's still {amount} to pay for:\n\n{lessons}\n\nYou can pay here: {link}\n\nIf you have just paid, thank you, and please ignore this.\n\n{tutor}",
  },
  invoice: {
    subject: 'Invoice {number}: {amount}, due {due}',
    text: 'Hi {name},\n\nHere is invoice {number} for {amount}, due on {due}.\n\nYou can see it and pay here: {link}\n\nThank you,\n{tutor}',
  },
  receipt: {
    subject: 'Receipt {number}: {amount} received',
    text: "Hi {name},\n\nThank you, I've received your payment of {amount} ({method}, {date}) for:\n\n{lessons}\n\n{balance}\n\nReceipt {number}\n\n{tutor}",
  },
};

export type TemplateValues = Readonly<Record<string, string>>;

/** Fills in {placeholders}. Unknown ones are left as typed, so that the tutor notices them. */
export function fillTemplate(template: string, values: TemplateValues): string {
  let remaining = MAX_FILLED_LENGTH;
  return template
    .replaceAll(/\{(\w+)\}/g, (match, name: string) => {
      const value = values[name] ?? match;
      if (value.length > remaining) return '';
      remaining -= value.length;
      return value;
    })
    .trim();
}

/** Longer than any useful message. A template that repeats {lessons} would otherwise become megabytes for each family. */
const MAX_FILLED_LENGTH = 20_000;
