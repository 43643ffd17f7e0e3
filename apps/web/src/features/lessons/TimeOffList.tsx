import type { TimeOff } from '@lessonbook/contract/time-off';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { RemoveTimeOff } from './RemoveTimeOff.tsx';
import classes from './TimeOffList.module.css';
import { timeOffInWords } from './time-off-words.ts';

export function TimeOffList({ list, today }: { list: readonly TimeOff[]; today: string }) {
  const [removing, setRemoving] = useState<TimeOff | null>(null);
  return (
    <>
      <ul>
        {list.map((off) => (
          <li key={off.id} className={classes.row}>
            <div className={classes.what}>
              <b>{timeOffInWords(off, today)}</b>
              <small>
                {[off.reason, off.cancelled > 0 && `${count(off.cancelled, 'lesson')} cancelled`]
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </div>
            <Button
              variant="subtle"
              size="sm"
              aria-label={`Remove, ${timeOffInWords(off, today)}`}
              onClick={() => setRemoving(off)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <RemoveTimeOff off={removing} today={today} onClose={() => setRemoving(null)} />
    </>
  );
}
