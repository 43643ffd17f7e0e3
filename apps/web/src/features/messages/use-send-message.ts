import type { Channel, Message } from '@lessonbook/contract/messages';
import { openTab } from '../../lib/external-navigation.ts';
import { toastDone } from '../../lib/toast.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useOpenMessage } from './api.ts';

type Send<Input> = (input: Input & { idempotencyKey: string }) => Promise<{ messages: Message[] }>;

const formatEmailCount = (number: number): string =>
  number === 1 ? 'E-mail on its way' : `${number} e-mails on their way`;

/**
 * Sends by hand. A mail is on its way; a WhatsApp draft lies in the tray and opens at once, in the tutor's own
 * WhatsApp.
 */
export function useSendMessage<Input extends object>(
  send: Send<Input>,
  onSent: (message: Message | undefined) => void,
) {
  const opened = useOpenMessage();
  const attempts = useIdempotencyKey();

  return async (channel: Channel, input: Input, isOne = true) => {
    // Several drafts wait in the tray: a browser would not open so many tabs, and no thumb could follow.
    const tab = channel === 'whatsapp' && isOne ? openTab() : null;
    try {
      const { messages } = await send({ ...input, idempotencyKey: attempts.nameOf(input) });
      // The same words once more are a second message: the first one arrived.
      attempts.forget();
      const [message] = messages;
      if (tab && message?.openUrl && tab.goTo(message.openUrl)) opened.mutate(message.id);
      else tab?.close();
      if (!message) toastDone('Told before', 'The same message went out already.');
      else if (channel === 'email') toastDone(formatEmailCount(messages.length));
      onSent(message);
    } catch {
      // A toast has said why.
      tab?.close();
    }
  };
}
