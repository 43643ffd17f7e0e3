import { firstName } from '@lessonbook/contract/first-name';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import type { Person } from '../../rules/recipients.ts';
import type { UpcomingLesson } from '../../rules/reminder-plan.ts';
import {
  DEFAULT_TEMPLATES,
  fillTemplate,
  formatLessonLine,
  formatLessonSummary,
  formatRelativeDate,
  formatShortDate,
} from '../../rules/templates.ts';
import type { Settings } from './reminder-settings.ts';

export interface RenderContext {
  tutor: string;
  today: string;
}

export async function getRenderContext(
  context: Context,
  tx: Tx,
  tutorId: string,
): Promise<RenderContext> {
  const { timeZone } = await getTutor(tx, tutorId);
  const tutor = await getSignature(tx, tutorId);
  return { tutor, today: dateInZone(timeZone, context.clock.now()) };
}

export async function loadAndRenderLessonReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  person: Pick<Person, 'name'>,
  lessons: readonly UpcomingLesson[],
): Promise<{ subject: string; text: string }> {
  return renderLessonReminder(
    await getRenderContext(context, tx, tutorId),
    settings,
    person,
    lessons,
  );
}

export function renderLessonReminder(
  { tutor, today }: RenderContext,
  settings: Settings,
  person: Pick<Person, 'name'>,
  lessons: readonly UpcomingLesson[],
): { subject: string; text: string } {
  const date = lessons[0]?.date ?? today;
  const when = formatRelativeDate(date, today);
  const values = {
    name: firstName(person.name),
    tutor,
    when,
    // 'tomorrow, Tue 17 Nov': includes the date, because the email may be read a day late.
    day:
      when === formatShortDate(date, today)
        ? when
        : `${when.toLowerCase()}, ${formatShortDate(date, today)}`,
    short: formatLessonSummary(lessons),
    lessons: lessons.map(formatLessonLine).join('\n'),
  };
  const custom = settings.templates.lesson_reminder;
  return {
    subject: fillTemplate(custom.subject || DEFAULT_TEMPLATES.lesson_reminder.subject, values),
    text: fillTemplate(custom.text || DEFAULT_TEMPLATES.lesson_reminder.text, values),
  };
}
