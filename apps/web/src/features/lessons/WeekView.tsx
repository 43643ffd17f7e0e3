import type { SessionRow } from '@lessonbook/contract/sessions';
import { type CSSProperties, type MouseEvent, useRef, useState } from 'react';
import { formatLongDate, shortWeekdayName } from '../../lib/format.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import type { SessionsByDay } from './calendar-days.ts';
import { weekDays } from './calendar-days.ts';
import type { LessonSlot } from './LazyLessonDialogs.tsx';
import { type NewTime, RescheduleModal } from './RescheduleModal.tsx';
import type { ColorOf } from './use-session-colors.ts';
import { WeekEvent } from './WeekEvent.tsx';
import classes from './WeekView.module.css';
import { boxStyle, dropTime, layoutDay, slotAt, toTime, visibleHours } from './week-layout.ts';

/** Height of an hour, in pixels. */
const HOUR_PX = 52;

interface Props {
  date: string;
  today: string;
  days: SessionsByDay;
  colorOf: ColorOf;
  onNew: (slot: LessonSlot) => void;
}

interface Move {
  session: SessionRow;
  to: NewTime;
}

/** Monday to Sunday, hour by hour. Lessons can be moved by dragging or from the menu; pressing a free slot adds one. */
export function WeekView({ date, today, days, colorOf, onNew }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const [dragMove, setDragMove] = useState<Move | null>(null);
  const [move, setMove] = useState<Move | null>(null);
  const lastMove = useLastValue(move);

  const week = weekDays(date);
  const visibleSessionsOn = (day: string) =>
    (days.get(day) ?? []).filter(({ status }) => status !== 'rescheduled');
  const { from, to } = visibleHours(week.flatMap(visibleSessionsOn));
  const hours = Array.from({ length: (to - from) / 60 }, (_, hour) => from + hour * 60);

  /** Converts a drag distance in pixels to a new date and time. */
  function toNewTime(session: SessionRow, dx: number, dy: number): NewTime {
    const width = (body.current?.querySelector('[data-column]')?.clientWidth ?? 1) + 1;
    const column = week.indexOf(session.date) + Math.round(dx / width);
    const day = week[Math.max(0, Math.min(6, column))] ?? session.date;
    return { date: day, ...dropTime(session, (dy / HOUR_PX) * 60) };
  }

  function handleSlotClick(event: MouseEvent<HTMLDivElement>, day: string) {
    if (event.target !== event.currentTarget) return;
    const { top } = event.currentTarget.getBoundingClientRect();
    onNew({ date: day, ...slotAt(from + ((event.clientY - top) / HOUR_PX) * 60) });
  }

  return (
    <div
      className={classes.week}
      style={{ '--hour': `${HOUR_PX}px`, '--hours': hours.length } as CSSProperties}
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
            </span>
          </h3>
        ))}
      </div>
      <div className={classes.body} ref={body}>
        <div className={classes.hours} aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour}>{toTime(hour)}</span>
          ))}
        </div>
        {week.map((day) => (
          // A shortcut for the mouse; the 'New Lesson' button does the same for keyboards.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div
            key={day}
            data-column={day}
            className={classes.column}
            onClick={(event) => handleSlotClick(event, day)}
          >
            {layoutDay(visibleSessionsOn(day)).map((placedSession) => (
              <WeekEvent
                key={placedSession.session.id}
                placedSession={placedSession}
                firstMinute={from}
                color={colorOf(placedSession.session)}
                isDragged={dragMove?.session.id === placedSession.session.id}
                onDrag={(dx, dy) =>
                  setDragMove({
                    session: placedSession.session,
                    to: toNewTime(placedSession.session, dx, dy),
                  })
                }
                onDrop={() => {
                  if (dragMove && hasMoved(dragMove)) setMove(dragMove);
                  setDragMove(null);
                }}
                onCancel={() => setDragMove(null)}
                onMove={() =>
                  setMove({ session: placedSession.session, to: placedSession.session })
                }
              />
            ))}
            {dragMove?.to.date === day && <DropPreview move={dragMove} from={from} />}
          </div>
        ))}
      </div>
      {lastMove && (
        <RescheduleModal
          session={lastMove.session}
          to={lastMove.to}
          today={today}
          opened={move !== null}
          onClose={() => setMove(null)}
        />
      )}
    </div>
  );
}

const hasMoved = ({ session, to }: Move): boolean =>
  session.date !== to.date || session.startTime !== to.startTime;

/** Where the dragged lesson would land. */
function DropPreview({ move, from }: { move: Move; from: number }) {
  const { startTime, endTime } = move.to;
  return (
    <div className={classes.dropPreview} style={boxStyle(move.to, from)}>
      {startTime}–{endTime}
    </div>
  );
}
