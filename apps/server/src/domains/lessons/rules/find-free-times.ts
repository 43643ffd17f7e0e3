import {
  addDaysToDate,
  dayNumber,
  durationMinutes,
  minuteOfDay,
  weekday,
} from '@lessonbook/contract/dates';
import type { FreeTimes, LessonStart } from '@lessonbook/contract/move-requests';
import { existsInZone, type Instants, type LocalSlot, toInstants } from './local-to-utc.ts';
import { coversSession, type TimeOffRange } from './time-off.ts';

const STEP_MINUTES = 30;
const MAX_DAYS = 10;
const MAX_TIMES = 12;
const DAYS_BEFORE_LESSON = 28;
const DAYS_AFTER_LESSON = 14;
const MIN_NOTICE_MS = 12 * 3_600_000;

/** The tutor's usual hours on a day of the week; 1 is Monday. */
export interface UsualHours {
  weekday: number;
  startTime: string;
  endTime: string;
}

export interface Schedule {
  timeZone: string;
  now: Date;
  today: string;
  hours: readonly UsualHours[];
  /** When the tutor teaches other lessons. */
  busy: readonly Instants[];
  timeOffRanges: readonly Omit<TimeOffRange, 'id' | 'studentId'>[];
}

/** The dates to which a lesson could be moved. */
export function moveRange(lessonDate: string, today: string): { from: string; to: string } {
  const tomorrow = addDaysToDate(today, 1);
  const earliest = addDaysToDate(lessonDate, -DAYS_BEFORE_LESSON);
  const latest = lessonDate > today ? lessonDate : today;
  return {
    from: earliest > tomorrow ? earliest : tomorrow,
    to: addDaysToDate(latest, DAYS_AFTER_LESSON),
  };
}

/** Times at which the tutor usually teaches and nothing is booked. If there are many, returns those closest to the lesson. */
export function findFreeTimes(lesson: LocalSlot, schedule: Schedule): FreeTimes {
  const { from, to } = moveRange(lesson.date, schedule.today);
  const days: FreeTimes['days'] = [];
  for (let date = from; date <= to; date = addDaysToDate(date, 1)) {
    const startTimes = listCandidateTimes(lesson, date, schedule.hours)
      .filter((startTime) => isFree(lesson, { date, startTime }, schedule))
      .toSorted((a, b) => minutesApart(a, lesson) - minutesApart(b, lesson))
      .slice(0, MAX_TIMES);
    if (startTimes.length > 0) days.push({ date, startTimes: startTimes.toSorted() });
  }
  const nearest = days
    .toSorted((a, b) => daysApart(a.date, lesson) - daysApart(b.date, lesson))
    .slice(0, MAX_DAYS)
    .toSorted((a, b) => a.date.localeCompare(b.date));
  return { days: nearest, closest: findClosest(lesson, nearest) };
}

const daysApart = (date: string, lesson: LocalSlot): number =>
  Math.abs(dayNumber(date) - dayNumber(lesson.date));

const minutesApart = (startTime: string, lesson: LocalSlot): number =>
  Math.abs(minuteOfDay(startTime) - minuteOfDay(lesson.startTime));

function findClosest(lesson: LocalSlot, days: FreeTimes['days']): LessonStart | null {
  const starts = days.flatMap(({ date, startTimes }) =>
    startTimes.map((startTime) => ({ date, startTime })),
  );
  const distance = ({ date, startTime }: LessonStart) =>
    daysApart(date, lesson) * MINUTES_PER_DAY + minutesApart(startTime, lesson);
  return starts.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

const MINUTES_PER_DAY = 24 * 60;

const toTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The end of a lesson that keeps its length; null if it would be on the next day. */
export function endTimeIfMovedTo(lesson: LocalSlot, startTime: string): string | null {
  const end = minuteOfDay(startTime) + durationMinutes(lesson.startTime, lesson.endTime);
  return end < MINUTES_PER_DAY ? toTime(end) : null;
}

/**
 * Times on the hour or half hour, and the lesson's own start time, at which the lesson fits into the tutor's usual
 * hours.
 */
function listCandidateTimes(
  lesson: LocalSlot,
  date: string,
  hours: readonly UsualHours[],
): readonly string[] {
  const usual = hours.find((each) => each.weekday === weekday(date));
  if (!usual) return [];
  const first = Math.ceil(minuteOfDay(usual.startTime) / STEP_MINUTES) * STEP_MINUTES;
  const times = new Set([lesson.startTime]);
  for (let minutes = first; minutes < MINUTES_PER_DAY; minutes += STEP_MINUTES)
    times.add(toTime(minutes));
  return [...times].filter((startTime) => {
    const endTime = endTimeIfMovedTo(lesson, startTime);
    return startTime >= usual.startTime && endTime !== null && endTime <= usual.endTime;
  });
}

/** Compares instants because local times are ambiguous around a clock change. */
function isFree(lesson: LocalSlot, start: LessonStart, schedule: Schedule): boolean {
  const { timeZone, now, busy, timeOffRanges } = schedule;
  if (start.date === lesson.date && start.startTime === lesson.startTime) return false;
  const endTime = endTimeIfMovedTo(lesson, start.startTime);
  if (endTime === null || !existsInZone(timeZone, start.date, start.startTime)) return false;
  const slot = { ...start, endTime };
  const { startsAt, endsAt } = toInstants(timeZone, slot);
  return (
    startsAt.getTime() >= now.getTime() + MIN_NOTICE_MS &&
    !busy.some((other) => other.startsAt < endsAt && other.endsAt > startsAt) &&
    !timeOffRanges.some((timeOff) => coversSession(timeOff, slot))
  );
}
