import type { ReminderPreferences } from './recipients.ts';

/** A student whose reminders a contact may get, either as the main contact or as the student. */
interface StudentOfContact {
  isSelf: boolean;
  /** Whether the main contact is a carer. */
  hasCarer: boolean;
  /** Null for the tutor's default settings. */
  preferences: ReminderPreferences | null;
}

/** The settings of the lesson reminders that a contact gets. Follows the same rules as `selectRecipients`. */
export const selectLessonReminders = (
  students: readonly StudentOfContact[],
  defaults: ReminderPreferences,
): ReminderPreferences[] =>
  students.flatMap(({ isSelf, hasCarer, preferences }) => {
    const chosen = preferences ?? defaults;
    const isRecipient =
      !hasCarer || chosen.recipient === 'both' || isSelf === (chosen.recipient === 'student');
    return isRecipient && chosen.leadMinutes !== null ? [chosen] : [];
  });

/** The lead time shared by all reminders; null if it differs. */
export function findCommonLeadTime(reminders: readonly ReminderPreferences[]): number | null {
  const [first, ...others] = new Set(reminders.map(({ leadMinutes }) => leadMinutes));
  return first === undefined || others.length > 0 ? null : first;
}
