import { CHANNELS, type Channel } from '@lessonbook/contract/messages';
import type { StudentReminders } from '@lessonbook/contract/reminder-settings';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { CHANNEL_LABELS } from '../messages/shared/channel-labels.ts';
import { remindersQuery } from './api.ts';
import classes from './Reminders.module.css';
import { leadChoices, leadToValue, parseLead, recipientChoices } from './reminder-options.ts';

interface ChannelCheckboxesProps {
  value: readonly Channel[];
  onChange: (channels: Channel[]) => void;
  error?: string | undefined;
}

const channelHints = (isAutomatic: boolean): Record<Channel, string> => ({
  email: 'Sent automatically',
  whatsapp: isAutomatic
    ? "Sent automatically to people who've agreed; otherwise saved in Messages for you to send"
    : 'Saved in Messages for you to send from your own WhatsApp',
});

function ChannelCheckboxes({ value, onChange, error }: ChannelCheckboxesProps) {
  const { data: reminders } = useQuery(remindersQuery);
  const hints = channelHints(reminders?.whatsAppAutomatic ?? false);
  return (
    <fieldset className={classes.channels}>
      <legend>How to send</legend>
      {CHANNELS.map((channel) => (
        <CheckboxField
          key={channel}
          label={CHANNEL_LABELS[channel]}
          hint={hints[channel]}
          checked={value.includes(channel)}
          onChange={(on) =>
            onChange(CHANNELS.filter((item) => (item === channel ? on : value.includes(item))))
          }
        />
      ))}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

export type ReminderSchedule = Pick<StudentReminders, 'leadMinutes' | 'channels' | 'recipient'>;

interface Props {
  schedule: ReminderSchedule;
  onChange: (changes: Partial<ReminderSchedule>) => void;
}

/** Lead time, channels and recipient. Used for all students and for a single student. */
export function ReminderScheduleFields({ schedule, onChange }: Props) {
  return (
    <>
      <Select
        label="When"
        data={leadChoices}
        allowDeselect={false}
        value={leadToValue(schedule.leadMinutes)}
        onChange={(text) => onChange({ leadMinutes: parseLead(text) })}
      />
      <ChannelCheckboxes
        value={schedule.channels}
        onChange={(channels) => onChange({ channels })}
        error={schedule.channels.length === 0 ? 'Please choose email, WhatsApp or both' : undefined}
      />
      <SegmentedControl
        label="Send to"
        showLabel
        value={schedule.recipient}
        options={recipientChoices}
        onChange={(recipient) => onChange({ recipient })}
      />
    </>
  );
}
