import { firstName } from '@lessonbook/contract/first-name';
import { formatMoney } from '@lessonbook/contract/money';
import type { LeavingStudent } from '@lessonbook/contract/student-departures';

interface Reader {
  toName: string;
  /** The id of a student who is their own main contact, and is therefore addressed directly. */
  readerId: number | null;
  tutor: string;
  /** If false, the message does not mention the portal. */
  isPortalOpen: boolean;
  formatDate: (date: string) => string;
}

/** The draft message to one family about all its students who leave on the same day. */
export function renderDeparture(
  students: readonly LeavingStudent[],
  { toName, readerId, tutor, isPortalOpen, formatDate }: Reader,
): { subject: string; text: string } {
  const [first] = students;
  const isReader = students.length === 1 && first?.student.id === readerId;
  const names = joinWithAnd(students.map(({ student }) => firstName(student.name)));
  const whose = isReader ? 'your' : `${names}'s`;
  const lastDay = first?.student.leftOn ?? '';
  const accessEnd = first?.student.portalEndsOn ?? '';
  return {
    subject: isReader ? 'Your lessons' : `${names}'s lessons`,
    text: [
      `Hi ${firstName(toName)},`,
      `As agreed, ${whose} lessons with me will end on ${formatDate(lastDay)}. ${describeLaterLessons(students, formatDate)}`,
      ...(isPortalOpen
        ? [
            `You can still read notes and download invoices in the family portal until ${formatDate(accessEnd)}.`,
          ]
        : []),
      `It's been a pleasure teaching ${isReader ? 'you' : names}. All the best for what comes next!`,
      tutor,
    ].join('\n\n'),
  };
}

/** The lessons in the notice period are also cancelled, but are charged. */
function describeLaterLessons(
  students: readonly LeavingStudent[],
  formatDate: (date: string) => string,
): string {
  const charged = students
    .flatMap((student) => student.charged)
    .map(
      ({ session, amount, currency }) =>
        `${formatDate(session.date)} (${formatMoney(amount, currency, 'en-GB')})`,
    );
  if (charged.length === 0) return "Later lessons will be cancelled, and I won't charge for them.";
  const lessons = charged.length === 1 ? 'the one' : 'those';
  return `Later lessons will be cancelled. I'll only charge for ${lessons} in the notice period: ${joinWithAnd(charged)}.`;
}

function joinWithAnd(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
