import { firstName } from '@lessonbook/contract/first-name';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import {
  formatLessonLine,
  formatLessonSummary,
  formatLongDate,
  formatRelativeDate,
  type Reader,
} from '../../rules/format-dates-and-lessons.ts';
import { DEFAULT_TEMPLATES, fillTemplate } from '../../rules/message-templates.ts';
import { type Person, toReader } from '../../rules/recipients.ts';
import type { UpcomingLesson } from '../../rules/reminder-plan.ts';
import type { Settings } from './reminder-settings.ts';

export interface RenderContext {
  tutor: string;
  /** The tutor's time zone. */
  timeZone: string;
  today: string;
}

export async function getRenderContext(
  context: Context,
  tx: Tx,
  tutorId: string,
): Promise<RenderContext> {
  const { timeZone } = await getTutor(tx, tutorId);
  const tutor = await getSignature(tx, tutorId);
  return { tutor, timeZone, today: dateInZone(timeZone, context.clock.now()) };
}

type Recipient = Pick<Person, 'key' | 'name' | 'timeZone'>;

export function renderLessonReminder(
  { tutor, timeZone, today }: RenderContext,
  settings: Settings,
  person: Recipient,
  lessons: readonly UpcomingLesson[],
): { subject: string; text: string } {
  const reader: Reader = toReader(person, timeZone);
  const date = lessons[0]?.date ?? today;
  const values = {
    name: firstName(person.name),
    tutor,
    when: formatRelativeDate(date, today),
    day: formatDay(date, today, lessons.length > 1),
    summary: formatLessonSummary(lessons, reader),
    lessons: lessons.map((lesson) => formatLessonLine(lesson, reader)).join('\n'),
  };
  const custom = settings.templates.lesson_reminder;
  return {
    subject: fillTemplate(custom.subject || DEFAULT_TEMPLATES.lesson_reminder.subject, values),
    text: fillTemplate(custom.text || DEFAULT_TEMPLATES.lesson_reminder.text, values),
  };
}

/** "tomorrow's lesson (Tuesday 17 November)". The date is included because the email may be read a day late. */
function formatDay(date: string, today: string, isPlural: boolean): string {
  const lessons = isPlural ? 'lessons' : 'lesson';
  const longDate = formatLongDate(date, today);
  const relative = formatRelativeDate(date, today).toLowerCase();
  return relative === 'today' || relative === 'tomorrow'
    ? `${relative}'s ${lessons} (${longDate})`
    : `the ${lessons} on ${longDate}`;
}
