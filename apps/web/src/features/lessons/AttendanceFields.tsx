import type {
  Attendance,
  CompleteInput,
  SessionRow,
  SessionStudent,
} from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { Avatar } from '../../components/Avatar.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { firstName, formatAmount, formatList, initials } from '../../lib/format.ts';
import classes from './AttendanceFields.module.css';
import { feeSourceLabels } from './lesson-change-format.ts';

export const attendanceOptions = [
  { value: 'attended', label: 'Attended' },
  { value: 'late', label: 'Late' },
  { value: 'absent', label: 'Absent' },
] as const;

interface Props {
  session: Pick<SessionRow, 'fee' | 'currency'>;
  attendance: Attendance;
  charge: boolean;
  onAttendanceChange: (attendance: Attendance) => void;
  onChargeChange: (charge: boolean) => void;
}

/** Attendance and fee. An absence is charged unless the fee is waived; a free lesson has no fee field. */
export function AttendanceFields({
  session,
  attendance,
  charge,
  onAttendanceChange,
  onChargeChange,
}: Props) {
  return (
    <>
      <SegmentedControl
        label="Attendance"
        showLabel
        value={attendance}
        options={attendanceOptions}
        onChange={onAttendanceChange}
      />
      {session.fee !== null && (
        <SegmentedControl
          label="Fee"
          showLabel
          value={charge ? 'charge' : 'waive'}
          options={[
            {
              value: 'charge',
              label: `Charge ${formatAmount(session.fee, session.currency)}`,
            },
            { value: 'waive', label: "Don't charge" },
          ]}
          onChange={(value) => onChargeChange(value === 'charge')}
        />
      )}
    </>
  );
}

export interface SeatOutcome {
  attendance: Attendance;
  charge: boolean;
}

/** Keyed by student id. Contains only the students of a group who differ from the default. */
export type SeatOutcomes = Readonly<Record<number, SeatOutcome>>;

const ATTENDED: SeatOutcome = { attendance: 'attended', charge: true };

export const outcomeOfSeat = (
  outcomes: SeatOutcomes,
  { studentId }: Pick<SessionStudent, 'studentId'>,
): SeatOutcome => outcomes[studentId] ?? ATTENDED;

const expectedSeats = ({ students }: Pick<SessionRow, 'students'>): SessionStudent[] =>
  students.filter(({ state }) => state === 'expected');

/** The students who differ from the default, in the format of the request. */
export const toSeatInput = (
  session: Pick<SessionRow, 'students'>,
  outcomes: SeatOutcomes,
): NonNullable<CompleteInput['students']> =>
  expectedSeats(session)
    .filter(({ studentId }) => outcomes[studentId])
    .map((seat) => ({ studentId: seat.studentId, ...outcomeOfSeat(outcomes, seat) }));

/** What completing the session charges, in minor units. */
export const sumSeatFees = (
  session: Pick<SessionRow, 'students'>,
  outcomes: SeatOutcomes,
): number =>
  expectedSeats(session)
    .filter((seat) => outcomeOfSeat(outcomes, seat).charge)
    .reduce((sum, { fee }) => sum + (fee ?? 0), 0);

/** '4 here' or '3 here, 1 absent'. A late student is here. */
export function formatSeatOutcomes(
  session: Pick<SessionRow, 'students'>,
  outcomes: SeatOutcomes,
): string {
  const seats = expectedSeats(session);
  const absent = seats.filter((seat) => outcomeOfSeat(outcomes, seat).attendance === 'absent');
  const present = `${seats.length - absent.length} here`;
  return absent.length === 0 ? present : `${present}, ${absent.length} absent`;
}

interface SeatProps {
  session: Pick<SessionRow, 'students' | 'currency'>;
  outcomes: SeatOutcomes;
  onChange: (outcomes: SeatOutcomes) => void;
}

/** The attendance of each student of a group. All are marked as here unless changed. */
export function SeatAttendanceFields({ session, outcomes, onChange }: SeatProps) {
  const cancelled = session.students.filter(({ state }) => state === 'cancelled');
  return (
    <div className={classes.seats}>
      <div className={classes.head}>
        <p>Everyone is marked as attended unless you change it.</p>
        <Button
          variant="light"
          size="sm"
          leftSection={<IconChecks size={17} stroke={2} />}
          onClick={() => onChange({})}
        >
          All here
        </Button>
      </div>
      <ul>
        {expectedSeats(session).map((seat) => (
          <SeatAttendance
            key={seat.studentId}
            seat={seat}
            currency={session.currency}
            outcome={outcomeOfSeat(outcomes, seat)}
            onChange={(outcome) => onChange({ ...outcomes, [seat.studentId]: outcome })}
          />
        ))}
      </ul>
      {cancelled.length > 0 && (
        <p className={classes.cancelled}>
          Cancelled for {formatList(cancelled.map(({ name }) => firstName(name)))}.
        </p>
      )}
    </div>
  );
}

interface SeatAttendanceProps {
  seat: SessionStudent;
  currency: SessionRow['currency'];
  outcome: SeatOutcome;
  onChange: (outcome: SeatOutcome) => void;
}

function SeatAttendance({ seat, currency, outcome, onChange }: SeatAttendanceProps) {
  const { attendance, charge } = outcome;
  const name = firstName(seat.name);
  const fee = seat.fee === null ? null : formatAmount(seat.fee, currency);
  return (
    <li className={classes.seat}>
      <Avatar initials={initials(seat.name)} />
      <p>
        <b>{seat.name}</b>
        <small>{formatSeatFee(seat, outcome, fee)}</small>
      </p>
      <SegmentedControl
        label={`Attendance of ${seat.name}`}
        value={attendance}
        options={attendanceOptions}
        // A fee can be waived only for an absence.
        onChange={(value) => onChange({ attendance: value, charge: true })}
      />
      <b className={classes.amount}>{charge ? (fee ?? 'Free') : 'Not charged'}</b>
      {attendance === 'absent' && fee && (
        <div className={classes.absence}>
          <span>
            {charge
              ? `${name}'s place wasn't cancelled, so the full fee applies.`
              : `${name} won't be charged.`}
          </span>
          <Button
            variant="subtle"
            size="compact-md"
            onClick={() => onChange({ attendance, charge: !charge })}
          >
            {charge ? `Don't charge ${fee}` : `Charge ${fee}`}
          </Button>
        </div>
      )}
    </li>
  );
}

function formatSeatFee(
  { feeSource }: SessionStudent,
  { attendance, charge }: SeatOutcome,
  fee: string | null,
): string {
  if (attendance === 'absent') return charge && fee ? 'Absent, charged' : 'Absent, not charged';
  return fee === null ? 'Free' : feeSourceLabels[feeSource];
}
