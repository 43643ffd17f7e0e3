import { type Attendance, CompleteManyInput, type SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Button, Textarea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { formatAmount, formatRelativeDate, initials, splitLessonTitle } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { SubjectAvatar } from '../subjects/shared/SubjectAvatar.tsx';
import { AttendanceFields, attendanceOptions } from './AttendanceFields.tsx';
import { useCompleteSessions } from './api.ts';
import classes from './CompleteLessons.module.css';
import { type Amount, sumFees } from './calendar-days.ts';
import { LessonName, LessonTime } from './shared/LessonRow.tsx';
import type { ColorOf } from './use-session-colors.ts';

interface SessionOutcome {
  selected: boolean;
  attendance: Attendance;
  charge: boolean;
  notes: string;
}

/** Keyed by session id. Contains only sessions that differ from the default. */
type SessionOutcomes = Readonly<Record<number, SessionOutcome>>;

const defaultOutcome: SessionOutcome = {
  selected: true,
  attendance: 'attended',
  charge: true,
  notes: '',
};

interface CompleteFormValues {
  outcomes: SessionOutcomes;
}

const toInput = (
  dueSessions: readonly SessionRow[],
  { outcomes }: CompleteFormValues,
): CompleteManyInput => ({
  sessions: dueSessions
    .map(({ id }) => ({ id, ...(outcomes[id] ?? defaultOutcome) }))
    .filter(({ selected }) => selected)
    .map(({ id, attendance, charge, notes }) => ({
      id,
      attendance,
      charge,
      ...(notes.trim() && { notes }),
    })),
});

interface SessionGroup {
  key: string;
  date: string;
  /** Whether these are sessions of the lesson that the page was opened for. */
  isCurrent: boolean;
  sessions: SessionRow[];
}

/** Sessions of this lesson come first, then all others, both grouped by day. */
function groupSessions(dueSessions: readonly SessionRow[], lessonId: number): SessionGroup[] {
  const groups = new Map<string, SessionGroup>();
  const belongsToLesson = (session: SessionRow) => session.lessonId === lessonId;
  const ordered = [
    ...dueSessions.filter(belongsToLesson),
    ...dueSessions.filter((session) => !belongsToLesson(session)),
  ];
  for (const session of ordered) {
    const isCurrent = belongsToLesson(session);
    const key = `${isCurrent} ${session.date}`;
    const group = groups.get(key) ?? { key, date: session.date, isCurrent, sessions: [] };
    group.sessions.push(session);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The charges for completing the selected sessions, one total per currency. */
const sumCharges = (sessions: readonly SessionRow[], outcomes: SessionOutcomes): Amount[] =>
  sumFees(
    sessions.filter(
      ({ id, fee }) => fee !== null && fee > 0 && (outcomes[id] ?? defaultOutcome).charge,
    ),
  );

interface CompleteLessonsRowProps {
  session: SessionRow;
  color: SubjectColor;
  outcome: SessionOutcome;
  onChange: (changes: Partial<SessionOutcome>) => void;
}

/** Selected with the defaults. Expands to change the attendance, fee and note. */
function CompleteLessonsRow({ session, color, outcome, onChange }: CompleteLessonsRowProps) {
  const [expanded, setExpanded] = useState(false);
  const id = useId();
  return (
    <li className={classes.item} data-selected={outcome.selected || undefined}>
      <div className={classes.row}>
        <Checkbox
          checked={outcome.selected}
          aria-label={`Tick off ${session.title}`}
          onChange={(selected) => onChange({ selected })}
        />
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={expanded}
          aria-controls={id}
          onClick={() => setExpanded(!expanded)}
        >
          <LessonTime start={session.startTime} end={session.endTime} />
          <SubjectAvatar initials={initials(splitLessonTitle(session.title).head)} color={color} />
          <span className={classes.name}>
            <LessonName session={session} />
            <span className={classes.outcome}>{formatOutcome(session, outcome)}</span>
          </span>
          <IconChevronDown size={18} stroke={1.8} />
        </button>
      </div>
      <div id={id} className={classes.fields} hidden={!expanded}>
        <AttendanceFields
          session={session}
          attendance={outcome.attendance}
          charge={outcome.charge}
          onAttendanceChange={(attendance) => onChange({ attendance })}
          onChargeChange={(charge) => onChange({ charge })}
        />
        <Textarea
          label="Note"
          size="md"
          rows={2}
          value={outcome.notes}
          onChange={(event) => onChange({ notes: event.currentTarget.value })}
        />
      </div>
    </li>
  );
}

/** 'Attended, £35' */
function formatOutcome({ fee, currency }: SessionRow, outcome: SessionOutcome): string {
  if (!outcome.selected) return 'Left for later';
  const attendance = attendanceOptions.find(({ value }) => value === outcome.attendance)?.label;
  if (fee === null) return `${attendance}, free lesson`;
  return `${attendance}, ${outcome.charge ? formatAmount(fee, currency) : 'fee waived'}`;
}

interface Props {
  /** The lesson that the page was opened for. Its sessions come first. */
  lessonId: number;
  dueSessions: readonly SessionRow[];
  today: string;
  colorOf: ColorOf;
}

/** All sessions that are due for completion, preselected. One button completes them. */
export function CompleteLessons({ lessonId, dueSessions, today, colorOf }: Props) {
  const form = useForm<CompleteFormValues>({
    schema: z.pipe(
      z.transform<CompleteFormValues, z.input<typeof CompleteManyInput>>((values) =>
        toInput(dueSessions, values),
      ),
      CompleteManyInput,
    ),
    initialValues: { outcomes: {} },
    mode: 'controlled',
    // The list is empty while it is being saved, and a failure shows it again.
    draft: { key: 'complete', fields: ['outcomes'] },
  });
  const { outcomes } = form.values;
  const complete = useCompleteSessions();
  const selectedSessions = dueSessions.filter(
    ({ id }) => (outcomes[id] ?? defaultOutcome).selected,
  );
  const amounts = sumCharges(selectedSessions, outcomes).map(({ minor, currency }) =>
    formatAmount(minor, currency),
  );

  const change = (id: number, changes: Partial<SessionOutcome>) =>
    form.change({
      outcomes: { ...outcomes, [id]: { ...(outcomes[id] ?? defaultOutcome), ...changes } },
    });

  const completeAll = form.onSubmit(
    (values) => complete.mutateAsync({ body: toInput(dueSessions, values) }),
    () => form.replace({ outcomes: {} }),
  );

  return (
    <>
      <Card>
        {groupSessions(dueSessions, lessonId).map(({ key, date, isCurrent, sessions }) => (
          <section key={key} className={classes.day}>
            <h2>{formatHeading(date, isCurrent, today)}</h2>
            <ul>
              {sessions.map((session) => (
                <CompleteLessonsRow
                  key={session.id}
                  session={session}
                  color={colorOf(session)}
                  outcome={outcomes[session.id] ?? defaultOutcome}
                  onChange={(changes) => change(session.id, changes)}
                />
              ))}
            </ul>
          </section>
        ))}
      </Card>
      <div className={classes.footer}>
        <Button
          fullWidth
          size="lg"
          disabled={selectedSessions.length === 0 || complete.isPending}
          onClick={() => completeAll()}
        >
          {complete.isPending
            ? 'Saving...'
            : [`Complete ${selectedSessions.length}`, ...amounts].join(', ')}
        </Button>
      </div>
    </>
  );
}

function formatHeading(date: string, isCurrent: boolean, today: string): string {
  const day = formatRelativeDate(date, today);
  const heading = day.charAt(0).toUpperCase() + day.slice(1);
  return isCurrent ? `${heading}, this lesson` : heading;
}
