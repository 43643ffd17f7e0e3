import type { SubjectColor } from '@lessonbook/contract/subjects';
import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconDotsVertical, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { splitLessonTitle, timeRange } from '../../lib/format.ts';
import { subjectColorStyle } from '../subjects/shared/SubjectAvatar.tsx';
import classes from './WeekView.module.css';
import { boxStyle, type PlacedSession } from './week-layout.ts';

/** Less than this is a click. */
const DRAG_THRESHOLD_PX = 5;

interface DragOptions {
  enabled: boolean;
  onDrag: (dx: number, dy: number) => void;
  onDrop: () => void;
  /** Escape, or the browser took the pointer away. */
  onCancel: () => void;
}

/** Dragging with a mouse. A finger scrolls, so on touch screens the menu is the way. */
function useDrag({ enabled, onDrag, onDrop, onCancel }: DragOptions) {
  const start = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const dropped = useRef(false);
  const cancel = useRef(onCancel);

  useEffect(() => {
    cancel.current = onCancel;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !start.current) return;
      start.current = null;
      cancel.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  if (!enabled) return {};
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      dropped.current = false;
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      start.current = { x: event.clientX, y: event.clientY, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.moved && Math.hypot(dx, dy) < DRAG_THRESHOLD_PX) return;
      from.moved = true;
      onDrag(dx, dy);
    },
    onPointerUp: () => {
      dropped.current = start.current?.moved ?? false;
      start.current = null;
      if (dropped.current) onDrop();
    },
    onPointerCancel: () => {
      start.current = null;
      onCancel();
    },
    // The click that ends a drag must not open the lesson.
    onClick: (event: MouseEvent) => {
      if (dropped.current) event.preventDefault();
    },
  };
}

interface Props {
  placed: PlacedSession;
  /** The first minute of the board. */
  from: number;
  tone: SubjectColor;
  isDragged: boolean;
  onDrag: (dx: number, dy: number) => void;
  onDrop: () => void;
  onCancel: () => void;
  onMove: () => void;
}

export function WeekEvent({ placed, from, tone, isDragged, onMove, ...drag }: Props) {
  const { session, lane, lanes } = placed;
  const canMove = session.status === 'scheduled';
  const { head, rest } = splitLessonTitle(session.title);
  const handlers = useDrag({ enabled: canMove, ...drag });
  const style = {
    ...subjectColorStyle(tone),
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
