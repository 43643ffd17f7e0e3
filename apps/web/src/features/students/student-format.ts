import { addDaysToDate } from '@lessonbook/contract/dates';
import type { StudentDebt } from '@lessonbook/contract/student-overview-and-timeline';
import { type Student, type StudentStatus, studentStatusOn } from '@lessonbook/contract/students';
import {
  formatDateWithYear,
  formatShortDate,
  formatTime,
  formatTotals,
  shortWeekdayName,
} from '../../lib/format.ts';

export const STATUS_LABELS: Record<StudentStatus, string> = {
  trial: 'On trial',
  active: 'Active',
  paused: 'Paused',
  left: 'Left',
};

/** 'Today', 'Tomorrow', 'Wed' within a week, or '26 Nov'. */
export function formatDay(date: string, today: string): string {
  if (date === today) return 'Today';
  if (date === addDaysToDate(today, 1)) return 'Tomorrow';
  if (date > today && date < addDaysToDate(today, 7)) return shortWeekdayName(date);
  return formatDayMonth(date, today);
}

/** '26 Nov'; with the year if it is not the current one. */
export const formatDayMonth = (date: string, today: string): string =>
  formatShortDate(date, today).slice(4);

/** 'Wed 16:00' */
export const formatNextSession = (
  { date, startTime }: { date: string; startTime: string },
  today: string,
): string => `${formatDay(date, today)} ${formatTime(startTime)}`;

/** 'Paused until 5 Jan 2027' or 'Last day 24 Nov' */
export function formatStatus(
  student: Pick<Student, 'status' | 'pause' | 'leftOn'>,
  today: string,
): string {
  const status = studentStatusOn(student, today);
  if (student.leftOn !== null && status !== 'left')
    return `Last day ${formatDayMonth(student.leftOn, today)}`;
  const lastDay = status === 'paused' && student.pause?.toDate;
  return lastDay ? `Paused until ${formatDayMonth(lastDay, today)}` : STATUS_LABELS[status];
}

/** 'Year 10, Highfield School. School terms: Surrey. Since Sep 2025' */
export function formatSchoolAndStart(
  { school, schoolYear }: Student,
  since: string,
  terms?: string,
): string {
  const yearAndSchool = [schoolYear, school].filter(Boolean).join(', ');
  const [, ...monthAndYear] = formatDateWithYear(since).split(' ');
  return [yearAndSchool, terms && `School terms: ${terms}`, `Since ${monthAndYear.join(' ')}`]
    .filter(Boolean)
    .join('. ');
}

/** '£83 overdue', '£76 due' or 'Nothing due'; if anything is overdue, only that amount is shown. */
export function formatDebts(debts: readonly StudentDebt[]): { text: string; isOverdue: boolean } {
  const formatSum = (key: 'owed' | 'overdue') =>
    formatTotals(
      debts.filter((debt) => debt[key] > 0).map((debt) => ({ ...debt, minor: debt[key] })),
    );
  const overdue = formatSum('overdue');
  if (overdue) return { text: `${overdue} overdue`, isOverdue: true };
  const owed = formatSum('owed');
  return { text: owed ? `${owed} due` : 'Nothing due', isOverdue: false };
}
