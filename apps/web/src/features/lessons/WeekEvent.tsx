import type { SubjectColor } from '@lessonbook/contract/subjects';
import { ActionIcon } from '@mantine/core';
import { IconCheck, IconDotsVertical, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { formatTimeRange, splitLessonTitle } from '../../lib/format.ts';
import { subjectColorStyle } from '../subjects/shared/SubjectAvatar.tsx';
import classes from './WeekView.module.css';
import { boxStyle, type PlacedSession } from './week-layout.ts';

/** A shorter movement counts as a click. */
const DRAG_THRESHOLD_PX = 5;

interface DragOptions {
  enabled: boolean;
  onDrag: (dx: number, dy: number) => void;
  onDrop: () => void;
  /** Called on Escape or pointercancel. */
  onCancel: () => void;
}

/** Mouse only: touch is for scrolling, so touch screens use the menu instead. */
function useDrag({ enabled, onDrag, onDrop, onCancel }: DragOptions) {
  const dragStart = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const wasDropped = useRef(false);
  const cancel = useRef(onCancel);

  useEffect(() => {
    cancel.current = onCancel;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !dragStart.current) return;
      dragStart.current = null;
      cancel.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  if (!enabled) return {};
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      wasDropped.current = false;
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      dragStart.current = { x: event.clientX, y: event.clientY, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const origin = dragStart.current;
      if (!origin) return;
      const [dx, dy] = [event.clientX - origin.x, event.clientY - origin.y];
      if (!origin.moved && Math.hypot(dx, dy) < DRAG_THRESHOLD_PX) return;
      origin.moved = true;
      onDrag(dx, dy);
    },
    onPointerUp: () => {
      wasDropped.current = dragStart.current?.moved ?? false;
      dragStart.current = null;
      if (wasDropped.current) onDrop();
    },
    onPointerCancel: () => {
      dragStart.current = null;
      onCancel();
    },
    // The click that ends a drag must not open the session.
    onClick: (event: MouseEvent) => {
      if (wasDropped.current) event.preventDefault();
    },
  };
}

interface Props {
  placedSession: PlacedSession;
  /** The first visible minute of the day. */
  firstMinute: number;
  color: SubjectColor;
  isDragged: boolean;
  onDrag: (dx: number, dy: number) => void;
  onDrop: () => void;
  onCancel: () => void;
  onMove: () => void;
}

export function WeekEvent({
  placedSession,
  firstMinute,
  color,
  isDragged,
  onMove,
  ...drag
}: Props) {
  const { session, lane, laneCount } = placedSession;
  const canMove = session.status === 'scheduled';
  const { head, rest } = splitLessonTitle(session.title);
  const handlers = useDrag({ enabled: canMove, ...drag });
  const style = {
    ...subjectColorStyle(color),
    ...boxStyle(session, firstMinute),
    '--lane': lane,
    '--lanes': laneCount,
  } as CSSProperties;

  return (
    <div
      className={classes.event}
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
        {/* For screen readers. Visually the icon is enough, because a short box has no room for another line. */}
        <span className={classes.visuallyHidden}>
          {session.status === 'completed' && ', taught'}
          {session.status === 'cancelled' && ', cancelled'},{' '}
          {formatTimeRange(session.startTime, session.endTime)}
        </span>
      </Link>
      {canMove && (
        <DropdownMenu
          width={150}
          target={
            <ActionIcon
              className={classes.more}
              variant="transparent"
              size={24}
              aria-label={`More, ${session.title}`}
            >
              <IconDotsVertical size={15} stroke={2} />
            </ActionIcon>
          }
        >
          {(Menu) => <Menu.Item onClick={onMove}>Move…</Menu.Item>}
        </DropdownMenu>
      )}
    </div>
  );
}
