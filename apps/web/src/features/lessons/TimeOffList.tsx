import type { TimeOff } from '@lessonbook/contract/time-off';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { pluralize } from '../../lib/format.ts';
import { formatTimeOff, RemoveTimeOffModal } from './RemoveTimeOffModal.tsx';
import classes from './TimeOffList.module.css';

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
      <RemoveTimeOffModal
        timeOff={timeOffToRemove}
        today={today}
        onClose={() => setTimeOffToRemove(null)}
      />
    </>
  );
}
