import type { Channel } from '@lessonbook/contract/messages';

/** How a student's family wants to be reminded; the tutor's choice unless the student has an own one. */
export interface ReminderChoice {
  lead: number | null;
  channels: readonly string[];
  recipient: string;
}

export interface Person {
  /** 'c12' for a carer, 's5' for a student. */
  key: string;
  name: string;
  email: string | null;
  phone: string | null;
}

export interface Reachable {
  studentId: number;
  studentName: string;
  studentEmail: string | null;
  studentPhone: string | null;
  carerId: number | null;
  carerName: string | null;
  carerEmail: string | null;
  carerPhone: string | null;
}

/** Whom to write to: the carer where there is one, unless the tutor chose otherwise. */
export function recipientsOf(row: Reachable, recipient: string): Person[] {
  const student: Person = {
    key: `s${row.studentId}`,
    name: row.studentName,
    email: row.studentEmail,
    phone: row.studentPhone,
  };
  if (row.carerId === null) return [student];
  const carer: Person = {
    key: `c${row.carerId}`,
    name: row.carerName ?? '',
    email: row.carerEmail,
    phone: row.carerPhone,
  };
  if (recipient === 'both') return [carer, student];
  return [recipient === 'student' ? student : carer];
}

export const addressOf = (person: Person, channel: Channel): string | null =>
  channel === 'email' ? person.email : person.phone;
