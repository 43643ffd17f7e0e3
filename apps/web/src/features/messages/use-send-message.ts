import type { Channel, Message } from '@lessonbook/contract/messages';
import { openTab } from '../../lib/external-navigation.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useMarkMessageOpened } from './api.ts';

type Send<Input> = (input: Input & { idempotencyKey: string }) => Promise<{ messages: Message[] }>;

const emailQueuedMessage = (count: number): string =>
  count === 1 ? 'Email on its way' : `${count} emails on their way`;

/**
 * Sends a message manually. An email is queued; a WhatsApp draft goes to the outbox and opens immediately in the
 * tutor's own WhatsApp.
 */
export function useSendMessage<Input extends object>(
  send: Send<Input>,
  onSent: (message: Message | undefined) => void,
) {
  const markOpened = useMarkMessageOpened();
  const idempotency = useIdempotencyKey();

  return async (channel: Channel, input: Input, isSingle = true) => {
    // If there is more than one draft, they stay in the outbox: the browser would block the extra tabs.
    const tab = channel === 'whatsapp' && isSingle ? openTab() : null;
    try {
      const { messages } = await send({ ...input, idempotencyKey: idempotency.keyFor(input) });
      // This one has succeeded, so sending the same text again must create a new message.
      idempotency.reset();
      const [message] = messages;
      if (tab && message?.openUrl && tab.goTo(message.openUrl)) markOpened.mutate(message.id);
      else tab?.close();
      if (!message) toastSuccess('Already sent', 'This message has already been sent.');
      else if (channel === 'email') toastSuccess(emailQueuedMessage(messages.length));
      onSent(message);
    } catch (error) {
      tab?.close();
      throw error;
    }
  };
}
