import type { Channel } from '@lessonbook/contract/messages';

/** The tutor's default settings, or the settings for one student. */
export interface ReminderPreferences {
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

export interface StudentContacts {
  studentId: number;
  studentName: string;
  studentEmail: string | null;
  studentPhone: string | null;
  carerId: number | null;
  carerName: string | null;
  carerEmail: string | null;
  carerPhone: string | null;
}

/** By default the carer, or the student if there is no carer; the tutor can choose otherwise. */
export function selectRecipients(row: StudentContacts, recipient: string): Person[] {
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

export const missingAddressMessage = ({
  toName,
  channel,
}: {
  toName: string;
  channel: string;
}): string =>
  channel === 'email'
    ? `${toName} has no e-mail address yet. Please add one.`
    : `${toName} has no phone number yet. Please add one.`;

/** Shown when the tutor tries to email an address that has reported them. */
export const reportedMessage = ({ toName }: { toName: string }): string =>
  `${toName} asked not to get emails from you. Please check the address, or contact them another way.`;
