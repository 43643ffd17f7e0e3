import { toMinor } from '@lessonbook/contract/money';
import type { Attendance, SessionRow } from '@lessonbook/contract/sessions';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { money } from '../../lib/format.ts';

export const attendanceOptions = [
  { value: 'attended', label: 'Attended' },
  { value: 'late', label: 'Late' },
  { value: 'absent', label: 'Absent' },
] as const;

interface Props {
  session: Pick<SessionRow, 'fee' | 'currency'>;
  attendance: Attendance;
  charge: boolean;
  onAttendance: (attendance: Attendance) => void;
  onCharge: (charge: boolean) => void;
}

/** Attendance and fee. An absence is charged unless the fee is waived; a free lesson has no fee field. */
export function AttendanceFields({ session, attendance, charge, onAttendance, onCharge }: Props) {
  return (
    <>
      <SegmentedControl
        label="Attendance"
        shown
        value={attendance}
        options={attendanceOptions}
        onChange={onAttendance}
      />
      {session.fee !== null && (
        <SegmentedControl
          label="Fee"
          shown
          value={charge ? 'charge' : 'waive'}
          options={[
            { value: 'charge', label: `Charge ${money(toMinor(session.fee), session.currency)}` },
            { value: 'waive', label: 'Waive' },
          ]}
          onChange={(value) => onCharge(value === 'charge')}
        />
      )}
    </>
  );
}
