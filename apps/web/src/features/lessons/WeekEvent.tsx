import { isOnlinePlace } from '@lessonbook/contract/detect-online-place';
import {
  groupSize,
  isGroup,
  lessonSubtitle,
  shortLessonName,
} from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { IconCheck, IconUsers, IconVideo, IconX } from '@tabler/icons-react';
import type { CSSProperties, MouseEvent } from 'react';
import { formatTimeRange, pluralize } from '../../lib/format.ts';
import { subjectColorStyle } from '../subjects/shared/SubjectAvatar.tsx';
import { useDrag } from './use-drag.ts';
import classes from './WeekView.module.css';
import { boxStyle, type PlacedSession } from './week-layout.ts';

export type DragKind = 'move' | 'resize';

interface Props {
  placedSession: PlacedSession;
  /** The first visible minute of the day. */
  firstMinute: number;
  color: SubjectColor;
  /** Ended, but not completed or cancelled. */
  isDue: boolean;
  isDragged: boolean;
  /** One event of the week can be reached by Tab; the arrow keys lead to the others. */
  isTabStop: boolean;
  onDrag: (kind: DragKind, dx: number, dy: number) => void;
  onDrop: () => void;
  onCancel: () => void;
  onOpen: (session: SessionRow) => void;
}

/** A lesson in the week. A link, so that it can be opened in a new tab; a plain click opens its popover. */
export function WeekEvent({ placedSession, firstMinute, color, onDrag, onOpen, ...props }: Props) {
  const { session, lane, laneCount } = placedSession;
  const { onDrop, onCancel } = props;
  const canMove = session.status === 'scheduled';
  const moveHandlers = useDrag({
    enabled: canMove,
    onDrag: (dx, dy) => onDrag('move', dx, dy),
    onDrop,
    onCancel,
  });
  const resizeHandlers = useDrag({
    enabled: canMove,
    onDrag: (dx, dy) => onDrag('resize', dx, dy),
    onDrop,
    onCancel,
  });
  const style = {
    ...subjectColorStyle(color),
    ...boxStyle(session, firstMinute),
    '--lane': lane,
    '--lanes': laneCount,
  } as CSSProperties;

  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(session);
  }

  return (
    <div
      className={classes.event}
      style={style}
      data-status={session.status}
      data-due={props.isDue || undefined}
      data-group={isGroup(session) || undefined}
      data-narrow={laneCount > 1 || undefined}
      data-dragged={props.isDragged || undefined}
    >
      {/* Not a router link: a week has dozens of them, and a click opens the popover. */}
      <a
        href={`/sessions/${session.id}`}
        className={classes.link}
        draggable={false}
        data-event={session.id}
        tabIndex={props.isTabStop ? 0 : -1}
        aria-haspopup="dialog"
        {...moveHandlers}
        onClick={open}
      >
        <span className={classes.title}>
          <b>
            {laneCount > 1 || isGroup(session) ? shortLessonName(session) : session.studentName}
          </b>
          <EventIcons session={session} />
        </span>
        <small>
          {session.status === 'cancelled' && 'Cancelled, '}
          {lessonSubtitle(session)}
        </small>
        {/* For screen readers. Visually the icon is enough, because a short box has no room for another line. */}
        <span className={classes.visuallyHidden}>
          {session.status === 'completed' && ', completed'}
          {props.isDue && ', not completed yet'}
          {isGroup(session) && `, ${pluralize(groupSize(session), 'student')}`},{' '}
          {formatTimeRange(session.startTime, session.endTime)}
        </span>
      </a>
      {canMove && <span className={classes.handle} aria-hidden="true" {...resizeHandlers} />}
    </div>
  );
}

function EventIcons({ session }: { session: SessionRow }) {
  const { status } = session;
  return (
    <span className={classes.icons} aria-hidden="true">
      {status === 'completed' && <IconCheck size={13} stroke={2.6} />}
      {status === 'cancelled' && <IconX size={13} stroke={2.2} />}
      {isOnlinePlace(session.place) && <IconVideo size={13} stroke={2} />}
      {isGroup(session) && (
        <>
          <IconUsers size={13} stroke={2} />
          {groupSize(session)}
        </>
      )}
    </span>
  );
}
