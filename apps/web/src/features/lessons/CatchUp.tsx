import type { SessionRow } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { money, nearDate } from '../../lib/format.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { useCompleteSessions } from './api.ts';
import classes from './CatchUp.module.css';
import { CatchUpRow } from './CatchUpRow.tsx';
import { chargedFor, grouped, type Tick, type Ticks, usual } from './catch-up.ts';
import type { ToneOf } from './tones.ts';

interface Props {
  /** The lesson the tutor came from: its sessions stand first. */
  lessonId: number;
  due: readonly SessionRow[];
  today: string;
  toneOf: ToneOf;
}

/** Everything that waits to be ticked off, ticked beforehand: one press completes it all. */
export function CatchUp({ lessonId, due, today, toneOf }: Props) {
  const [ticks, setTicks] = useState<Ticks>({});
  const complete = useCompleteSessions();
  useUnsaved(due.some(({ id }) => (ticks[id] ?? usual).notes.trim() !== ''));
  const ticked = due.filter(({ id }) => (ticks[id] ?? usual).ticked);
  const amounts = chargedFor(ticked, ticks).map(({ minor, currency }) => money(minor, currency));

  const change = (id: number, part: Partial<Tick>) =>
    setTicks((before) => ({ ...before, [id]: { ...(before[id] ?? usual), ...part } }));

  function completeAll() {
    complete.mutate({
      body: {
        sessions: ticked.map(({ id }) => {
          const { attendance, charge, notes } = ticks[id] ?? usual;
          return { id, attendance, charge, ...(notes.trim() && { notes }) };
        }),
      },
    });
  }

  return (
    <>
      <Sheet>
        {grouped(due, lessonId).map(({ key, date, own, sessions }) => (
          <section key={key} className={classes.day}>
            <h2>{heading(date, own, today)}</h2>
            <ul>
              {sessions.map((session) => (
                <CatchUpRow
                  key={session.id}
                  session={session}
                  tone={toneOf(session)}
                  tick={ticks[session.id] ?? usual}
                  onChange={(part) => change(session.id, part)}
                />
              ))}
            </ul>
          </section>
        ))}
      </Sheet>
      <div className={classes.foot}>
        <Button
          fullWidth
          size="lg"
          disabled={ticked.length === 0 || complete.isPending}
          onClick={completeAll}
        >
          {complete.isPending ? 'Saving...' : [`Complete ${ticked.length}`, ...amounts].join(', ')}
        </Button>
      </div>
    </>
  );
}

function heading(date: string, own: boolean, today: string): string {
  const day = nearDate(date, today);
  const words = day.charAt(0).toUpperCase() + day.slice(1);
  return own ? `${words}, this lesson` : words;
}
