import { matchesAllWords } from '@lessonbook/contract/matches-all-words';
import type { StudentListItem } from '@lessonbook/contract/student-overview-and-timeline';
import { studentStatusOn } from '@lessonbook/contract/students';
import { STUDENT_FILTERS, type StudentFilter } from './student-url-search-params.ts';

const FILTER_LABELS: Record<StudentFilter, string> = {
  active: 'Active',
  owing: 'Owes money',
  unscheduled: 'No upcoming lessons',
  trial: 'On trial',
  paused: 'Paused',
  left: 'Left',
};

function matchesFilter(student: StudentListItem, filter: StudentFilter, today: string): boolean {
  const status = studentStatusOn(student, today);
  const isCurrent = status === 'active' || status === 'trial';
  switch (filter) {
    case 'active':
      return isCurrent;
    case 'owing':
      return student.debts.some(({ owed }) => owed > 0);
    case 'unscheduled':
      return isCurrent && student.nextSession === null;
    case 'trial':
    case 'paused':
    case 'left':
    default:
      return status === filter;
  }
}

/** The filters, each with its number of students. An empty filter is offered only if it is the default or the selected one. */
export function countStudentsByFilter(
  students: readonly StudentListItem[],
  chosen: StudentFilter,
  today: string,
) {
  return STUDENT_FILTERS.map((value) => ({
    value,
    label: FILTER_LABELS[value],
    count: students.filter((student) => matchesFilter(student, value, today)).length,
  })).filter(({ value, count }) => count > 0 || value === 'active' || value === chosen);
}

/** Sorted by next lesson, then by name. With the default filter, a search also finds students who are paused or have left. */
export function filterStudents(
  students: readonly StudentListItem[],
  { show = 'active', q = '' }: { show?: StudentFilter | undefined; q?: string | undefined },
  today: string,
): StudentListItem[] {
  const searchesAll = q.trim() !== '' && show === 'active';
  return students
    .filter((student) => searchesAll || matchesFilter(student, show, today))
    .filter(({ name, subjects, contactNames }) =>
      matchesAllWords([name, ...subjects, ...contactNames].join(' '), q),
    )
    .toSorted((a, b) => sortKey(a).localeCompare(sortKey(b)));
}

/** The list is already sorted by name, and students without a next lesson are last. */
const sortKey = ({ nextSession }: StudentListItem): string =>
  nextSession ? `${nextSession.date} ${nextSession.startTime}` : '9';
