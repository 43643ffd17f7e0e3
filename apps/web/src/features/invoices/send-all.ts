import type { Invoice } from '@lessonbook/contract/invoices';
import { useRef, useState } from 'react';
import { failureText } from '../../lib/query.ts';
import { useSendInvoice } from '../messages/api.ts';

/** What became of one: on its way, or why not. */
export type Sending = 'sending' | 'sent' | { problem: string };

/** One call for each invoice, so that one family without an address does not keep the others waiting. */
export function useSendAll(invoices: readonly Invoice[]) {
  const [results, setResults] = useState<Readonly<Record<number, Sending>>>({});
  const [isBusy, setIsBusy] = useState(false);
  // A name for each try, kept until it has arrived: an answer that got lost sends no second mail.
  const attempts = useRef(new Map<number, string>());
  const send = useSendInvoice({ isShownInPlace: true });
  const open = invoices.filter(({ id, state }) => state !== 'void' && results[id] !== 'sent');
  const note = (id: number, result: Sending) =>
    setResults((before) => ({ ...before, [id]: result }));

  async function sendOne(id: number) {
    const attempt = attempts.current.get(id) ?? crypto.randomUUID();
    attempts.current.set(id, attempt);
    note(id, 'sending');
    try {
      await send.mutateAsync({ params: { id }, body: { channel: 'email' }, attempt });
      note(id, 'sent');
    } catch (error) {
      note(id, {
        problem: failureText(error as Error, { errorFallback: 'It could not be sent.' }),
      });
    }
  }

  async function sendAll() {
    setIsBusy(true);
    for (const { id } of open) await sendOne(id);
    setIsBusy(false);
  }

  return {
    results,
    isBusy,
    left: open.length,
    sent: Object.values(results).filter((result) => result === 'sent').length,
    sendAll,
  };
}

export type SendingAll = ReturnType<typeof useSendAll>;
