import type { Message, MessageKind, MessageState } from '@lessonbook/contract/messages';
import { IconBrandWhatsapp, IconMail } from '@tabler/icons-react';
import classes from './Messages.module.css';
import { CHANNEL_LABELS } from './shared/channel-labels.ts';

export const KIND_LABELS: Record<MessageKind, string> = {
  lesson_reminder: 'Lesson reminder',
  lesson_change: 'Lesson change',
  payment_reminder: 'Payment reminder',
  invoice: 'Invoice',
  receipt: 'Receipt',
  payment_update: 'Payment update',
  custom: 'Message',
  lesson_notes: 'Lesson notes',
  not_arrived: "Hasn't arrived",
};

/** Whether a draft is still waiting for the tutor to send it. */
export const isInOutbox = (state: MessageState): boolean => state === 'draft' || state === 'opened';

/** 'Email' or 'WhatsApp', with its icon. */
export function ChannelLabel({ channel }: Pick<Message, 'channel'>) {
  const Icon = channel === 'email' ? IconMail : IconBrandWhatsapp;
  return (
    <span className={classes.channel}>
      <Icon size={15} stroke={1.8} />
      {CHANNEL_LABELS[channel]}
    </span>
  );
}
