import { isGroup, lessonName } from '@lessonbook/contract/lesson-names';
import type { StudentOverview } from '@lessonbook/contract/student-overview-and-timeline';
import { studentStatusOn } from '@lessonbook/contract/students';
import { Button } from '@mantine/core';
import { IconCalendarTime, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Tabs } from '../../components/Tabs.tsx';
import { formatTime, initials } from '../../lib/format.ts';
import { termCalendarsQuery } from '../lessons/shared/term-calendars-api.ts';
import { SharedNotes } from './SharedNotes.tsx';
import { StudentMoneySummary } from './StudentMoneySummary.tsx';
import classes from './StudentOverviewSections.module.css';
import { StudentPeople } from './StudentPeople.tsx';
import { StudentRates } from './StudentRates.tsx';
import { StudentTimeline } from './StudentTimeline.tsx';
import { formatDay, formatDayMonth, formatSchoolAndStart, formatStatus } from './student-format.ts';
import { STUDENT_TABS, type StudentAction, type StudentTab } from './student-url-search-params.ts';

interface HeaderProps {
  overview: StudentOverview;
  today: string;
  /** The name is the heading of a page, or of the panel beside the list. */
  level: 1 | 2;
  /** The buttons beside the name. */
  children?: ReactNode;
}

export function StudentHeader({ overview, today, level, children }: HeaderProps) {
  const { student, since } = overview;
  const Heading = level === 1 ? 'h1' : 'h2';
  const status = studentStatusOn(student, today);
  const { data: calendars = [] } = useQuery({
    ...termCalendarsQuery,
    enabled: student.termCalendarId !== null,
  });
  const terms = calendars.find(({ id }) => id === student.termCalendarId)?.name;
  return (
    <header className={classes.header}>
      <Avatar initials={initials(student.name)} size="large" />
      <div className={classes.title}>
        <Heading>{student.name}</Heading>
        <p>
          {(status !== 'active' || student.leftOn !== null) && (
            <span className={classes.status}>{formatStatus(student, today)}</span>
          )}
          {formatSchoolAndStart(student, since, terms)}
        </p>
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </header>
  );
}

interface PartProps {
  overview: StudentOverview;
  today: string;
  onAction: (action: StudentAction) => void;
}

interface Props extends PartProps {
  tab: StudentTab;
  onTab: (tab: StudentTab) => void;
  /** Filled where it is the main action of the page. */
  newLessonVariant: 'filled' | 'subtle';
}

/** The next lesson with its actions, or why there is none. */
export function NextLessonBar({ overview, today, onAction }: PartProps) {
  const { nextSession, student } = overview;
  const status = studentStatusOn(student, today);
  if (status === 'paused' || status === 'left') {
    return (
      <section className={classes.next} aria-label="Next lesson">
        <p className={classes.when}>
          <b>{formatStatus(student, today)}</b>
          <small>
            {status === 'paused'
              ? 'Lessons are cancelled and no reminders are sent.'
              : 'No lessons are planned for this student.'}
          </small>
        </p>
        <div className={classes.buttons}>
          <Button variant="light" onClick={() => onAction('status')}>
            {status === 'paused' ? 'Resume' : 'Change status'}
          </Button>
        </div>
      </section>
    );
  }
  if (!nextSession) {
    return (
      <section className={classes.next} aria-label="Next lesson">
        <p className={classes.when}>
          <b>No upcoming lessons</b>
        </p>
        <div className={classes.buttons}>
          <Button variant="light" onClick={() => onAction('lesson')}>
            New lesson
          </Button>
        </div>
      </section>
    );
  }
  const { id, date, startTime, endTime, place, isRecurring } = nextSession;
  const [day, month] = formatDayMonth(date, date).split(' ');
  return (
    <section className={classes.next} aria-label="Next lesson">
      <span className={classes.tile} data-today={date === today || undefined} aria-hidden="true">
        <b>{day}</b>
        <small>{month}</small>
      </span>
      <p className={classes.when}>
        <b>
          {formatDay(date, today)}, {formatTime(startTime)} to {formatTime(endTime)}
        </b>
        <small>
          {[
            isGroup(nextSession) ? lessonName(nextSession) : nextSession.subjectName,
            place,
            isRecurring && 'repeats',
          ]
            .filter(Boolean)
            .join(', ')}
        </small>
      </p>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconCalendarTime size={18} stroke={1.8} />}
          onClick={() => onAction('move')}
        >
          Move
        </Button>
        <ButtonLink to="/sessions/$id" params={{ id: String(id) }} variant="light">
          View Details
        </ButtonLink>
      </div>
    </section>
  );
}

const TAB_LABELS: Record<StudentTab, string> = {
  lessons: 'Lessons',
  notes: 'Notes',
  money: 'Money',
  people: 'People',
};

export function StudentTabs({ overview, today, tab, onTab, newLessonVariant, onAction }: Props) {
  const { student } = overview;
  return (
    <Tabs
      label={`About ${student.name}`}
      value={tab}
      options={STUDENT_TABS.map((value) => ({
        value,
        label: TAB_LABELS[value],
        ...(value === 'people' && { count: student.contacts.length }),
      }))}
      onChange={onTab}
      aside={
        tab === 'lessons' && (
          <Button
            variant={newLessonVariant}
            className={classes.newLesson ?? ''}
            leftSection={<IconPlus size={18} stroke={1.8} />}
            onClick={() => onAction('lesson')}
          >
            New lesson
          </Button>
        )
      }
    >
      <div className={classes.part}>
        {tab === 'lessons' && (
          <StudentTimeline
            student={student}
            show="all"
            today={today}
            emptyText="No lessons yet. Lessons, notes and payments will appear here."
          />
        )}
        {tab === 'notes' && <Notes overview={overview} today={today} onAction={onAction} />}
        {tab === 'money' && (
          <>
            <StudentMoneySummary overview={overview} today={today} />
            <Button
              variant="light"
              className={classes.payment ?? ''}
              onClick={() => onAction('payment')}
            >
              Record payment
            </Button>
            <StudentRates student={student} today={today} />
            <StudentTimeline
              student={student}
              show="money"
              today={today}
              emptyText="Charges, invoices and payments will appear here."
            />
          </>
        )}
        {tab === 'people' && <StudentPeople student={student} />}
      </div>
    </Tabs>
  );
}

function Notes({ overview, today, onAction }: PartProps) {
  const { student } = overview;
  return (
    <>
      <section className={classes.note} aria-label="Private notes">
        <p>{student.notes || 'No private notes yet. Families never see them.'}</p>
        <Button variant="subtle" onClick={() => onAction('note')}>
          {student.notes ? 'Edit note' : 'Add note'}
        </Button>
      </section>
      <SharedNotes student={student} today={today} />
      <StudentTimeline
        student={student}
        show="notes"
        today={today}
        emptyText="Notes that you write on lessons will appear here."
      />
    </>
  );
}
