import type { Channel } from '@lessonbook/contract/messages';
import { SegmentedControl } from '../../../components/SegmentedControl.tsx';
import { CHANNEL_LABELS } from './channel-labels.ts';

const channels = [
  { value: 'email', label: CHANNEL_LABELS.email },
  { value: 'whatsapp', label: CHANNEL_LABELS.whatsapp },
] as const;

interface Props {
  value: Channel;
  onChange: (channel: Channel) => void;
}

export const ChannelSelect = (props: Props) => (
  <SegmentedControl label="Send by" options={channels} {...props} />
);
