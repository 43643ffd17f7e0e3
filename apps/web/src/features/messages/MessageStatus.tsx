import type { Message, MessageState } from '@lessonbook/contract/messages';
import {
  IconAlertTriangle,
  IconCheck,
  IconChecks,
  IconClock,
  IconMinus,
  IconPencil,
  IconX,
} from '@tabler/icons-react';
import classes from './Messages.module.css';

const statuses: Record<MessageState, { label: string; Icon: typeof IconCheck }> = {
  waiting: { label: 'On its way', Icon: IconClock },
  draft: { label: 'To send', Icon: IconPencil },
  opened: { label: 'Opened', Icon: IconPencil },
  sent: { label: 'Sent', Icon: IconCheck },
  delivered: { label: 'Delivered', Icon: IconChecks },
  read: { label: 'Read', Icon: IconChecks },
  failed: { label: 'Not delivered', Icon: IconAlertTriangle },
  skipped: { label: 'No longer needed', Icon: IconMinus },
  dismissed: { label: 'Dismissed', Icon: IconX },
};

/** Delivery status with icon and label. */
export function MessageStatus({
  message: { state, isMarkedAsSent },
}: {
  message: Pick<Message, 'state' | 'isMarkedAsSent'>;
}) {
  const { label, Icon } = statuses[state];
  return (
    <span className={classes.status} data-state={isMarkedAsSent ? 'marked' : state}>
      <Icon size={14} stroke={2.2} />
      {isMarkedAsSent ? 'Marked as sent' : label}
    </span>
  );
}
