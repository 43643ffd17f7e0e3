import type { Channel } from '@lessonbook/contract/messages';
import {
  addressOf,
  type Person,
  type Reachable,
  type ReminderChoice,
  recipientsOf,
} from './recipients.ts';
import { reminderTime } from './reminder-time.ts';
import type { LessonText } from './templates.ts';

export interface UpcomingLesson extends Reachable, LessonText {
  id: number;
  publicId: string;
  startsAt: Date;
  endsAt: Date;
  familyId: number | null;
  own: ReminderChoice | null;
}

export interface PlannedReminder {
  /** One for each person, day and channel, whatever happens to the lessons of that day. */
  dedupeKey: string;
  person: Person;
  channel: Channel;
  address: string;
  familyId: number | null;
  date: string;
  at: Date;
  lessons: UpcomingLesson[];
}

/**
 * The reminders that the coming lessons ask for. The children of one carer share a message for each day; it goes when the
 * first of their lessons asks for it.
 */
export function planReminders(
  coming: readonly UpcomingLesson[],
  everyone: ReminderChoice,
  timeZone: string,
): PlannedReminder[] {
  const planned = new Map<string, PlannedReminder>();
  for (const lesson of coming) {
    const choice = lesson.own ?? everyone;
    if (choice.lead === null) continue;
    const at = reminderTime(timeZone, lesson, choice.lead);
    for (const person of recipientsOf(lesson, choice.recipient)) {
      for (const channel of choice.channels as Channel[]) {
        const address = addressOf(person, channel);
        if (address === null) continue;
        const intent = `reminder ${person.key} ${lesson.date} ${channel}`;
        const known = planned.get(intent);
        if (known) {
          known.lessons.push(lesson);
          if (at < known.at) known.at = at;
        } else {
          const { familyId, date } = lesson;
          const lessons = [lesson];
          planned.set(intent, {
            dedupeKey: intent,
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
