import type { LessonDetails } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import type { Session } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { formatAmount, formatShortDate } from '../../lib/format.ts';
import seatClasses from './GroupLessonFields.module.css';
import { SeatRow } from './GroupLessonFields.tsx';
import { JoinLessonModal } from './JoinLessonModal.tsx';
import { LeaveLessonModal } from './LeaveLessonModal.tsx';
import { feeSourceLabels } from './lesson-change-format.ts';

interface Props {
  lesson: LessonDetails;
  /** The session whose date is the default for joining or leaving. */
  session: Session;
  today: string;
}

type RosterStudent = LessonDetails['students'][number];

/** The students of a saved lesson. They join and leave from a chosen date, and are saved separately from the other fields. */
export function LessonRoster({ lesson, session, today }: Props) {
  const [isJoining, setIsJoining] = useState(false);
  const [leaving, setLeaving] = useState<RosterStudent | null>(null);
  const roster = lesson.students.filter(({ toDate }) => toDate === null || toDate >= today);
  return (
    <>
      {lesson.students.length > 1 && (
        <fieldset className={seatClasses.seats}>
          <legend>Students</legend>
          <p className={seatClasses.size}>Group of {roster.length}</p>
          <div className={seatClasses.list}>
            <ul>
              {roster.map((student) => (
                <SeatRow
                  key={`${student.studentId} ${student.fromDate}`}
                  name={student.name}
                  detail={formatDates(student, today)}
                  {...describePrice(student, lesson, session)}
                  {...(student.toDate === null &&
                    roster.length > 1 && { onRemove: () => setLeaving(student) })}
                />
              ))}
            </ul>
            <AddButton onClick={() => setIsJoining(true)} />
          </div>
        </fieldset>
      )}
      {lesson.students.length <= 1 && <AddButton onClick={() => setIsJoining(true)} />}
      <JoinLessonModal
        lesson={lesson}
        session={session}
        today={today}
        opened={isJoining}
        onClose={() => setIsJoining(false)}
      />
      <LeaveLessonModal
        lesson={lesson}
        session={session}
        today={today}
        student={leaving}
        onClose={() => setLeaving(null)}
      />
    </>
  );
}

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button
    variant="subtle"
    leftSection={<IconPlus size={18} stroke={1.8} />}
    justify="flex-start"
    onClick={onClick}
  >
    Add a student
  </Button>
);

/** 'Joins Tue 1 Dec' or 'Until Mon 30 Nov' */
function formatDates({ fromDate, toDate }: RosterStudent, today: string): string | undefined {
  if (toDate !== null) return `Until ${formatShortDate(toDate, today)}`;
  return fromDate !== null && fromDate > today
    ? `Joins ${formatShortDate(fromDate, today)}`
    : undefined;
}

/** The price in the session or, for a student who joins later, in the lesson. */
function describePrice(
  { studentId, fee }: RosterStudent,
  { seatFee, currency }: LessonDetails,
  { students }: Session,
): { price: string; reason: string } {
  const seat = students.find((each) => each.studentId === studentId);
  const major = fee ?? seatFee;
  const minor = seat ? seat.fee : major && toMinor(major);
  return {
    price: minor ? formatAmount(minor, currency, true) : 'Free',
    reason: feeSourceLabels[seat?.feeSource ?? (fee === null ? 'lesson' : 'student')],
  };
}
