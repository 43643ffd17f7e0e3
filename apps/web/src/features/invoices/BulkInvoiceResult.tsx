import type { Invoice } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { formatTotals, moneyColumn, pluralize } from '../../lib/format.ts';
import { errorMessage } from '../../lib/query.ts';
import { useSendInvoice } from '../messages/api.ts';
import { invoicePdfUrl, publicInvoiceUrl } from './api.ts';
import classes from './BulkInvoiceResult.module.css';
import { useInvoices } from './bulk-invoice.ts';

/** What became of one: on its way, or why not. */
type SendResult = 'sending' | 'sent' | { problem: string };

/** One call for each invoice, so that one family without an address does not keep the others waiting. */
function useSendAll(invoices: readonly Invoice[]) {
  const [results, setResults] = useState<Readonly<Record<number, SendResult>>>({});
  const [isBusy, setIsBusy] = useState(false);
  // A name for each try, kept until it has arrived: an answer that got lost sends no second mail.
  const attempts = useRef(new Map<number, string>());
  const send = useSendInvoice({ isShownInPlace: true });
  const open = invoices.filter(({ id, state }) => state !== 'void' && results[id] !== 'sent');
  const note = (id: number, result: SendResult) =>
    setResults((before) => ({ ...before, [id]: result }));

  async function sendOne(id: number) {
    const idempotencyKey = attempts.current.get(id) ?? crypto.randomUUID();
    attempts.current.set(id, idempotencyKey);
    note(id, 'sending');
    try {
      await send.mutateAsync({ params: { id }, body: { channel: 'email' }, idempotencyKey });
      note(id, 'sent');
    } catch (error) {
      note(id, {
        problem: errorMessage(error as Error, { errorFallback: 'It could not be sent.' }),
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

type SendAllState = ReturnType<typeof useSendAll>;

/** As icon and word; why one did not go, in full. */
function SendStatus({ of }: { of: SendResult | undefined }) {
  if (!of) return null;
  if (of === 'sending') {
    return (
      <span className={classes.sending}>
        <IconClock size={14} stroke={2.2} />
        Sending...
      </span>
    );
  }
  if (of === 'sent') {
    return (
      <span className={classes.sending} data-sent>
        <IconCheck size={14} stroke={2.6} />
        E-mail on its way
      </span>
    );
  }
  return (
    <span className={classes.sending} data-failed>
      <IconAlertTriangle size={14} stroke={2.2} />
      {of.problem}
    </span>
  );
}

/** All of them by mail, one after the other; what became of each stands in its row. */
function SendAllButton({ sending }: { sending: SendAllState }) {
  const { left, isBusy, sendAll } = sending;
  return (
    <>
      {left > 0 && (
        <Button disabled={isBusy} onClick={() => void sendAll()}>
          {isBusy ? 'Sending...' : 'Send all by e-mail'}
        </Button>
      )}
      <p role="status">
        {!isBusy && sending.sent > 0 && `${pluralize(sending.sent, 'e-mail')} on the way.`}
      </p>
    </>
  );
}

/** Each with its number, and with what can be handed to the family. */
export function BulkInvoiceResult({ ids }: { ids: readonly number[] }) {
  const { invoices, isPending, isError, retry } = useInvoices(ids);
  const sending = useSendAll(invoices);
  const amount = moneyColumn(invoices.map(({ total }) => total));
  if (isPending || isError) {
    return (
      <Card>
        {isPending ? (
          <RowSkeleton rows={Math.min(ids.length, 8)} />
        ) : (
          <LoadError onRetry={() => void retry()}>The invoices could not be loaded.</LoadError>
        )}
      </Card>
    );
  }
  const sums = formatTotals(invoices.map(({ currency, total }) => ({ currency, minor: total })));
  return (
    <Card
      heading={[`${pluralize(invoices.length, 'invoice')} issued`, sums].filter(Boolean).join(', ')}
    >
      <ul>
        {invoices.map((invoice) => (
          <li key={invoice.id} className={classes.row}>
            <p className={classes.who}>
              <Link to="/invoices/$id" params={{ id: String(invoice.id) }}>
                {invoice.familyName}
              </Link>
              <small>
                {invoice.number}, {amount(invoice.total, invoice.currency)}
              </small>
              <SendStatus of={sending.results[invoice.id]} />
            </p>
            <span className={classes.take}>
              {invoice.token && (
                <CopyButton
                  text={publicInvoiceUrl(invoice.token)}
                  of={`invoice ${invoice.number}`}
                  label="Copy link"
                />
              )}
              <a
                className={classes.pdf}
                href={invoicePdfUrl(invoice.id)}
                download
                aria-label={`PDF, invoice ${invoice.number}`}
              >
                <IconDownload size={18} stroke={1.8} />
                PDF
              </a>
            </span>
          </li>
        ))}
      </ul>
      <div className={classes.all}>
        <SendAllButton sending={sending} />
      </div>
    </Card>
  );
}
