import { occurrence } from '@lessonbook/contract/recurrence';
import { shortDate } from '../../lib/format.ts';
import type { LessonForm } from './lesson-form.ts';

const SHOWN = 3;

type Repeat = Pick<LessonForm, 'date' | 'recurringPattern' | 'recurringEndDate'>;

/** 'Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, … until Tue 15 Dec', or that it goes on. */
export function repeatInWords(repeat: Repeat, today: string): string {
  const { date, recurringPattern, recurringEndDate: end } = repeat;
  const dates: string[] = [];
  // One more than is shown tells whether there is a rest.
  for (let step = 1; dates.length <= SHOWN; step++) {
    const next = occurrence(recurringPattern, date, step);
    if (end !== '' && next > end) break;
    if (next >= today) dates.push(next);
  }
  const [first] = dates;
  if (!first) return 'No repeat: the end date comes first.';
  const words = dates.slice(0, SHOWN).map((each) => shortDate(each, today));
  if (end === '') return `Next: ${words.join(', ')}, and it goes on`;
  if (dates.length <= SHOWN) return `Next: ${words.join(', ')}`;
  return `Next: ${words.join(', ')}, … until ${shortDate(end, today)}`;
}
