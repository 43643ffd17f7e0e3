import type { Tone } from '@lessonbook/contract/subjects';
import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconDotsVertical, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { toneStyle } from '../../components/ToneSquare.tsx';
import { timeRange, titleParts } from '../../lib/format.ts';
import { useDrag } from './drag.ts';
import classes from './WeekBoard.module.css';
import { boxStyle, type Placed } from './week-layout.ts';

interface Props {
  placed: Placed;
  /** The first minute of the board. */
  from: number;
  tone: Tone;
  isDragged: boolean;
  onDrag: (dx: number, dy: number) => void;
  onDrop: () => void;
  onGiveUp: () => void;
  onMove: () => void;
}

export function WeekLesson({ placed, from, tone, isDragged, onMove, ...drag }: Props) {
  const { session, lane, lanes } = placed;
  const canMove = session.status === 'scheduled';
  const { head, rest } = titleParts(session.title);
  const handlers = useDrag({ enabled: canMove, ...drag });
  const style = {
    ...toneStyle(tone),
    ...boxStyle(session, from),
    '--lane': lane,
    '--lanes': lanes,
  } as CSSProperties;

  return (
    <div
      className={classes.lesson}
      style={style}
      data-status={session.status}
      data-dragged={isDragged || undefined}
    >
      <Link
        to="/sessions/$id"
        params={{ id: String(session.id) }}
        className={classes.link}
        draggable={false}
        {...handlers}
      >
        <b>{head}</b>
        <small>
          {session.status === 'completed' && <IconCheck size={13} stroke={2.6} />}
          {session.status === 'cancelled' && <IconX size={13} stroke={2.2} />}
          {rest || session.subjectName}
        </small>
        {/* The sign says it to the eye: in the box of a short lesson a second line would be cut off. */}
        <span className={classes.spoken}>
          {session.status === 'completed' && ', taught'}
          {session.status === 'cancelled' && ', cancelled'},{' '}
          {timeRange(session.startTime, session.endTime)}
        </span>
      </Link>
      {canMove && (
        <Menu position="bottom-end" width={150}>
          <Menu.Target>
            <ActionIcon
              className={classes.more}
              variant="transparent"
              size={24}
              aria-label={`More, ${session.title}`}
            >
              <IconDotsVertical size={15} stroke={2} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={onMove}>Move…</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
