import type { MessageState } from '@lessonbook/contract/messages';
import {
  IconAlertTriangle,
  IconCheck,
  IconChecks,
  IconClock,
  IconMinus,
  IconPencil,
  IconX,
} from '@tabler/icons-react';
import classes from './MessageLog.module.css';

const statuses: Record<MessageState, { label: string; Icon: typeof IconCheck }> = {
  waiting: { label: 'On its way', Icon: IconClock },
  draft: { label: 'To send', Icon: IconPencil },
  opened: { label: 'Opened', Icon: IconPencil },
  sent: { label: 'Sent', Icon: IconCheck },
  delivered: { label: 'Delivered', Icon: IconChecks },
  read: { label: 'Read', Icon: IconChecks },
  failed: { label: 'Not sent', Icon: IconAlertTriangle },
  skipped: { label: 'Not needed any more', Icon: IconMinus },
  dismissed: { label: 'Dismissed', Icon: IconX },
};

/** Delivery status with icon and label. */
export function MessageStatus({ state }: { state: MessageState }) {
  const { label, Icon } = statuses[state];
  return (
    <span className={classes.result} data-state={state}>
      <Icon size={14} stroke={2.2} />
      {label}
    </span>
  );
}
