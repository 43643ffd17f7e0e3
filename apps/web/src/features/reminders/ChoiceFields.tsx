import type { StudentReminders } from '@lessonbook/contract/reminders';
import { Select } from '@mantine/core';
import { Segments } from '../../components/Segments.tsx';
import { ChannelTicks } from './ChannelTicks.tsx';
import { leadChoices, leadText, readLead, recipientChoices } from './reminder-words.ts';

export type Choice = Pick<StudentReminders, 'lead' | 'channels' | 'recipient'>;

interface Props {
  choice: Choice;
  onChange: (part: Partial<Choice>) => void;
}

/** When, how and to whom: for everyone, and for one student. */
export function ChoiceFields({ choice, onChange }: Props) {
  return (
    <>
      <Select
        label="When"
        data={leadChoices}
        allowDeselect={false}
        value={leadText(choice.lead)}
        onChange={(text) => onChange({ lead: readLead(text) })}
      />
      <ChannelTicks
        value={choice.channels}
        onChange={(channels) => onChange({ channels })}
        error={choice.channels.length === 0 ? 'Please choose at least one way' : undefined}
      />
      <Segments
        label="To whom"
        shown
        value={choice.recipient}
        options={recipientChoices}
        onChange={(recipient) => onChange({ recipient })}
      />
    </>
  );
}
