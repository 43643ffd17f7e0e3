import { formatTime12 } from '@lessonbook/contract/format-time';
import { NOTE_EMAIL_HOURS } from '@lessonbook/contract/portal-management';
import { Select } from '@mantine/core';
import { Card } from '../../components/Card.tsx';
import { useSetNoteEmailHour } from './api.ts';

const OPTIONS = [
  ...NOTE_EMAIL_HOURS.map((hour) => ({
    value: String(hour),
    label: formatTime12(`${String(hour).padStart(2, '0')}:00`),
  })),
  { value: '', label: "Don't email notes" },
];

/** When families are emailed the notes that have been shared since the last email. */
export function NoteEmailTimeSetting({ hour }: { hour: number | null }) {
  const save = useSetNoteEmailHour();
  const shown = save.isPending ? save.variables : hour;
  return (
    <Card heading="Emails with notes">
      <Select
        label="Send new notes at"
        description="Each person gets at most one email a day, with the notes you've shared with them since the last one. They can stop these emails."
        size="md"
        allowDeselect={false}
        data={OPTIONS}
        value={shown === null ? '' : String(shown)}
        onChange={(value) =>
          save.mutate(NOTE_EMAIL_HOURS.find((each) => String(each) === value) ?? null)
        }
      />
    </Card>
  );
}
