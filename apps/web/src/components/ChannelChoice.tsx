import type { Channel } from '@lessonbook/contract/messages';
import { CHANNEL_NAMES } from '../lib/channel-names.ts';
import { Segments } from './Segments.tsx';

const channels = [
  { value: 'email', label: CHANNEL_NAMES.email },
  { value: 'whatsapp', label: CHANNEL_NAMES.whatsapp },
] as const;

interface Props {
  value: Channel;
  onChange: (channel: Channel) => void;
}

/** How a message goes. */
export const ChannelChoice = (props: Props) => (
  <Segments label="Send by" options={channels} {...props} />
);
