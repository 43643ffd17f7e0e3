import { toMinor } from '@lessonbook/contract/money';
import type { Attendance, SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Button, Textarea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { initials, money, relativeDate, splitLessonTitle } from '../../lib/format.ts';
import { useUnsavedChanges } from '../../lib/use-unsaved-changes.ts';
import { SubjectAvatar } from '../subjects/shared/SubjectAvatar.tsx';
import { AttendanceFields, attendanceOptions } from './AttendanceFields.tsx';
import { useCompleteSessions } from './api.ts';
import classes from './CompleteLessons.module.css';
import { type Amount, sumFees } from './calendar-days.ts';
import { LessonName, LessonTime } from './shared/LessonRow.tsx';
import type { ColorOf } from './subject-colors.ts';

/** What the tutor says about one session. */
interface SessionOutcome {
  ticked: boolean;
  attendance: Attendance;
  charge: boolean;
  notes: string;
}

/** Only what differs from the usual is kept. */
type SessionOutcomes = Readonly<Record<number, SessionOutcome>>;

const defaultOutcome: SessionOutcome = {
  ticked: true,
  attendance: 'attended',
  charge: true,
  notes: '',
};

interface SessionGroup {
  key: string;
  date: string;
  /** Of the lesson that the tutor came from. */
  own: boolean;
  sessions: SessionRow[];
}

/** The lesson's own sessions first, then all others, each by day. */
function groupSessions(due: readonly SessionRow[], lessonId: number): SessionGroup[] {
  const groups = new Map<string, SessionGroup>();
  const isOwn = (session: SessionRow) => session.lessonId === lessonId;
  const ordered = [...due.filter(isOwn), ...due.filter((session) => !isOwn(session))];
  for (const session of ordered) {
    const own = isOwn(session);
    const key = `${own} ${session.date}`;
    const group = groups.get(key) ?? { key, date: session.date, own, sessions: [] };
    group.sessions.push(session);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What completing the ticked ones charges, one sum for each currency. */
const sumCharges = (ticked: readonly SessionRow[], ticks: SessionOutcomes): Amount[] =>
  sumFees(
    ticked.filter(
      ({ id, fee }) => fee !== null && toMinor(fee) > 0 && (ticks[id] ?? defaultOutcome).charge,
    ),
  );

interface CompleteLessonsRowProps {
  session: SessionRow;
  tone: SubjectColor;
  tick: SessionOutcome;
  onChange: (part: Partial<SessionOutcome>) => void;
}

/** Ticked and usual needs no hand at all; a tap unfolds what was different. */
function CompleteLessonsRow({ session, tone, tick, onChange }: CompleteLessonsRowProps) {
  const [unfolded, setUnfolded] = useState(false);
  const id = useId();
  return (
    <li className={classes.item} data-ticked={tick.ticked || undefined}>
      <div className={classes.row}>
        <Checkbox
          checked={tick.ticked}
          aria-label={`Tick off ${session.title}`}
          onChange={(ticked) => onChange({ ticked })}
        />
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={unfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!unfolded)}
        >
          <LessonTime start={session.startTime} end={session.endTime} />
          <SubjectAvatar letters={initials(splitLessonTitle(session.title).head)} tone={tone} />
          <span className={classes.who}>
            <LessonName session={session} />
            <span className={classes.said}>{formatOutcome(session, tick)}</span>
          </span>
          <IconChevronDown size={18} stroke={1.8} />
        </button>
      </div>
      <div id={id} className={classes.fields} hidden={!unfolded}>
        <AttendanceFields
          session={session}
          attendance={tick.attendance}
          charge={tick.charge}
          onAttendance={(attendance) => onChange({ attendance })}
          onCharge={(charge) => onChange({ charge })}
        />
        <Textarea
          label="Note"
          size="md"
          rows={2}
          value={tick.notes}
          onChange={(event) => onChange({ notes: event.currentTarget.value })}
        />
      </div>
    </li>
  );
}

/** 'Attended, £35' */
function formatOutcome({ fee, currency }: SessionRow, tick: SessionOutcome): string {
  if (!tick.ticked) return 'Left for later';
  const came = attendanceOptions.find(({ value }) => value === tick.attendance)?.label;
  if (fee === null) return `${came}, free lesson`;
  return `${came}, ${tick.charge ? money(toMinor(fee), currency) : 'fee waived'}`;
}

interface Props {
  /** The lesson the tutor came from: its sessions stand first. */
  lessonId: number;
  due: readonly SessionRow[];
  today: string;
  colorOf: ColorOf;
}

/** Everything that waits to be ticked off, ticked beforehand: one press completes it all. */
export function CompleteLessons({ lessonId, due, today, colorOf }: Props) {
  const [ticks, setTicks] = useState<SessionOutcomes>({});
  const complete = useCompleteSessions();
  useUnsavedChanges(due.some(({ id }) => (ticks[id] ?? defaultOutcome).notes.trim() !== ''));
  const ticked = due.filter(({ id }) => (ticks[id] ?? defaultOutcome).ticked);
  const amounts = sumCharges(ticked, ticks).map(({ minor, currency }) => money(minor, currency));

  const change = (id: number, part: Partial<SessionOutcome>) =>
    setTicks((before) => ({ ...before, [id]: { ...(before[id] ?? defaultOutcome), ...part } }));

  function completeAll() {
    complete.mutate({
      body: {
        sessions: ticked.map(({ id }) => {
          const { attendance, charge, notes } = ticks[id] ?? defaultOutcome;
          return { id, attendance, charge, ...(notes.trim() && { notes }) };
        }),
      },
    });
  }

  return (
    <>
      <Card>
        {groupSessions(due, lessonId).map(({ key, date, own, sessions }) => (
          <section key={key} className={classes.day}>
            <h2>{formatHeading(date, own, today)}</h2>
            <ul>
              {sessions.map((session) => (
                <CompleteLessonsRow
                  key={session.id}
                  session={session}
                  tone={colorOf(session)}
                  tick={ticks[session.id] ?? defaultOutcome}
                  onChange={(part) => change(session.id, part)}
                />
              ))}
            </ul>
          </section>
        ))}
      </Card>
      <div className={classes.foot}>
        <Button
          fullWidth
          size="lg"
          disabled={ticked.length === 0 || complete.isPending}
          onClick={completeAll}
        >
          {complete.isPending ? 'Saving...' : [`Complete ${ticked.length}`, ...amounts].join(', ')}
        </Button>
      </div>
    </>
  );
}

function formatHeading(date: string, own: boolean, today: string): string {
  const day = relativeDate(date, today);
  const words = day.charAt(0).toUpperCase() + day.slice(1);
  return own ? `${words}, this lesson` : words;
}
