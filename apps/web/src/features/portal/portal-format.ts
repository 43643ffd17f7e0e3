import { dayNumber } from '@lessonbook/contract/dates';
import { isMeetingLink } from '@lessonbook/contract/detect-online-place';
import { formatTime12 } from '@lessonbook/contract/format-time';
import type { PortalLesson, PortalLessons } from '@lessonbook/contract/portal';
import { dateInZone } from '@lessonbook/contract/time';
import { toInstantInBrowser } from '@lessonbook/contract/to-instant-without-temporal';
import { formatRelativeDate, formatShortDate, shortWeekdayName } from '../../lib/format.ts';
import { formatCancellationCost } from '../../lib/format-cancellation-cost.ts';
import { formatTimeAt } from '../../lib/format-timestamp.ts';

export function groupByDate<L extends PortalLesson>(
  lessons: readonly L[],
): [date: string, lessons: L[]][] {
  const days = new Map<string, L[]>();
  for (const lesson of lessons.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt)))
    days.set(lesson.date, [...(days.get(lesson.date) ?? []), lesson]);
  return [...days];
}

/** Identifies the place of one student in a lesson. */
export const seatKey = ({ sessionId, studentId }: PortalLesson): string =>
  `${sessionId}-${studentId}`;

/** 'Today'; undefined for a day without such a name. */
export function dayName(date: string, today: string): string | undefined {
  const relative = formatRelativeDate(date, today);
  return { today: 'Today', tomorrow: 'Tomorrow', yesterday: 'Yesterday' }[relative];
}

/** A lesson that lasts until midnight is stored as ending at 23:59. */
export const formatEnd = (time: string): string =>
  time.startsWith('23:59') ? 'midnight' : formatTime12(time);

/** 'Maths, group lesson, at Ada's' */
export function formatSubject({ subjectName, isGroup, place, state }: PortalLesson): string {
  const shownPlace =
    state === 'cancelled' ? null : isMeetingLink(place) ? 'online' : place?.replace(/^At /, 'at ');
  return [subjectName, isGroup && 'group lesson', shownPlace].filter(Boolean).join(', ');
}

export type Zones = Pick<PortalLessons, 'timeZone' | 'tutorTimeZone'>;

/** 'London time (8:30pm your time)'; null if both clocks show the same time. */
export function formatOwnTime(
  lesson: Pick<PortalLesson, 'date' | 'startsAt'>,
  zones: Zones,
): string | null {
  const { timeZone, tutorTimeZone } = zones;
  if (hasSameClock(lesson.startsAt, zones)) return null;
  const date = dateInZone(timeZone, new Date(lesson.startsAt));
  const time = formatTimeAt(lesson.startsAt, { timeZone, today: date });
  const day = date === lesson.date ? '' : ` on ${formatShortDate(date, lesson.date)},`;
  return `${cityOf(tutorTimeZone)} time (${formatTime12(time)}${day} your time)`;
}

/** A start in the tutor's time zone. */
interface Start {
  date: string;
  startTime: string;
}

/** 'London time (8:30pm your time)'; null if both clocks show the same time. */
export const formatOwnStart = ({ date, startTime }: Start, zones: Zones): string | null =>
  formatOwnTime(
    { date, startsAt: toInstantInBrowser(zones.tutorTimeZone, date, startTime).toISOString() },
    zones,
  );

/** 'Fri 27 Nov, 5pm', or 'Fri 27 Nov, 5pm London time (2am on Sat 28 Nov, your time)' */
export function formatStart(start: Start, zones: Zones, today: string): string {
  const ownTime = formatOwnStart(start, zones);
  const text = `${formatShortDate(start.date, today)}, ${formatTime12(start.startTime)}`;
  return ownTime ? `${text} ${ownTime}` : text;
}

function hasSameClock(instant: string, { timeZone, tutorTimeZone }: Zones): boolean {
  const [own, tutors] = [timeZone, tutorTimeZone].map((zone) => {
    const today = dateInZone(zone, new Date(instant));
    return `${today} ${formatTimeAt(instant, { timeZone: zone, today })}`;
  });
  return own === tutors;
}

const cityOf = (timeZone: string): string =>
  timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;

/** For running text, in the tutor's time zone: '4pm today', 'Mon 4pm', 'Mon 30 Nov, 4pm London time'. */
export function formatDeadline(instant: string, zones: Zones, today: string): string {
  const timeZone = zones.tutorTimeZone;
  const date = dateInZone(timeZone, new Date(instant));
  const clock = formatTime12(formatTimeAt(instant, { timeZone, today }));
  const time = hasSameClock(instant, zones) ? clock : `${clock} ${cityOf(timeZone)} time`;
  const day = dayName(date, today)?.toLowerCase();
  if (day) return `${time} ${day}`;
  const distance = dayNumber(date) - dayNumber(today);
  return distance > 0 && distance < 7
    ? `${shortWeekdayName(date)} ${time}`
    : `${formatShortDate(date, today)}, ${time}`;
}

/** What cancelling costs, for the row of a lesson; null if it is always free. */
export function formatCancellation(
  { cancellation }: PortalLesson,
  zones: Zones,
  now: Date,
): string | null {
  if (!cancellation) return null;
  const { fee, currency, freeUntil, freeCancellationsLeft, isAllowed } = cancellation;
  if (!isAllowed)
    return "There's now a fee for cancelling, so only the person who pays can cancel.";
  if (fee === 0) {
    if (freeUntil === null || new Date(freeUntil) <= now) return null;
    const today = dateInZone(zones.tutorTimeZone, now);
    return `Free to cancel until ${formatDeadline(freeUntil, zones, today)}`;
  }
  return formatCancellationCost(fee, currency, freeCancellationsLeft);
}

/** '07700 900 118' for a British mobile number; others as they are stored. */
export const formatPhone = (phone: string): string =>
  phone.replace(/^\+44(7\d{3})(\d{3})(\d{3})$/, '0$1 $2 $3');
