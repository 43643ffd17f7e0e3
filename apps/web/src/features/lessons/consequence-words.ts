import { weekday } from '@lessonbook/contract/dates';
import type { Consequences } from '@lessonbook/contract/lessons';
import { count, shortDate, shortWeekday } from '../../lib/format.ts';

export type Verb = 'move' | 'change' | 'delete';

/** How many lessons it touches. */
export const affected = ({ changed, created, removed }: Consequences): number =>
  changed + created + removed;

const buttons: Record<Verb, string> = { move: 'Move', change: 'Change', delete: 'Delete' };

/** 'Move 12 lessons': the button repeats what the box says. */
export const withCount = (verb: Verb, number: number | undefined): string =>
  number === undefined ? buttons[verb] : `${buttons[verb]} ${count(number, 'lesson')}`;

/** What happens, one sentence for each kind. */
export function whatHappens(verb: Verb, consequences: Consequences, today: string): string[] {
  const { changed, created, removed } = consequences;
  const gone = verb === 'delete' ? 'cancelled, free of charge' : 'taken out';
  return [
    changed > 0 && does(changed, verb === 'move' ? ['moves', 'move'] : ['changes', 'change']),
    created > 0 && does(created, ['is added', 'are added']),
    removed > 0 && does(removed, [`is ${gone}`, `are ${gone}`]),
  ]
    .filter((sentence) => sentence !== false)
    .map((sentence, index) =>
      index === 0 ? `${sentence}${dates(consequences, today)}` : sentence,
    );
}

const does = (number: number, [one, many]: [string, string]): string =>
  `${count(number, 'lesson')} ${number === 1 ? one : many}`;

function dates({ firstDate, lastDate }: Consequences, today: string): string {
  if (!firstDate || !lastDate) return '';
  if (firstDate === lastDate) return `: ${shortDate(firstDate, today)}`;
  return `: ${shortDate(firstDate, today)} to ${shortDate(lastDate, today)}`;
}

const reasons: Record<Consequences['stays'][number]['reason'], [one: string, many: string]> = {
  completed: ['already taught', 'already taught'],
  cancelled: ['cancelled', 'cancelled'],
  moved: ['moved before', 'moved before'],
  edited: ['edited by itself', 'edited by themselves'],
  invoiced: ['invoiced', 'invoiced'],
  past: ['past', 'past'],
};

/** 'Stay as they are: 2 already taught, 1 cancelled'; nothing when all of them change. */
export function whatStays({ stays }: Consequences): string {
  const total = stays.reduce((sum, { count: number }) => sum + number, 0);
  if (total === 0) return '';
  const words = stays.map(({ reason, count: number }) => count(number, ...reasons[reason]));
  return `${total === 1 ? 'Stays as it is' : 'Stay as they are'}: ${words.join(', ')}`;
}

interface Wall {
  date: string;
  startTime: string;
}

/** 'Tue 16:00 → Thu 17:00'; with dates where the weekday alone would not tell. */
export function moveInWords(from: Wall, to: Wall): string {
  const sameDay = weekday(from.date) === weekday(to.date) && from.date !== to.date;
  const day = ({ date }: Wall) => (sameDay ? shortDate(date, date) : shortWeekday(date));
  const words = (wall: Wall) => `${day(wall)} ${wall.startTime.slice(0, 5)}`;
  return `${words(from)} → ${words(to)}`;
}
