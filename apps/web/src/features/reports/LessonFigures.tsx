import { durationMinutes } from '@lessonbook/contract/dates';
import { lessonName } from '@lessonbook/contract/lesson-names';
import type { LessonReport, ReportQuery } from '@lessonbook/contract/reports';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { LinkRowWithAmount } from '../../components/LinkRowWithAmount.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import {
  formatAmount,
  formatDuration,
  formatShortDate,
  formatTime,
  pluralize,
} from '../../lib/format.ts';
import { lessonReportQuery, sessionsInReportQuery } from './api.ts';
import { type BreakdownRow, BreakdownTable } from './BreakdownTable.tsx';
import { lessonBars } from './chart-bars.ts';
import {
  addAmounts,
  compareHours,
  formatAmounts,
  formatAttendance,
  formatBooked,
} from './format-report-figures.ts';
import { MonthChart } from './MonthChart.tsx';
import classes from './Report.module.css';

interface Props {
  query: ReportQuery;
  today: string;
}

/** Hours, attendance and forecast of the lessons in a period. */
export function LessonFigures({ query, today }: Props) {
  const report = useQuery(lessonReportQuery(query));
  const { data } = report;
  return (
    <div className={classes.layout}>
      <div className={classes.shares}>
        <Card>
          {report.isPending && <RowSkeleton rows={4} />}
          {report.isError && !data && (
            <LoadError onRetry={() => void report.refetch()}>
              We couldn't load your lessons.
            </LoadError>
          )}
          {data && <Hours report={data} today={today} />}
        </Card>
        {data && <Attendance counts={data.attendance} />}
      </div>
      {data && (
        <div className={classes.shares}>
          {!data.student && (
            <BreakdownTable
              by="student"
              rows={data.students.map((row) => toRow(row, formatAttendance(row)))}
            />
          )}
          {!data.subject && (
            <BreakdownTable by="subject" rows={data.subjects.map((row) => toRow(row, ''))} />
          )}
        </div>
      )}
      {/* On phones this is below the figures, so it is hidden until their height is known. */}
      <div className={classes.list} hidden={report.isPending}>
        <SessionList key={JSON.stringify(query)} query={query} today={today} />
      </div>
    </div>
  );
}

type TaughtRow = LessonReport['subjects'][number];

/** The value counts only the hours taught. Booked hours are shown in the detail. */
function toRow({ id, name, minutes, bookedMinutes }: TaughtRow, attendance: string): BreakdownRow {
  const booked = bookedMinutes > 0 && `${formatDuration(bookedMinutes)} booked`;
  const detail = [attendance, booked].filter(Boolean).join(', ');
  return { id, name, value: minutes, text: formatDuration(minutes), detail };
}

function Hours({ report, today }: { report: LessonReport; today: string }) {
  const { taught, booked, charged } = report;
  const bars = lessonBars(report, today);
  const comparison = compareHours(report);
  return (
    <>
      <div className={classes.total}>
        <h2>Hours taught</h2>
        <p className={classes.figure}>
          {taught.minutes === 0 ? '0 hrs' : formatDuration(taught.minutes)}
        </p>
        <p>{pluralize(taught.lessons, 'lesson')} marked as complete</p>
        {comparison && <p>{comparison}</p>}
      </div>
      <DescriptionList
        items={[
          { name: 'Charged', value: formatAmounts(charged) },
          { name: 'Still booked', value: booked.lessons > 0 && formatBooked(booked) },
          {
            name: 'Forecast',
            value: booked.fees.length > 0 && formatAmounts(addAmounts(charged, booked.fees)),
          },
        ]}
      />
      <p className={classes.note}>{explainFigures(report)}</p>
      {bars.length > 1 && <MonthChart caption="Hours by month" bars={bars} format={formatHours} />}
    </>
  );
}

