import type { BatchItem, BatchKind } from '@lessonbook/contract/invoice-and-reminder-batches';
import {
  IconAlertTriangle,
  IconBrandWhatsapp,
  IconCheck,
  IconClock,
  IconLoader2,
} from '@tabler/icons-react';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import classes from './BatchItemStatus.module.css';
import { doneLabel, needsManualDelivery } from './batch-labels.ts';

const icons: Record<BatchItem['state'], typeof IconCheck> = {
  waiting: IconClock,
  sending: IconLoader2,
  sent: IconCheck,
  issued: IconCheck,
  to_send: IconBrandWhatsapp,
  skipped: IconCheck,
  not_done: IconAlertTriangle,
};

interface Props {
  item: BatchItem;
  kind: BatchKind;
  dateContext: DateContext;
}

/** 'Sent 05:58', 'Waiting' or 'Not sent: no email'. */
export function BatchItemStatus({ item, kind, dateContext }: Props) {
  const Icon = icons[item.state];
  return (
    <span className={classes.status} data-state={item.state}>
      <Icon size={16} stroke={2} />
      {formatItemState(item, kind, dateContext)}
    </span>
  );
}

const LABELS: Record<Exclude<BatchItem['state'], 'skipped' | 'not_done'>, string> = {
  waiting: 'Waiting',
  sending: 'Sending...',
  sent: 'Sent',
  issued: 'Issued',
  to_send: 'Waiting in To send',
};

function formatItemState(item: BatchItem, kind: BatchKind, dateContext: DateContext): string {
  if (item.state === 'skipped') return item.problem ?? 'Not needed';
  if (item.state === 'not_done') {
    const reason = needsManualDelivery(item) ? 'no email' : item.problem;
    return [`Not ${doneLabel(kind)}`, reason].filter(Boolean).join(': ');
  }
  const at = item.at && formatTimestamp(item.at, dateContext);
  return [LABELS[item.state], at].filter(Boolean).join(' ');
}
