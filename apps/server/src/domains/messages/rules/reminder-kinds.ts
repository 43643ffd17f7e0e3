import type { ReminderKind } from '@lessonbook/contract/messages';

export const REMINDER_LABELS: Record<ReminderKind, string> = {
  lesson_reminder: 'lesson reminders',
  payment_reminder: 'payment reminders',
  lesson_notes: 'emails with lesson notes',
};

export const isReminderKind = (kind: string): kind is ReminderKind => kind in REMINDER_LABELS;

/** 'lesson and payment reminders', 'payment reminders and emails with lesson notes' */
export function formatReminderKinds(kinds: readonly ReminderKind[]): string {
  const reminders = kinds.filter((kind) => kind !== 'lesson_notes');
  const labels = [
    reminders.length > 1
      ? 'lesson and payment reminders'
      : REMINDER_LABELS[reminders[0] ?? 'lesson_notes'],
    ...(reminders.length > 0 && kinds.includes('lesson_notes')
      ? [REMINDER_LABELS.lesson_notes]
      : []),
  ];
  return labels.join(' and ');
}
