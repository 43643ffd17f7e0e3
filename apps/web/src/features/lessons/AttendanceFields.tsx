import type { Attendance, SessionRow } from '@lessonbook/contract/sessions';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { formatAmount } from '../../lib/format.ts';

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
