import type { Message } from '@lessonbook/contract/messages';

/** The latest message that brought an invoice to its family, or should have. */
export const lastSent = (log: readonly Message[], invoiceId: number): Message | undefined =>
  log.find((message) => message.invoiceId === invoiceId && isOut(message.state));

/** It left the tutor's hands, whatever became of it; a draft in the tray has not. */
const isOut = (state: Message['state']): boolean =>
  state === 'sent' ||
  state === 'delivered' ||
  state === 'read' ||
  state === 'waiting' ||
  state === 'failed';
