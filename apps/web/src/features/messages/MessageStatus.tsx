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

const statuses: Record<MessageState, { word: string; Icon: typeof IconCheck }> = {
  waiting: { word: 'On its way', Icon: IconClock },
  draft: { word: 'To send', Icon: IconPencil },
  opened: { word: 'Opened', Icon: IconPencil },
  sent: { word: 'Sent', Icon: IconCheck },
  delivered: { word: 'Delivered', Icon: IconChecks },
  read: { word: 'Read', Icon: IconChecks },
  failed: { word: 'Not sent', Icon: IconAlertTriangle },
  skipped: { word: 'Not needed any more', Icon: IconMinus },
  dismissed: { word: 'Dismissed', Icon: IconX },
};

/** What became of it, always as icon and word. */
export function MessageStatus({ state }: { state: MessageState }) {
  const { word, Icon } = statuses[state];
  return (
    <span className={classes.result} data-state={state}>
      <Icon size={14} stroke={2.2} />
      {word}
    </span>
  );
}
