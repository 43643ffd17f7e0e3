import type { Message, MessageKind, MessageState } from '@lessonbook/contract/messages';
import { nearDate } from '../../lib/format.ts';
import { dateAt, type Wall } from '../../lib/moments.ts';

export const KIND_NAMES: Record<MessageKind, string> = {
  lesson_reminder: 'Lesson reminder',
  lesson_change: 'Change of lesson',
  payment_reminder: 'Payment reminder',
  invoice: 'Invoice',
  receipt: 'Receipt',
};

/** It waits for the tutor's own thumb. */
export const isInTray = (state: MessageState): boolean => state === 'draft' || state === 'opened';

export interface DayOfMessages {
  /** 'Today', 'Yesterday', 'Tue 17 Nov' */
  name: string;
  messages: Message[];
}

/** By the day on which they were written, in the order they come. */
export function byDay(messages: readonly Message[], wall: Wall): DayOfMessages[] {
  const days = new Map<string, Message[]>();
  for (const message of messages) {
    const date = dateAt(message.createdAt, wall);
    days.set(date, [...(days.get(date) ?? []), message]);
  }
  return [...days].map(([date, own]) => {
    const name = nearDate(date, wall.today);
    return { name: name.charAt(0).toUpperCase() + name.slice(1), messages: own };
  });
}
