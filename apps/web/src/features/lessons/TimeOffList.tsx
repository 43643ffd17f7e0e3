import type { TimeOff } from '@lessonbook/contract/time-off';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { pluralize } from '../../lib/format.ts';
import { formatTimeOff, RemoveTimeOffModal } from './RemoveTimeOffModal.tsx';
import classes from './TimeOffList.module.css';

export function TimeOffList({ list, today }: { list: readonly TimeOff[]; today: string }) {
  const [removing, setRemoving] = useState<TimeOff | null>(null);
  return (
    <>
      <ul>
        {list.map((off) => (
          <li key={off.id} className={classes.row}>
            <div className={classes.what}>
              <b>{formatTimeOff(off, today)}</b>
              <small>
                {[
                  off.reason,
                  off.cancelled > 0 && `${pluralize(off.cancelled, 'lesson')} cancelled`,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </div>
            <Button
              variant="subtle"
              size="sm"
              aria-label={`Remove, ${formatTimeOff(off, today)}`}
              onClick={() => setRemoving(off)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <RemoveTimeOffModal off={removing} today={today} onClose={() => setRemoving(null)} />
    </>
  );
}
