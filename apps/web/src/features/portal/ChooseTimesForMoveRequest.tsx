import { durationMinutes } from '@lessonbook/contract/dates';
import { formatTime12 } from '@lessonbook/contract/format-time';
import type { FreeTimes, LessonStart } from '@lessonbook/contract/move-requests';
import type { PortalLesson, PortalLessons } from '@lessonbook/contract/portal';
import { IconCalendarEvent, IconClock, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { formatShortDate, formatWeekdayAndDate, shortWeekdayName } from '../../lib/format.ts';
import classes from './AskToMoveSheet.module.css';
import { formatOwnStart, formatStart } from './portal-format.ts';

export interface TimeValues {
  /** Null selects the closest time. */
  first: LessonStart | null;
  second: LessonStart | null;
}

export const isFree = ({ date, startTime }: LessonStart, { days }: FreeTimes): boolean =>
  days.some((day) => day.date === date && day.startTimes.includes(startTime));

interface Props {
  lesson: PortalLesson;
  page: PortalLessons;
  today: string;
  free: FreeTimes;
  values: TimeValues;
  onChange: (values: TimeValues) => void;
}

/** The free times by day, with the closest one chosen, and a second choice. */
export function ChooseTimesForMoveRequest({ lesson, page, today, free, values, onChange }: Props) {
  const id = useId();
  const { days, closest } = free;
  const first = values.first && isFree(values.first, free) ? values.first : closest;
  const day = days.find(({ date }) => date === first?.date);

  function choose(start: LessonStart) {
    const isSame = values.second !== null && keyOf(values.second) === keyOf(start);
    onChange({ first: start, second: isSame ? null : values.second });
  }

  return (
    <>
      <fieldset className={classes.days}>
        <legend>{page.tutorName} is free on</legend>
        {days.map(({ date, startTimes }) => (
          <label key={date}>
            <input
              type="radio"
              name={`${id}-day`}
              aria-label={formatWeekdayAndDate(date)}
              checked={date === day?.date}
              onChange={() =>
                choose({ date, startTime: closestStartTime(startTimes, lesson.startTime) })
              }
            />
            <small>{shortWeekdayName(date)}</small>
            <b>{Number(date.slice(8))}</b>
          </label>
        ))}
      </fieldset>
      {day && (
        <fieldset className={classes.times}>
          <legend>{formatWeekdayAndDate(day.date)}</legend>
          {day.startTimes.map((startTime) => {
            const ownTime = formatOwnStart({ date: day.date, startTime }, page);
            return (
              <label key={startTime} data-wide={ownTime !== null || undefined}>
                <input
                  type="radio"
                  name={`${id}-time`}
                  checked={startTime === first?.startTime}
                  onChange={() => choose({ date: day.date, startTime })}
                />
                <b>{formatTime12(startTime)}</b> {ownTime && <small>{ownTime}</small>}
              </label>
            );
          })}
          {closest?.date === day.date && (
            <p>
              <IconClock size={18} stroke={1.8} aria-hidden />
              {formatTime12(closest.startTime)} is closest to {lesson.studentName}'s usual time.
            </p>
          )}
        </fieldset>
      )}
      {first && (
        <SecondChoice
          {...{ page, today, free, first }}
          value={values.second}
          onChange={(second) => onChange({ first, second })}
        />
      )}
    </>
  );
}

interface SecondProps extends Pick<Props, 'page' | 'today' | 'free'> {
  first: LessonStart;
  value: LessonStart | null;
  onChange: (start: LessonStart | null) => void;
}

function SecondChoice({ page, today, free, first, value, onChange }: SecondProps) {
  const id = useId();
  const starts = free.days.map(({ date, startTimes }) => ({
    date,
    starts: startTimes
      .map((startTime) => ({ date, startTime }))
      .filter((start) => keyOf(start) !== keyOf(first)),
  }));
  const all = starts.flatMap((ofDay) => ofDay.starts);
  if (all.length === 0) return null;
  const shown = value && isFree(value, free) ? keyOf(value) : '';
  return (
    <div className={classes.field}>
      <label htmlFor={id}>Second choice (optional)</label>
      <div className={classes.select}>
        <IconCalendarEvent size={20} stroke={1.8} aria-hidden />
        <select
          id={id}
          value={shown}
          onChange={({ currentTarget }) =>
            onChange(all.find((start) => keyOf(start) === currentTarget.value) ?? null)
          }
        >
          <option value="">None</option>
          {starts.map((ofDay) => (
            <optgroup key={ofDay.date} label={formatShortDate(ofDay.date, today)}>
              {ofDay.starts.map((start) => (
                <option key={keyOf(start)} value={keyOf(start)}>
                  {formatStart(start, page, today)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        {shown !== '' && (
          <button
            type="button"
            aria-label="Remove the second choice"
            onClick={() => onChange(null)}
          >
            <IconX size={18} stroke={1.8} />
          </button>
        )}
      </div>
    </div>
  );
}

const keyOf = ({ date, startTime }: LessonStart): string => `${date} ${startTime}`;

/** The start time that is closest to the lesson's usual one. */
const closestStartTime = (startTimes: readonly string[], usual: string): string => {
  const distance = (time: string) => Math.abs(durationMinutes(usual, time));
  return startTimes.toSorted((a, b) => distance(a) - distance(b))[0] ?? usual;
};
