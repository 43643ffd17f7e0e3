import type { SessionRow } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { formatShortDate } from '../../lib/format.ts';
import classes from './SessionList.module.css';
import { LessonTime, RowAction } from './shared/LessonRow.tsx';
import { SessionStatus } from './shared/SessionStatus.tsx';

const INITIALLY_SHOWN = 6;

interface Props {
  heading: string;
  sessions: readonly SessionRow[];
  today: string;
  empty: string;
}

/** The sessions of one lesson. */
export function SessionList({ heading, sessions, today, empty }: Props) {
  const [showAll, setShowAll] = useState(false);
  const visibleSessions = showAll ? sessions : sessions.slice(0, INITIALLY_SHOWN);
  return (
    <Card heading={heading}>
      {sessions.length === 0 && <p className={classes.empty}>{empty}</p>}
      <ul>
        {visibleSessions.map((session) => (
          <li key={session.id} className={classes.row} data-status={session.status}>
            <LessonTime start={session.startTime} end={session.endTime} />
            <div className={classes.date}>
              <b>{formatShortDate(session.date, today)}</b>
              <SessionStatus session={session} />
            </div>
            <RowAction
              to="/sessions/$id"
              params={{ id: String(session.id) }}
              label="Details"
              itemName={formatShortDate(session.date, today)}
            />
          </li>
        ))}
      </ul>
      {sessions.length > visibleSessions.length && (
        <Button variant="subtle" onClick={() => setShowAll(true)}>
          Show all {sessions.length}
        </Button>
      )}
    </Card>
  );
}
