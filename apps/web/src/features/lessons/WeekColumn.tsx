import { minuteOfDay } from '@lessonbook/contract/dates';
import { shortLessonName } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { type CSSProperties, type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { formatShortDate, formatTimeRange } from '../../lib/format.ts';
import type { LessonSlot } from './NewLessonDialogHost.tsx';
import type { SessionModal } from './SessionModals.tsx';
import { isDue } from './shared/session-timing.ts';
import type { LocalTime } from './shared/use-now.ts';
import { TimeOffTag } from './TimeOffTag.tsx';
import type { TimeSlot } from './time-off-in-calendar.ts';
import { timeOffDuring, timeOffLabel } from './time-off-in-calendar.ts';
import { useDrag } from './use-drag.ts';
import type { ColorOf } from './use-session-colors.ts';
import { type DragKind, WeekEvent } from './WeekEvent.tsx';
import { WeekEventPopover } from './WeekEventPopover.tsx';
import classes from './WeekView.module.css';
import { type DraggedLesson, slotAt, slotBetween } from './week-drag-times.ts';
import { boxStyle, layoutDay } from './week-layout.ts';

interface Props {
  day: string;
  today: string;
  now: LocalTime;
  /** The visible minutes of the day. */
  range: { from: number; to: number };
  hourPx: number;
  sessions: readonly SessionRow[];
  timeOff: readonly TimeOff[];
  colorOf: ColorOf;
  dragged: DraggedLesson | null;
  openId: number | null;
  tabStopId: number | null;
  onNew: (slot: LessonSlot) => void;
  onDrag: (session: SessionRow, kind: DragKind, dx: number, dy: number) => void;
  onDrop: () => void;
  onCancel: () => void;
  onOpen: (session: SessionRow) => void;
  onClose: () => void;
  onAction: (session: SessionRow, modal: SessionModal) => void;
}

/** One day of the week view. */
export function WeekColumn({ day, today, now, range, hourPx, onNew, ...props }: Props) {
  const { sessions, timeOff, dragged, openId } = props;
  const opened = sessions.find(({ id }) => id === openId);
  const { newSlot, ...slotHandlers } = useNewSlot({ day, firstMinute: range.from, hourPx, onNew });
  return (
    // A shortcut for the mouse; the 'New Lesson' button does the same for keyboards.
    <div data-column={day} className={classes.column} {...slotHandlers}>
      {timeOff.map((entry) => (
        <TimeOffBlock key={entry.id} entry={entry} range={range} />
      ))}
      {/* Behind the lessons, so that it does not strike out a name. */}
      {day === now.date && <NowLine time={now.time} range={range} />}
      {layoutDay(sessions).map((placedSession) => (
        <WeekEvent
          key={placedSession.session.id}
          placedSession={placedSession}
          firstMinute={range.from}
          color={props.colorOf(placedSession.session)}
          isDue={isDue(placedSession.session, now)}
          isDragged={dragged?.session.id === placedSession.session.id}
          isTabStop={props.tabStopId === placedSession.session.id}
          onDrag={(kind, dx, dy) => props.onDrag(placedSession.session, kind, dx, dy)}
          onDrop={props.onDrop}
          onCancel={props.onCancel}
          onOpen={props.onOpen}
        />
      ))}
      {dragged?.to.date === day && (
        <DropPreview
          dragged={dragged}
          firstMinute={range.from}
          today={today}
          conflict={findConflict(dragged, sessions, timeOff)}
        />
      )}
      {newSlot && (
        <div className={classes.dropPreview} style={boxStyle(newSlot, range.from)}>
          {formatTimeRange(newSlot.startTime, newSlot.endTime)}
        </div>
      )}
      {opened && (
        <WeekEventPopover
          session={opened}
          today={today}
          style={boxStyle(opened, range.from)}
          onAction={(modal) => props.onAction(opened, modal)}
          onClose={props.onClose}
        />
      )}
    </div>
  );
}

/** A click adds a lesson of one hour; dragging sets its length. */
function useNewSlot({ day, firstMinute, hourPx, onNew }: NewSlotOptions) {
  const startMinute = useRef(0);
  const [newSlot, setNewSlot] = useState<TimeSlot | null>(null);
  const minuteAt = (event: MouseEvent<HTMLElement>) => {
    const { top } = event.currentTarget.getBoundingClientRect();
    return firstMinute + ((event.clientY - top) / hourPx) * 60;
  };
  const { onPointerDown, ...dragHandlers } = useDrag({
    enabled: true,
    onDrag: (_, dy) => {
      const slot = slotBetween(startMinute.current, startMinute.current + (dy / hourPx) * 60);
      setNewSlot({ date: day, ...slot });
    },
    onDrop: () => {
      setNewSlot(null);
      if (newSlot) onNew(newSlot);
    },
    onCancel: () => setNewSlot(null),
  });
  return {
    newSlot,
    ...dragHandlers,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.target !== event.currentTarget) return;
      startMinute.current = minuteAt(event);
      onPointerDown?.(event);
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (event.target !== event.currentTarget) return;
      onNew({ date: day, ...slotAt(minuteAt(event)) });
    },
  };
}

interface NewSlotOptions {
  day: string;
  firstMinute: number;
  hourPx: number;
  onNew: (slot: LessonSlot) => void;
}

/** Covers the visible part of the time off, which may be the whole day. */
function TimeOffBlock({ entry, range }: { entry: TimeOff; range: Props['range'] }) {
  const start = Math.max(entry.startTime ? minuteOfDay(entry.startTime) : 0, range.from);
  const end = Math.min(entry.endTime ? minuteOfDay(entry.endTime) : range.to, range.to);
  if (end <= start) return null;
  const style = {
    '--start': (start - range.from) / 60,
    '--length': (end - start) / 60,
  } as CSSProperties;
  return (
    <div className={classes.timeOff} style={style}>
      <TimeOffTag entry={entry} />
    </div>
  );
}

/** Describes the lesson or time off at the new time of a dragged lesson; undefined if the time is free. */
function findConflict(
  { session, to }: DraggedLesson,
  sessions: readonly SessionRow[],
  timeOff: readonly TimeOff[],
): string | undefined {
  const other = sessions.find(
    ({ id, status, startTime, endTime }) =>
      id !== session.id &&
      status === 'scheduled' &&
      startTime < to.endTime &&
      endTime > to.startTime,
  );
  if (other) return `${shortLessonName(other)} is at ${other.startTime.slice(0, 5)}`;
  const [entry] = timeOffDuring(timeOff, to);
  return entry && timeOffLabel(entry);
}

interface DropPreviewProps {
  dragged: DraggedLesson;
  firstMinute: number;
  today: string;
  conflict: string | undefined;
}

/** Where the dragged lesson would land, and whether the time is free. */
function DropPreview({ dragged: { to }, firstMinute, today, conflict }: DropPreviewProps) {
  return (
    <div className={classes.dropPreview} style={boxStyle(to, firstMinute)}>
      {formatTimeRange(to.startTime, to.endTime)}
      <span className={classes.tip} data-conflict={conflict !== undefined || undefined}>
        {formatShortDate(to.date, today)}, {to.startTime.slice(0, 5)}, {conflict ?? 'free'}
      </span>
    </div>
  );
}

function NowLine({ time, range }: { time: string; range: Props['range'] }) {
  const minute = minuteOfDay(time);
  if (minute < range.from || minute > range.to) return null;
  return (
    <div
      className={classes.now}
      style={{ '--start': (minute - range.from) / 60 } as CSSProperties}
      aria-hidden="true"
    />
  );
}
