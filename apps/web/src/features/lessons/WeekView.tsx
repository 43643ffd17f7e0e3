import { minuteOfDay } from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, type KeyboardEvent, lazy, useRef, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { formatLongDate, shortWeekdayName } from '../../lib/format.ts';
import { toastError } from '../../lib/toast.ts';
import { lessonQuery, sessionQuery } from './api.ts';
import { type SessionsByDay, weekDays } from './calendar-and-series-dates.ts';
import type { LessonSlot } from './NewLessonDialogHost.tsx';
import type { SessionModal } from './SessionModals.tsx';
import { useNow } from './shared/use-now.ts';
import { type TimeSlot, timeOffOn, timeOffSuffix } from './time-off-in-calendar.ts';
import type { ColorOf } from './use-session-colors.ts';
import { WeekColumn } from './WeekColumn.tsx';
import type { DragKind } from './WeekEvent.tsx';
import type { WeekModal } from './WeekModals.tsx';
import classes from './WeekView.module.css';
import { type DraggedLesson, dropTime, resizeTime, toTime } from './week-drag-times.ts';
import { nextEventForKey } from './week-keyboard-navigation.ts';
import { visibleHours } from './week-layout.ts';

const WeekModals = lazy(async () => ({ default: (await import('./WeekModals.tsx')).WeekModals }));

/** The height of an hour, in pixels. */
const HOUR_PX = 52;
const TABLET_HOUR_PX = 60;

interface Props {
  date: string;
  today: string;
  timeZone: string;
  days: SessionsByDay;
  timeOff: readonly TimeOff[];
  colorOf: ColorOf;
  onNew: (slot: LessonSlot) => void;
}

/** Monday to Sunday, hour by hour. Lessons can be moved and resized by dragging; dragging over free time adds one. */
export function WeekView({ date, today, timeZone, days, timeOff, colorOf, onNew }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const now = useNow(timeZone, today);
  const client = useQueryClient();
  const isTablet = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
  const hourPx = isTablet ? TABLET_HOUR_PX : HOUR_PX;
  const [dragged, setDragged] = useState<DraggedLesson | null>(null);
  const [openId, setOpenId] = useState<number | null>(null);
  const [focusedId, setFocusedId] = useState<number | null>(null);
  const [modal, setModal] = useState<WeekModal | null>(null);

  const week = weekDays(date);
  const columns = week.map((day) =>
    (days.get(day) ?? []).filter(({ status }) => status !== 'rescheduled'),
  );
  const sessions = columns.flat();
  const { from, to } = visibleHours(sessions);
  const hours = Array.from({ length: (to - from) / 60 }, (_, hour) => from + hour * 60);
  const nowMinute = minuteOfDay(now.time);
  const tabStopId = sessions.some(({ id }) => id === focusedId) ? focusedId : sessions[0]?.id;

  function drag(session: SessionRow, kind: DragKind, dx: number, dy: number) {
    const minutes = (dy / hourPx) * 60;
    const slot =
      kind === 'resize'
        ? { date: session.date, ...resizeTime(session, minutes) }
        : { date: dayAt(session, dx), ...dropTime(session, minutes) };
    // The pointer moves more often than the time changes.
    if (dragged?.session.id === session.id && isSameSlot(dragged.to, slot)) return;
    setDragged({ session, to: slot });
  }

  /** The day of the column that is `dx` pixels from the session's own column, within the same week. */
  function dayAt(session: SessionRow, dx: number): string {
    const width = (body.current?.querySelector('[data-column]')?.clientWidth ?? 1) + 1;
    const column = week.indexOf(session.date) + Math.round(dx / width);
    return week[Math.max(0, Math.min(6, column))] ?? session.date;
  }

  /** For a recurring lesson, asks which lessons to move. That question needs the lesson's details. */
  async function drop() {
    setDragged(null);
    if (!dragged || isSameSlot(dragged.session, dragged.to)) return;
    const { session, to: slot } = dragged;
    if (!session.isRecurring) return setModal({ kind: 'move', session, to: slot });
    await loadOrShowError(async () => {
      const [details, lesson] = await Promise.all([
        client.fetchQuery(sessionQuery(session.id)),
        client.fetchQuery(lessonQuery(session.lessonId)),
      ]);
      setModal({ kind: 'move-series', session: details, lesson, to: slot });
    });
  }

  async function startAction(session: SessionRow, action: SessionModal) {
    closePopover();
    await loadOrShowError(async () => {
      const details = await client.fetchQuery(sessionQuery(session.id));
      setModal({ kind: 'action', session: details, modal: action });
    });
  }

  function focusEvent(id: number) {
    setFocusedId(id);
    body.current?.querySelector<HTMLElement>(`[data-event="${id}"]`)?.focus();
  }

  function closePopover() {
    setOpenId(null);
    if (openId !== null) focusEvent(openId);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // The popover closes itself only once it has focus.
    if (event.key === 'Escape' && openId !== null) return closePopover();
    const link = (event.target as Element).closest<HTMLElement>('[data-event]');
    if (!link) return;
    const next = nextEventForKey(columns, Number(link.dataset['event']), event.key);
    if (!next) return;
    event.preventDefault();
    focusEvent(next.id);
  }

  return (
    <div
      className={classes.week}
      style={{ '--hour': `${hourPx}px`, '--hours': hours.length } as CSSProperties}
    >
      <div className={classes.head}>
        <span />
        {week.map((day) => (
          <h3 key={day} aria-current={day === today ? 'date' : undefined}>
            <span aria-hidden="true">
              {shortWeekdayName(day)} <b>{Number(day.slice(8))}</b>
            </span>
            <span className={classes.visuallyHidden}>
              {formatLongDate(day)}
              {day === today && ', today'}
              {timeOffSuffix(timeOffOn(timeOff, day))}
            </span>
          </h3>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move between the links inside */}
      <div className={classes.body} ref={body} onKeyDown={onKeyDown}>
        <div className={classes.hours} aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour}>{toTime(hour)}</span>
          ))}
          {week.includes(now.date) && nowMinute >= from && nowMinute <= to && (
            <b
              className={classes.nowLabel}
              style={{ '--start': (nowMinute - from) / 60 } as CSSProperties}
            >
              {now.time}
            </b>
          )}
        </div>
        {week.map((day, index) => (
          <WeekColumn
            key={day}
            day={day}
            today={today}
            now={now}
            range={{ from, to }}
            hourPx={hourPx}
            sessions={columns[index] ?? []}
            timeOff={timeOffOn(timeOff, day)}
            colorOf={colorOf}
            dragged={dragged}
            openId={openId}
            tabStopId={tabStopId ?? null}
            onNew={onNew}
            onDrag={drag}
            onDrop={() => void drop()}
            onCancel={() => setDragged(null)}
            onOpen={({ id }) => {
              setFocusedId(id);
              setOpenId(id);
            }}
            onClose={closePopover}
            onAction={(session, action) => void startAction(session, action)}
          />
        ))}
      </div>
      <LazyMount opened={modal !== null}>
        <WeekModals modal={modal} today={today} onClose={() => setModal(null)} />
      </LazyMount>
    </div>
  );
}

async function loadOrShowError(load: () => Promise<void>): Promise<void> {
  try {
    await load();
  } catch {
    toastError("We couldn't load this lesson. Please try again.");
  }
}

const isSameSlot = (a: TimeSlot, b: TimeSlot): boolean =>
  a.date === b.date &&
  a.startTime.slice(0, 5) === b.startTime.slice(0, 5) &&
  a.endTime.slice(0, 5) === b.endTime.slice(0, 5);
