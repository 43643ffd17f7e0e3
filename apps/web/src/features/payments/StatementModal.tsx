import { isDate } from '@lessonbook/contract/dates';
import { Button } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useState } from 'react';
import { DateRangeFields } from '../../components/DateRangeFields.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';

interface Props {
  familyId: number;
  today: string;
  opened: boolean;
  onClose: () => void;
}

/** All charges and payments of a period as a PDF; by default since 1 January. */
export function StatementModal({ familyId, today, opened, onClose }: Props) {
  const [days, setDays] = useState({ from: `${today.slice(0, 4)}-01-01`, to: today });
  const isValid = isDate(days.from) && isDate(days.to) && days.from <= days.to;
  const query = new URLSearchParams(days).toString();
  return (
    <ResponsiveModal title="Statement (PDF)" opened={opened} onClose={onClose}>
      <DateRangeFields days={days} onChange={setDays} today={today} />
      <Button
        component="a"
        href={`/api/families/${familyId}/statement.pdf?${query}`}
        download
        fullWidth
        mt={20}
        {...(!isValid && { 'data-disabled': true })}
        aria-disabled={!isValid}
        leftSection={<IconFileTypePdf size={18} stroke={1.8} />}
        onClick={(event) => (isValid ? onClose() : event.preventDefault())}
      >
        Download
      </Button>
    </ResponsiveModal>
  );
}
