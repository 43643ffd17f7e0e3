import type { SessionRow } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { LessonTime } from '../../components/LessonRow.tsx';
import { RowLink } from '../../components/RowLink.tsx';
import { SessionState } from '../../components/SessionState.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { shortDate } from '../../lib/format.ts';
import classes from './SessionList.module.css';

/** A year of weekly lessons is long; the next few are what one looks for. */
const FEW = 6;

interface Props {
  heading: string;
  sessions: readonly SessionRow[];
  today: string;
  empty: string;
}

/** The dates of one lesson. */
export function SessionList({ heading, sessions, today, empty }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? sessions : sessions.slice(0, FEW);
  return (
    <Sheet heading={heading}>
      {sessions.length === 0 && <p className={classes.empty}>{empty}</p>}
      <ul>
        {shown.map((session) => (
          <li key={session.id} className={classes.row} data-status={session.status}>
            <LessonTime start={session.startTime} end={session.endTime} />
            <div className={classes.when}>
              <b>{shortDate(session.date, today)}</b>
              <SessionState session={session} />
            </div>
            <RowLink
              to="/sessions/$id"
              params={{ id: String(session.id) }}
              label="Details"
              of={shortDate(session.date, today)}
            />
          </li>
        ))}
      </ul>
      {sessions.length > shown.length && (
        <Button variant="subtle" onClick={() => setAll(true)}>
          Show all {sessions.length}
        </Button>
      )}
    </Sheet>
  );
}
