import type { Channel } from '@lessonbook/contract/messages';
import type { LessonText } from './format-dates-and-lessons.ts';
import { getOrCompute } from './get-or-compute.ts';
import { reminderOutsideQuietHours } from './quiet-hours.ts';
import {
  addressOf,
  type Person,
  type ReminderPreferences,
  type StudentContacts,
  selectRecipients,
} from './recipients.ts';
import { reminderTime } from './reminder-time.ts';

export interface UpcomingLesson extends StudentContacts, LessonText {
  id: number;
  /** The first session in a chain of moves; the session itself if it was not moved. */
  rootSessionId: number;
  /** Part of the UID of the event in calendars. */
  rootPublicId: string;
  startsAt: Date;
  endsAt: Date;
  familyId: number | null;
  studentPreferences: ReminderPreferences | null;
}

export interface PlannedReminder {
  /** Stays the same for a person, day and channel, even if that day's lessons change. */
  dedupeKey: string;
  person: Person;
  channel: Channel;
  address: string;
  familyId: number | null;
  date: string;
  at: Date;
  lessons: UpcomingLesson[];
}

/** A carer gets one message per day for all their children, at the earliest of the reminder times outside quiet hours. */
export function planReminders(
  upcoming: readonly UpcomingLesson[],
  defaults: ReminderPreferences,
  timeZone: string,
): PlannedReminder[] {
  const planned = new Map<string, PlannedReminder>();
  // All students of a group share these times, and converting a time zone is slow.
  const times = new Map<string, Date>();
  for (const lesson of upcoming) {
    const preferences = lesson.studentPreferences ?? defaults;
    if (preferences.leadMinutes === null) continue;
    const { leadMinutes } = preferences;
    const plannedAt = getOrCompute(times, `${lesson.startsAt.getTime()} ${leadMinutes}`, () =>
      reminderTime(timeZone, lesson, leadMinutes),
    );
    for (const person of selectRecipients(lesson, preferences.recipient)) {
      const recipientZone = person.timeZone ?? timeZone;
      const timeKey = `${recipientZone} ${plannedAt.getTime()} ${lesson.startsAt.getTime()}`;
      const at = getOrCompute(times, timeKey, () =>
        reminderOutsideQuietHours(recipientZone, plannedAt, lesson.startsAt),
      );
      for (const channel of preferences.channels as Channel[]) {
        const address = addressOf(person, channel);
        if (address === null) continue;
        const dedupeKey = `reminder ${person.key} ${lesson.date} ${channel}`;
        const existing = planned.get(dedupeKey);
        if (existing) {
          existing.lessons.push(lesson);
          if (at < existing.at) existing.at = at;
        } else {
          const { familyId, date } = lesson;
          const lessons = [lesson];
          planned.set(dedupeKey, {
            dedupeKey,
            person,
            channel,
            address,
            familyId,
            date,
            at,
            lessons,
          });
        }
      }
    }
  }
  return [...planned.values()].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
