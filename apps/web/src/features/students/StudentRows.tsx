import type { StudentListItem } from '@lessonbook/contract/student-overview-and-timeline';
import { studentStatusOn } from '@lessonbook/contract/students';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { selectOnClick } from '../../components/ListWithDetail.tsx';
import { initials, pluralize } from '../../lib/format.ts';
import { handleRowKeys } from '../../lib/row-keyboard-navigation.ts';
import { SubjectAvatar } from '../subjects/shared/SubjectAvatar.tsx';
import classes from './StudentRows.module.css';
import { formatDebts, formatNextSession, formatStatus } from './student-format.ts';

interface Props {
  students: readonly StudentListItem[];
  today: string;
  /** The student beside the list. */
  selectedId: number | null;
  /** Shows the student beside the list. If undefined, a row opens the student's page. */
  onSelect: ((id: number) => void) | undefined;
}

/** How many rows are rendered at first, and how many each press of 'Show more' adds. */
const PAGE_SIZE = 100;

export function StudentRows({ students, today, selectedId, onSelect }: Props) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const visible = students.slice(0, limit);

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows are links */}
      <ul
        className={classes.list}
        aria-label="Students"
        onKeyDown={(event) =>
          handleRowKeys(event, (position) => onSelect?.((visible[position] as StudentListItem).id))
        }
      >
        {visible.map((student) => (
          <li key={student.id}>
            <Link
              to="/students/$id"
              params={{ id: String(student.id) }}
              className={classes.row}
              aria-current={student.id === selectedId ? 'true' : undefined}
              onClick={(event) => {
                if (onSelect) selectOnClick(event, () => onSelect(student.id));
              }}
            >
              <Row student={student} today={today} />
            </Link>
          </li>
        ))}
      </ul>
      <footer className={classes.footer}>
        <span>{pluralize(students.length, 'student')}, sorted by next lesson</span>
        {students.length > limit && (
          <Button variant="subtle" onClick={() => setLimit(limit + PAGE_SIZE)}>
            Show more
          </Button>
        )}
      </footer>
    </>
  );
}

function Row({ student, today }: { student: StudentListItem; today: string }) {
  const { name, schoolYear, subjects, nextSession, debts } = student;
  const status = studentStatusOn(student, today);
  const debt = formatDebts(debts);
  const when = nextSession ? formatNextSession(nextSession, today) : 'No upcoming lessons';
  return (
    <>
      <SubjectAvatar initials={initials(name)} color={nextSession?.subjectColor ?? 'stone'} />
      <span className={classes.name}>
        <b>{name}</b>
        <small>
          {[status === 'trial' && 'On trial', schoolYear, ...subjects].filter(Boolean).join(', ') ||
            'No subject assigned'}
        </small>
      </span>
      <span className={classes.aside}>
        <b>{status === 'paused' || status === 'left' ? formatStatus(student, today) : when}</b>
        <small data-overdue={debt.isOverdue || undefined}>{debt.text}</small>
      </span>
    </>
  );
}
