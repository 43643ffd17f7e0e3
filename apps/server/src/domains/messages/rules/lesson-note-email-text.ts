import { firstName } from '@lessonbook/contract/first-name';
import { formatShortDate } from './format-dates-and-lessons.ts';

interface EmailedNote {
  studentId: number;
  studentName: string;
  subjectName: string;
  date: string;
  did: string | null;
  nextTime: string | null;
  homework: string | null;
  dueOn: string | null;
}

interface NoteEmail {
  contactName: string;
  /** Set if the contact is a student. */
  ownStudentId: number | null;
  notes: readonly EmailedNote[];
  /** The address of the family portal. */
  portalUrl: string;
  signature: string;
  today: string;
}

export function writeNoteEmail(email: NoteEmail): { subject: string; text: string } {
  const { contactName, notes, portalUrl, signature } = email;
  const others = notes.filter(({ studentId }) => studentId !== email.ownStudentId);
  const names = [...new Set(others.map(({ studentName }) => firstName(studentName)))];
  const label = notes.length === 1 ? 'New note' : 'New notes';
  const about = names.length > 0 ? ` about ${joinNames(names)}'s lessons` : ' about your lessons';
  return {
    subject: `${label}${names.length > 0 ? ` for ${joinNames(names)}` : ' about your lessons'}`,
    text: [
      `Hi ${firstName(contactName)},`,
      `${notes.length === 1 ? "There's a new note" : 'There are new notes'}${about}.`,
      ...notes.map((note) => describeNote(note, email)),
      `You can see all notes here: ${portalUrl}`,
      signature,
    ].join('\n\n'),
  };
}

/** Removes blank lines, which would start a new paragraph in the email. */
const toLines = (text: string): string => text.replaceAll(/\n\s*\n/g, '\n');

function describeNote(note: EmailedNote, { ownStudentId, today }: NoteEmail): string {
  const { did, nextTime, homework, dueOn } = note;
  const name = note.studentId === ownStudentId ? '' : `${firstName(note.studentName)}, `;
  const due = dueOn === null ? '' : ` (for ${formatShortDate(dueOn, today)})`;
  return [
    `${name}${formatShortDate(note.date, today)}, ${note.subjectName}:`,
    did && toLines(did),
    nextTime && `Next time: ${toLines(nextTime)}`,
    homework && `Homework${due}: ${toLines(homework)}`,
  ]
    .filter(Boolean)
    .join('\n');
}

const joinNames = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
