import { isGroup, lessonLabel } from '@lessonbook/contract/lesson-names';
import { CompleteManyInput, type SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Button, Textarea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import {
  formatAmount,
  formatList,
  formatRelativeDate,
  formatShortDate,
  pluralize,
} from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import {
  AttendanceFields,
  attendanceOptions,
  formatSeatOutcomes,
  SeatAttendanceFields,
  sumSeatFees,
} from './AttendanceFields.tsx';
import { useCompleteSessions } from './api.ts';
import classes from './CompleteLessons.module.css';
import {
  type CompleteFormValues,
  createDefault,
  type OutcomeOf,
  omitCompleted,
  omitOutcomesWithText,
  type SessionOutcome,
  toInput,
} from './complete-lessons-form.ts';
import { CompletionNoteFields } from './FamilyNoteFields.tsx';
import { type Amount, sumFees } from './session-totals.ts';
import { LessonAvatar, LessonName, LessonTime } from './shared/LessonRow.tsx';
import type { ColorOf } from './use-session-colors.ts';

/** The day of the session that the page was opened for comes first, then the most recent days. */
function groupByDay(
  dueSessions: readonly SessionRow[],
  openedFor: number | undefined,
): [string, SessionRow[]][] {
  const first = dueSessions.find(({ id }) => id === openedFor)?.date;
  return [...Map.groupBy(dueSessions, ({ date }) => date)].toSorted(
    ([a], [b]) => Number(b === first) - Number(a === first) || b.localeCompare(a),
  );
}

/** The charges for completing the selected sessions, one total per currency. */
const sumCharges = (sessions: readonly SessionRow[], outcomeOf: OutcomeOf): Amount[] =>
  sumFees(
    sessions
      .map((session) => ({ ...session, fee: chargeFor(session, outcomeOf(session)) }))
      .filter(({ fee }) => fee > 0),
  );

function chargeFor(session: SessionRow, { charge, seats }: SessionOutcome): number {
  if (isGroup(session)) return sumSeatFees(session, seats);
  return charge ? (session.fee ?? 0) : 0;
}

interface CompleteLessonsRowProps {
  session: SessionRow;
  color: SubjectColor;
  today: string;
  outcome: SessionOutcome;
  onChange: (changes: Partial<SessionOutcome>) => void;
}

/** A session that can be selected for completion. Expands to change the attendance, fee and note. */
function CompleteLessonsRow(props: CompleteLessonsRowProps) {
  const { session, color, today, outcome, onChange } = props;
  const [expanded, setExpanded] = useState(false);
  const id = useId();
  return (
    <li className={classes.item} data-selected={outcome.selected || undefined}>
      <div className={classes.row}>
        <Checkbox
          checked={outcome.selected}
          aria-label={`Select ${lessonLabel(session)}`}
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
          <LessonAvatar session={session} color={color} />
          <span className={classes.name}>
            <LessonName session={session} />
            <span className={classes.outcome}>{formatOutcome(session, outcome)}</span>
          </span>
          <b className={classes.fee}>{formatFee(session, outcome)}</b>
          <IconChevronDown size={18} stroke={1.8} />
        </button>
      </div>
      <div id={id} className={classes.fields} hidden={!expanded}>
        {isGroup(session) ? (
          <SeatAttendanceFields
            session={session}
            outcomes={outcome.seats}
            onChange={(seats) => onChange({ seats })}
          />
        ) : (
          <AttendanceFields
            session={session}
            attendance={outcome.attendance}
            charge={outcome.charge}
            onAttendanceChange={(attendance) => onChange({ attendance })}
            onChargeChange={(charge) => onChange({ charge })}
          />
        )}
        <Textarea
          label="Note"
          description="Only you see this."
          size="md"
          rows={2}
          value={outcome.notes}
          onChange={(event) => onChange({ notes: event.currentTarget.value })}
        />
        <CompletionNoteFields
          session={session}
          today={today}
          isShown={expanded}
          note={outcome.note}
          onChange={(note) => onChange({ note })}
        />
      </div>
    </li>
  );
}

function formatOutcome(
  session: SessionRow,
  { selected, attendance, seats }: SessionOutcome,
): string | undefined {
  if (!selected) return 'Not selected';
  if (isGroup(session)) return formatSeatOutcomes(session, seats);
  return attendanceOptions.find(({ value }) => value === attendance)?.label;
}

/** '£35', 'Free' or 'Not charged' */
function formatFee(session: SessionRow, outcome: SessionOutcome): string {
  if (session.fee === null) return 'Free';
  const charge = chargeFor(session, outcome);
  return charge > 0 ? formatAmount(charge, session.currency) : 'Not charged';
}

interface Props {
  /** The session that the page was opened for. If undefined, all are selected. */
  sessionId: number | undefined;
  dueSessions: readonly SessionRow[];
  today: string;
  colorOf: ColorOf;
}

/** All sessions that are due for completion. One button completes the selected ones. */
export function CompleteLessons({ sessionId, dueSessions, today, colorOf }: Props) {
  const openedFor = dueSessions.some(({ id }) => id === sessionId) ? sessionId : undefined;
  const createOutcomeGetter =
    ({ outcomes }: CompleteFormValues): OutcomeOf =>
    ({ id }) => ({ ...createDefault(id, openedFor), ...outcomes[id] });
  const form = useForm<CompleteFormValues>({
    schema: z.pipe(
      z.transform<CompleteFormValues, z.input<typeof CompleteManyInput>>((values) =>
        toInput(dueSessions, createOutcomeGetter(values)),
      ),
      CompleteManyInput,
    ),
    initialValues: { outcomes: {} },
    mode: 'controlled',
    // While all sessions are being saved, this form is unmounted. If saving fails, the draft restores its values.
    draft: { key: 'complete', fields: ['outcomes'] },
  });
  const outcomeOf = createOutcomeGetter(form.values);
  const complete = useCompleteSessions();
  const selectedSessions = dueSessions.filter((session) => outcomeOf(session).selected);
  const others = dueSessions.length - selectedSessions.length;
  const amounts = sumCharges(selectedSessions, outcomeOf).map(({ minor, currency }) =>
    formatAmount(minor, currency),
  );

  const changeAll = (sessions: readonly SessionRow[], changes: Partial<SessionOutcome>) =>
    form.change({
      outcomes: {
        ...form.values.outcomes,
        ...Object.fromEntries(
          sessions.map((session) => [session.id, { ...outcomeOf(session), ...changes }]),
        ),
      },
    });

  const completeAll = form.onSubmit(
    async (values) => {
      const body = toInput(dueSessions, createOutcomeGetter(values));
      await complete.mutateAsync({ body, idempotencyKey: form.keyFor(body) });
      form.change({ outcomes: omitCompleted(form.form.getValues(), body) });
    },
    undefined,
    () => omitOutcomesWithText(form.form.getValues()),
  );

  return (
    <>
      {openedFor !== undefined && others > 0 && (
        <div className={classes.others}>
          <p>{pluralize(others, 'more lesson')} to complete.</p>
          <Button variant="light" onClick={() => changeAll(dueSessions, { selected: true })}>
            Select all {dueSessions.length}
          </Button>
        </div>
      )}
      <div className={classes.days}>
        {groupByDay(dueSessions, openedFor).map(([date, sessions]) => (
          <Card key={date} heading={formatHeading(date, today)}>
            <ul>
              {sessions.map((session) => (
                <CompleteLessonsRow
                  key={session.id}
                  session={session}
                  color={colorOf(session)}
                  today={today}
                  outcome={outcomeOf(session)}
                  onChange={(changes) => changeAll([session], changes)}
                />
              ))}
            </ul>
          </Card>
        ))}
      </div>
      <div className={classes.footer}>
        <Button
          size="lg"
          disabled={selectedSessions.length === 0 || complete.isPending}
          onClick={() => completeAll()}
        >
          {complete.isPending
            ? 'Saving...'
            : `Complete ${pluralize(selectedSessions.length, 'lesson')}${amounts.length > 0 ? ` (${formatList(amounts)})` : ''}`}
        </Button>
      </div>
    </>
  );
}

/** 'Today, Tue 17 Nov' or 'Thu 12 Nov' */
function formatHeading(date: string, today: string): string {
  const relative = formatRelativeDate(date, today);
  const day = formatShortDate(date, today);
  if (relative === day) return day;
  return `${relative.charAt(0).toUpperCase()}${relative.slice(1)}, ${day}`;
}
