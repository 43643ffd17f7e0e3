import { CHANNELS, type Channel } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { CheckField } from '../../components/CheckField.tsx';
import { CHANNEL_NAMES } from '../../lib/channel-names.ts';
import { remindersQuery } from './api.ts';
import classes from './Reminders.module.css';

interface Props {
  value: readonly Channel[];
  onChange: (channels: Channel[]) => void;
  error?: string | undefined;
}

const hintsOf = (byItself: boolean): Record<Channel, string> => ({
  email: 'Goes by itself',
  whatsapp: byItself
    ? 'Goes by itself to whoever agreed; the others wait under Messages'
    : 'Waits under Messages until you send it from your own WhatsApp',
});

export function ChannelTicks({ value, onChange, error }: Props) {
  const { data: reminders } = useQuery(remindersQuery);
  const hints = hintsOf(reminders?.whatsAppByItself ?? false);
  return (
    <fieldset className={classes.ticks}>
      <legend>How</legend>
      {CHANNELS.map((channel) => (
        <CheckField
          key={channel}
          label={CHANNEL_NAMES[channel]}
          hint={hints[channel]}
          checked={value.includes(channel)}
          onChange={(on) =>
            onChange(CHANNELS.filter((each) => (each === channel ? on : value.includes(each))))
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
