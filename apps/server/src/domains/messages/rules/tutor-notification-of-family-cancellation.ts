import { type Currency, formatMoney } from '@lessonbook/contract/money';
import { formatForTutor } from './move-request-text.ts';

export interface CancelledLesson {
  sessionId: number;
  studentName: string;
  date: string;
  startTime: string;
  fee: number;
  currency: Currency;
  usesFreeCancellation: boolean;
}

/** "Ruth cancelled Maya's lesson on Tue 24 Nov, 4pm. Cancellation fee: £17.50." */
export function describeCancellation(
  contactName: string,
  lessons: readonly CancelledLesson[],
  today: string,
): string {
  const [first] = lessons;
  if (!first) return '';
  const start = formatForTutor(first, today);
  const what =
    lessons.length === 1
      ? `${first.studentName}'s lesson on ${start}`
      : `${lessons.length} lessons for ${joinNames(lessons)}, the first on ${start}`;
  return `${contactName} cancelled ${what}. ${describeCost(lessons)}`;
}

function describeCost(lessons: readonly CancelledLesson[]): string {
  const freeCount = lessons.filter(({ usesFreeCancellation }) => usesFreeCancellation).length;
  const free =
    freeCount === 0
      ? ''
      : freeCount === 1
        ? ' A free late cancellation was used.'
        : ` ${freeCount} free late cancellations were used.`;
  const fees = lessons.filter(({ fee }) => fee > 0);
  if (fees.length === 0) return `No charge.${free}`;
  const sums = [...Map.groupBy(fees, ({ currency }) => currency)].map(([currency, group]) =>
    formatMoney(
      group.reduce((sum, { fee }) => sum + fee, 0),
      currency,
      'en-GB',
    ),
  );
  return `Cancellation ${fees.length === 1 ? 'fee' : 'fees'}: ${sums.join(' and ')}.${free}`;
}

function joinNames(lessons: readonly CancelledLesson[]): string {
  const names = [...new Set(lessons.map(({ studentName }) => studentName))];
  return names.length === 1
    ? (names[0] as string)
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
