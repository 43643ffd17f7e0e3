import type { SessionRow } from '@lessonbook/contract/sessions';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDotsVertical, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DayHeading } from '../../components/DayHeading.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { DayList } from './DayList.tsx';
import classes from './DayPanel.module.css';
import type { ToneOf } from './tones.ts';

interface Props {
  date: string;
  today: string;
  /** Not there yet, or not to be had. */
  sessions: readonly SessionRow[] | 'loading' | 'failed';
  toneOf: ToneOf;
  onNew: () => void;
  onRetry: () => void;
}

export function DayPanel({ date, today, sessions, toneOf, onNew, onRetry }: Props) {
  const known = typeof sessions !== 'string' && sessions.length > 0;
  return (
    <Sheet>
      <div className={classes.head}>
        <DayHeading over="Upcoming Lessons" date={date} today={today} />
        {known && sessions.some(({ status }) => status === 'scheduled') && <DayMenu date={date} />}
        <ActionIcon
          variant="light"
          size={42}
          radius="md"
          aria-label="New lesson on this day"
          onClick={onNew}
        >
          <IconPlus size={20} stroke={2.2} />
        </ActionIcon>
      </div>
      {sessions === 'loading' && <RowSkeleton rows={3} />}
      {sessions === 'failed' && (
        <LoadError onRetry={onRetry}>The lessons of this day could not be loaded.</LoadError>
      )}
      {typeof sessions !== 'string' && (
        <DayList sessions={sessions} toneOf={toneOf} onNew={onNew} />
      )}
    </Sheet>
  );
}

function DayMenu({ date }: { date: string }) {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={42}
          radius="md"
          aria-label="More for this day"
        >
          <IconDotsVertical size={19} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item renderRoot={(props) => <Link to="/sessions" search={{ date }} {...props} />}>
          View as table
        </Menu.Item>
        <Menu.Item
          renderRoot={(props) => <Link to="/settings/time-off" search={{ date }} {...props} />}
        >
          Cancel my day
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
