import type {
  Batch,
  BatchItem,
  BatchKind,
  BatchSummary,
} from '@lessonbook/contract/invoice-and-reminder-batches';
import { pluralize } from '../../lib/format.ts';

const RUNNING: Record<BatchKind, string> = {
  send_invoices: 'Sending invoices',
  issue_invoices: 'Issuing invoices',
  send_reminders: 'Sending reminders',
};

/** 'sent', or 'issued' if nothing is sent. */
export const doneLabel = (kind: BatchKind): string =>
  kind === 'issue_invoices' ? 'issued' : 'sent';

export const countItems = (batch: Batch, ...states: BatchItem['state'][]): number =>
  batch.items.filter(({ state }) => states.includes(state)).length;

/** An invoice that has its number but cannot be emailed. */
export const needsManualDelivery = ({ state, address, number }: BatchItem): boolean =>
  state === 'not_done' && address === null && number !== null;

/** 'Sending invoices' and, at the end, '7 sent, 1 for you to deliver'. */
export function formatBatchTitle(batch: Batch): string {
  if (batch.isRunning) return RUNNING[batch.kind];
  const done = countItems(batch, 'sent', 'issued');
  const manualCount = batch.items.filter(needsManualDelivery).length;
  const toSend = countItems(batch, 'to_send');
  const skipped = countItems(batch, 'skipped');
  const failed = batch.notDone - manualCount;
  return [
    `${done} ${doneLabel(batch.kind)}`,
    manualCount > 0 && `${manualCount} for you to deliver`,
    toSend > 0 && `${toSend} waiting in To send`,
    skipped > 0 && `${skipped} not needed`,
    failed > 0 && `${failed} not ${doneLabel(batch.kind)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** 'Sending invoices: 4 of 8 done' or '2 of 8 invoices not sent' */
export function formatBatchSummary({
  kind,
  isRunning,
  total,
  done,
  notDone,
}: BatchSummary): string {
  if (isRunning) return `${RUNNING[kind]}: ${done} of ${total} done`;
  const noun = kind === 'send_reminders' ? 'reminder' : 'invoice';
  return `${notDone} of ${pluralize(total, noun)} not ${doneLabel(kind)}`;
}
