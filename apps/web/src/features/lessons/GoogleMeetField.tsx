import type { CalendarStatus } from '@lessonbook/contract/calendar';
import { useQuery } from '@tanstack/react-query';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { calendarStatusQuery } from '../calendar/api.ts';

interface Props {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Offered where Google Calendar is connected and can create links. */
export function GoogleMeetField({ checked, onChange }: Props) {
  const { data: offersMeet = false } = useQuery(offersMeetQuery);
  if (!offersMeet && !checked) return null;
  return (
    <CheckboxField
      label="Use Google Meet"
      hint="A link is created with the event in your Google calendar."
      checked={checked}
      onChange={onChange}
    />
  );
}

/** Read once: the dialog does not follow the progress of the sync. */
const offersMeetQuery = {
  ...calendarStatusQuery,
  refetchInterval: false,
  select: ({ offersMeet }: CalendarStatus) => offersMeet,
} as const;
