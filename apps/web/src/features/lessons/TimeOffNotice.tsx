import { isDate } from '@lessonbook/contract/dates';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { IconAlertTriangle, IconBeach } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { formatShortDate, formatTimeRange } from '../../lib/format.ts';
import { useToday } from '../accounts/api.ts';
import overlapClasses from './OverlapAndConflictWarnings.module.css';
import classes from './TimeOffNotice.module.css';
import type { TimeSlot } from './time-off-in-calendar.ts';
import { timeOffDuring, timeOffLabel } from './time-off-in-calendar.ts';
import { timeOffBetweenQuery } from './use-month-sessions.ts';

/** The tutor's time off during the time entered in a form. */
export function useTimeOffDuring(slot: TimeSlot): TimeOff[] {
  const { data } = useQuery({
    ...timeOffBetweenQuery(slot.date, slot.date),
    enabled: isDate(slot.date),
  });
  return timeOffDuring(data ?? [], slot);
}

/** 'Half-term, Mon 26 Oct to Fri 30 Oct', or 'Dentist, Thu 19 Nov, 13:00–15:45' */
function formatTimeOff(entry: TimeOff, today: string): string {
  const { fromDate, toDate, startTime, endTime } = entry;
  const from = formatShortDate(fromDate, today);
  const dates = fromDate === toDate ? from : `${from} to ${formatShortDate(toDate, today)}`;
  const hours = startTime && endTime ? `, ${formatTimeRange(startTime, endTime)}` : '';
  return `${timeOffLabel(entry)}, ${dates}${hours}`;
}

export function TimeOffDetails({ timeOff }: { timeOff: readonly TimeOff[] }) {
  const today = useToday();
  return (
    <ul className={overlapClasses.list}>
      {timeOff.map((entry) => (
        <li key={entry.id}>{formatTimeOff(entry, today)}</li>
      ))}
    </ul>
  );
}

/** A lesson during time off is allowed, but shown before submitting, like an overlap. */
export function TimeOffHint({ timeOff }: { timeOff: readonly TimeOff[] }) {
  if (timeOff.length === 0) return null;
  return (
    <div className={overlapClasses.warning} role="status">
      <p>
        <IconAlertTriangle size={18} stroke={1.8} />
        During your time off:
      </p>
      <TimeOffDetails timeOff={timeOff} />
    </div>
  );
}

/** The time off of one day, above its lessons. */
export function DayTimeOff({ timeOff }: { timeOff: readonly TimeOff[] }) {
  if (timeOff.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Time off">
      {timeOff.map((entry) => (
        <li key={entry.id}>
          <IconBeach size={17} stroke={1.8} aria-hidden="true" />
          <b>{timeOffLabel(entry)}</b>
          <span>
            {entry.startTime && entry.endTime
              ? formatTimeRange(entry.startTime, entry.endTime)
              : 'All day'}
          </span>
        </li>
      ))}
    </ul>
  );
}