/** '12.5 hrs', short enough for a bar */
const formatHours = (minutes: number): string =>
  `${(Math.round(minutes / 6) / 10).toLocaleString('en-GB')} hrs`;

/** Explains what the figures include. */
function explainFigures({ taught, booked, charged, toComplete }: LessonReport): string {
  const ended = `${pluralize(toComplete, 'booked lesson')} ${toComplete === 1 ? 'has' : 'have'} ended`;
  return [
    taught.lessons + booked.lessons > 0 && 'A group lesson counts once.',
    charged.length > 0 && 'Charged includes cancellation fees, less credit notes.',
    booked.fees.length > 0 && 'The forecast adds the fees of the lessons still booked.',
    toComplete > 0 && `${ended} and can be marked as complete.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Counts each student separately, including lessons that the family cancelled. */
function Attendance({ counts }: { counts: LessonReport['attendance'] }) {
  const { attended, late, absent, cancelled } = counts;
  const total = attended + late + absent;
  if (total + cancelled === 0) return null;
  return (
    <Card heading="Attendance">
      <DescriptionList
        items={[
          {
            name: 'Attended',
            value:
              total > 0 && `${attended + late} of ${total} (${percentage(attended + late, total)})`,
          },
          { name: 'Of these, late', value: late > 0 && String(late) },
          { name: 'Absent', value: String(absent) },
          { name: 'Cancelled by the family', value: String(cancelled) },
        ]}
      />
      <p className={classes.note}>
        Each student in a group counts separately. Lessons you cancelled yourself are left out.
      </p>
    </Card>
  );
}

/** Rounded down, so that only full attendance is 100%. */
const percentage = (part: number, total: number): string => `${Math.floor((100 * part) / total)}%`;

/** The lessons behind the figures, newest first. */
function SessionList({ query, today }: Props) {
  const list = useInfiniteQuery(sessionsInReportQuery(query));
  const sessions = list.data?.pages.flat() ?? [];
  return (
    <Card heading="Lessons">
      {list.isPending && <RowSkeleton rows={4} />}
      {list.isError && (
        <LoadError onRetry={() => void list.refetch()}>
          We couldn't load the list of lessons.
        </LoadError>
      )}
      {list.isSuccess && sessions.length === 0 && (
        <EmptyState illustration={<Illustration name="schedule" size={88} />}>
          No lessons in this period. Choose another period above.
        </EmptyState>
      )}
      <ul>
        {sessions.map((session) => (
          <LinkRowWithAmount
            key={session.id}
            to="/sessions/$id"
            params={{ id: String(session.id) }}
            name={lessonName(session)}
            description={describeSession(session, today)}
            amount={formatDuration(durationMinutes(session.startTime, session.endTime))}
            amountDetail={formatCharged(session, query.studentId)}
          />
        ))}
      </ul>
      <ShowMore list={list} />
    </Card>
  );
}

/** 'Maths, Tue 17 Nov, 16:00, absent' */
function describeSession(session: SessionRow, today: string): string {
  const { subjectName, date, startTime, status, students } = session;
  const [only] = students;
  const attendance = students.length === 1 && only?.attendance !== 'attended' && only?.attendance;
  return [
    subjectName,
    formatShortDate(date, today),
    formatTime(startTime),
    status === 'completed' ? attendance : STATUS_TEXTS[status],
  ]
    .filter(Boolean)
    .join(', ');
}

const STATUS_TEXTS = { scheduled: 'booked', cancelled: 'cancelled', rescheduled: 'moved' } as const;

/** The amount charged, or the fee if the lesson is still booked; only the selected student's share, if any. */
function formatCharged(session: SessionRow, studentId: number | undefined): string | null {
  const { currency, status } = session;
  const seat = session.students.find((each) => each.studentId === studentId);
  const { charged, fee } = seat ?? session;
  const amount = charged ?? (status === 'scheduled' ? fee : null);
  return amount === null ? null : formatAmount(amount, currency);
}
