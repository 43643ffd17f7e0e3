import { formatTime12 } from '@lessonbook/contract/format-time';
import { toMinor } from '@lessonbook/contract/money';
import { feeFromRate, findRateOn, type Rate } from '@lessonbook/contract/rates';
import type { Session } from '@lessonbook/contract/sessions';
import type { Student } from '@lessonbook/contract/students';
import type { Subject } from '@lessonbook/contract/subjects';
import { useQuery } from '@tanstack/react-query';
import {
  firstName,
  formatAmount,
  formatShortDate,
  formatWeekdayAndDate,
} from '../../lib/format.ts';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { ratesQuery } from '../rates/api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import { sessionQuery, sessionStudentsQuery } from './api.ts';

/** Replaced with the fee by the tutor. The message cannot be sent while it contains the blank. */
export const FEE_BLANK = '___';

interface Group {
  session: Session;
  students: readonly Student[];
  rates: readonly Rate[];
  subjects: readonly Subject[];
}

export interface OneToOneMessage {
  familyIds: number[];
  subject: string;
  text: string;
}

/**
 * Asks the family of the last student expected in a group about a one-to-one fee. Null if there is no such student or family;
 * undefined while it is loading.
 */
export function useOneToOneMessage(
  sessionId: number | null,
  tutor: DateContext,
): OneToOneMessage | null | undefined {
  const id = sessionId ?? 0;
  const enabled = sessionId !== null;
  const session = useQuery({ ...sessionQuery(id), enabled });
  const students = useQuery({ ...sessionStudentsQuery(id), enabled });
  const rates = useQuery({ ...ratesQuery, enabled });
  const subjects = useQuery({ ...subjectsQuery, enabled });
  if ([session, students, rates, subjects].some(({ isLoading }) => isLoading)) return undefined;
  if (!session.data || !students.data) return null;
  const group = {
    session: session.data,
    students: students.data,
    rates: rates.data ?? [],
    subjects: subjects.data ?? [],
  };
  return oneToOneMessage(group, tutor);
}

export function oneToOneMessage(group: Group, tutor: DateContext): OneToOneMessage | null {
  const { session, students } = group;
  const expected = session.students.filter(({ state }) => state === 'expected');
  const student = students.find(({ id }) => id === expected[0]?.studentId);
  if (session.status !== 'scheduled' || expected.length !== 1 || !student) return null;
  const payers = payersOn(student, session.date);
  const familyIds = [...new Set(payers.map(({ familyId }) => familyId))];
  if (familyIds.length === 0) return null;

  const contacts = student.contacts.filter(({ id }) =>
    payers.some(({ contactId }) => contactId === id),
  );
  const isReader = contacts.length > 0 && contacts.every((contact) => contact.isStudent);
  const isElsewhere = contacts.some(
    (contact) => (contact.timeZone ?? tutor.timeZone) !== tutor.timeZone,
  );
  const zone = isElsewhere ? ` (${formatCity(tutor.timeZone)} time)` : '';
  const name = firstName(student.name);
  const when = `${formatWeekdayAndDate(session.date)} at ${formatTime12(session.startTime)}${zone}`;
  return {
    familyIds,
    subject: `${isReader ? 'Your' : `${name}'s`} lesson on ${formatShortDate(session.date, tutor.today)}`,
    text: [
      'Hi {name},',
      `${isReader ? "You're" : `${name} is`} the only student expected for ${session.subjectName} on ${when}. I can teach the lesson one-to-one for ${formatFee(group)}.`,
      "Please reply to let me know if that's all right. If you'd rather not, I'll cancel the lesson and you won't be charged.",
      '{tutor}',
    ].join('\n\n'),
  };
}

/** The payers on a date: those with the latest start date on or before that date. */
function payersOn({ payers }: Student, date: string) {
  const from = payers.findLast((payer) => payer.from <= date)?.from;
  return payers.filter((payer) => payer.from === from);
}

/** The student's rate or the subject's default fee, instead of the price in the group; a blank if the two are the same. */
function formatFee({ session, rates, subjects }: Group): string {
  const seat = session.students.find(({ state }) => state === 'expected');
  const subject = subjects.find(({ id }) => id === session.subjectId);
  const rate = findRateOn(
    rates.filter(({ currency }) => currency === session.currency),
    { studentId: seat?.studentId ?? 0, subjectId: session.subjectId, date: session.date },
  );
  const defaultRate = subject?.currency === session.currency ? toMinor(subject.defaultFee) : null;
  const fee = rate ? feeFromRate(rate, session) : defaultRate;
  const price = seat?.fee ?? null;
  const amount =
    fee === null || fee === price
      ? formatAmount(0, session.currency).replace('0', FEE_BLANK)
      : formatAmount(fee, session.currency);
  return price === null ? amount : `${amount} instead of ${formatAmount(price, session.currency)}`;
}

/** 'London' */
const formatCity = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
