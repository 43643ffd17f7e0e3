import type { Channel } from '@lessonbook/contract/messages';
import type { Reader } from './format-dates-and-lessons.ts';

/** The tutor's default settings, or the settings for one student. */
export interface ReminderPreferences {
  leadMinutes: number | null;
  channels: readonly string[];
  recipient: string;
}

export interface Person {
  /** 'c12' for a carer, 's5' for a student. */
  key: string;
  name: string;
  email: string | null;
  phone: string | null;
  /** Null means the tutor's time zone. */
  timeZone: string | null;
}

export interface StudentContacts {
  studentId: number;
  studentName: string;
  studentEmail: string | null;
  studentPhone: string | null;
  carerId: number | null;
  carerName: string | null;
  carerEmail: string | null;
  carerPhone: string | null;
  /** The main contact's time zone, which is also used for the student. */
  timeZone: string | null;
}

/** By default the carer, or the student if there is no carer; the tutor can choose otherwise. */
export function selectRecipients(row: StudentContacts, recipient: string): Person[] {
  const student: Person = {
    key: `s${row.studentId}`,
    name: row.studentName,
    email: row.studentEmail,
    phone: row.studentPhone,
    timeZone: row.timeZone,
  };
  if (row.carerId === null) return [student];
  const carer: Person = {
    key: `c${row.carerId}`,
    name: row.carerName ?? '',
    email: row.carerEmail,
    phone: row.carerPhone,
    timeZone: row.timeZone,
  };
  if (recipient === 'both') return [carer, student];
  return [recipient === 'student' ? student : carer];
}

/** Describes the person with this key as the reader of a message. */
export const toReader = (
  person: { key: string; timeZone: string | null },
  tutorTimeZone: string,
): Reader => ({
  studentId: person.key.startsWith('s') ? Number(person.key.slice(1)) : null,
  timeZone: person.timeZone ?? tutorTimeZone,
  tutorTimeZone,
});

export const addressOf = (person: Person, channel: Channel): string | null =>
  channel === 'email' ? person.email : person.phone;
