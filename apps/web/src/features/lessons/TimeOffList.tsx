import type { TimeOff } from '@lessonbook/contract/time-off';
import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { formatShortDate, formatTimeRange, pluralize } from '../../lib/format.ts';
import classes from './TimeOffList.module.css';

const RemoveTimeOffModal = lazy(async () => ({
  default: (await import('./RemoveTimeOffModal.tsx')).RemoveTimeOffModal,
}));

/** 'Mon 21 Dec to Fri 1 Jan 2027', 'Tue 17 Nov, 09:00–12:00' */
function formatTimeOff(timeOff: TimeOff, today: string): string {
  const days =
    timeOff.fromDate === timeOff.toDate
      ? formatShortDate(timeOff.fromDate, today)
      : `${formatShortDate(timeOff.fromDate, today)} to ${formatShortDate(timeOff.toDate, today)}`;
  return timeOff.startTime && timeOff.endTime
    ? `${days}, ${formatTimeRange(timeOff.startTime, timeOff.endTime)}`
    : days;
}

export function TimeOffList({ list, today }: { list: readonly TimeOff[]; today: string }) {
  const [timeOffToRemove, setTimeOffToRemove] = useState<TimeOff | null>(null);
  return (
    <>
      <ul>
        {list.map((timeOff) => (
          <li key={timeOff.id} className={classes.row}>
            <div className={classes.details}>
              <b>{formatTimeOff(timeOff, today)}</b>
              <small>
                {[
                  timeOff.reason,
                  timeOff.restorableSessions > 0 &&
                    `${pluralize(timeOff.restorableSessions, 'lesson')} cancelled`,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </div>
            <Button
              variant="subtle"
              size="sm"
              aria-label={`Remove, ${formatTimeOff(timeOff, today)}`}
              onClick={() => setTimeOffToRemove(timeOff)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <LazyMount opened={timeOffToRemove !== null}>
        <RemoveTimeOffModal
          timeOff={timeOffToRemove}
          describe={(timeOff) => formatTimeOff(timeOff, today)}
          onClose={() => setTimeOffToRemove(null)}
        />
      </LazyMount>
    </>
  );
}
