import { firstName } from '@lessonbook/contract/names';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { tutorOf } from '../../accounts/service/profile.ts';
import type { Coming } from '../rules/plan.ts';
import type { Person } from '../rules/recipients.ts';
import { fill, inShort, lessonLine, nearDay, PROPOSALS, shortDate } from '../rules/words.ts';
import type { Settings } from './settings.ts';

export interface Today {
  tutor: string;
  today: string;
}

export async function todayFor(context: Context, tx: Tx, tutorId: string): Promise<Today> {
  const { name, timeZone } = await tutorOf(tx, tutorId);
  return { tutor: name, today: dateIn(timeZone, context.clock.now()) };
}

/** The lessons of one day for one person; said again right before it goes, in case one was called off. */
export async function reminderWords(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  person: Pick<Person, 'name'>,
  lessons: readonly Coming[],
): Promise<{ subject: string; text: string }> {
  return wordsOf(await todayFor(context, tx, tutorId), settings, person, lessons);
}

export function wordsOf(
  { tutor, today }: Today,
  settings: Settings,
  person: Pick<Person, 'name'>,
  lessons: readonly Coming[],
): { subject: string; text: string } {
  const date = lessons[0]?.date ?? today;
  const when = nearDay(date, today);
  const values = {
    name: firstName(person.name),
    tutor,
    when,
    // 'tomorrow, Tue 17 Nov': a mail may be read a day late.
    day:
      when === shortDate(date, today) ? when : `${when.toLowerCase()}, ${shortDate(date, today)}`,
    short: inShort(lessons),
    lessons: lessons.map(lessonLine).join('\n'),
  };
  const own = settings.templates.lesson_reminder;
  return {
    subject: fill(own.subject || PROPOSALS.lesson_reminder.subject, values),
    text: fill(own.text || PROPOSALS.lesson_reminder.text, values),
  };
}
