import type { Message, MessageKind, MessageState } from '@lessonbook/contract/messages';
import { formatRelativeDate } from '../../lib/format.ts';
import { type DateContext, toLocalDate } from '../../lib/format-timestamp.ts';

export const KIND_LABELS: Record<MessageKind, string> = {
  lesson_reminder: 'Lesson reminder',
  lesson_change: 'Change of lesson',
  payment_reminder: 'Payment reminder',
  invoice: 'Invoice',
  receipt: 'Receipt',
  payment_update: 'Payment update',
};

/** A WhatsApp draft that the tutor has not sent yet. */
export const isInOutbox = (state: MessageState): boolean => state === 'draft' || state === 'opened';

export interface MessageDay {
  /** 'Today', 'Yesterday', 'Tue 17 Nov' */
  name: string;
  messages: Message[];
}

/** Groups messages by local creation date, keeping them in order. */
export function groupByDay(messages: readonly Message[], dateContext: DateContext): MessageDay[] {
  const days = new Map<string, Message[]>();
  for (const message of messages) {
    const date = toLocalDate(message.createdAt, dateContext);
    days.set(date, [...(days.get(date) ?? []), message]);
  }
  return [...days].map(([date, dayMessages]) => {
    const name = formatRelativeDate(date, dateContext.today);
    return { name: name.charAt(0).toUpperCase() + name.slice(1), messages: dayMessages };
  });
}
