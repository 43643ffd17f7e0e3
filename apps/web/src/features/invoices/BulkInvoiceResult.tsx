import type { Invoice } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { createAmountFormatter, formatTotals, pluralize } from '../../lib/format.ts';
import { getErrorMessage } from '../../lib/query.ts';
import { useSendInvoice } from '../messages/api.ts';
import { invoicePdfUrl, publicInvoiceUrl } from './api.ts';
import classes from './BulkInvoiceResult.module.css';
import { useInvoicesById } from './use-invoices-by-id.ts';

type SendResult = 'sending' | 'sent' | { problem: string };

/** One call per invoice, so that a family without an address does not block the others. */
function useSendAll(invoices: readonly Invoice[]) {
  const [results, setResults] = useState<Readonly<Record<number, SendResult>>>({});
  const [isBusy, setIsBusy] = useState(false);
  // A retry after a lost response reuses the key, so the invoice is not sent twice.
  const idempotencyKeys = useRef(new Map<number, string>());
  const send = useSendInvoice({ isErrorShownInline: true });
  const unsent = invoices.filter(({ id, state }) => state !== 'void' && results[id] !== 'sent');
  const setResult = (id: number, result: SendResult) =>
    setResults((previous) => ({ ...previous, [id]: result }));

  async function sendOne(id: number) {
    const idempotencyKey = idempotencyKeys.current.get(id) ?? crypto.randomUUID();
    idempotencyKeys.current.set(id, idempotencyKey);
    setResult(id, 'sending');
    try {
      await send.mutateAsync({ params: { id }, body: { channel: 'email' }, idempotencyKey });
      setResult(id, 'sent');
    } catch (error) {
      setResult(id, {
        problem: getErrorMessage(error as Error, { errorFallback: 'It could not be sent.' }),
      });
    }
  }

  async function sendAll() {
    setIsBusy(true);
    for (const { id } of unsent) await sendOne(id);
    setIsBusy(false);
  }

  return {
    results,
    isBusy,
    unsentCount: unsent.length,
    sentCount: Object.values(results).filter((result) => result === 'sent').length,
    sendAll,
  };
}

type SendAllState = ReturnType<typeof useSendAll>;

function SendStatus({ result }: { result: SendResult | undefined }) {
  if (!result) return null;
  if (result === 'sending') {
    return (
      <span className={classes.sending}>
        <IconClock size={14} stroke={2.2} />
        Sending...
      </span>
    );
  }
  if (result === 'sent') {
    return (
      <span className={classes.sending} data-sent>
        <IconCheck size={14} stroke={2.6} />
        Email on its way
      </span>
    );
  }
  return (
    <span className={classes.sending} data-failed>
      <IconAlertTriangle size={14} stroke={2.2} />
      {result.problem}
    </span>
  );
}

/** Sends all the invoices by e-mail, one after another. Each row shows its result. */
function SendAllButton({ sendAllState }: { sendAllState: SendAllState }) {
  const { unsentCount, sentCount, isBusy, sendAll } = sendAllState;
  return (
    <>
      {unsentCount > 0 && (
        <Button disabled={isBusy} onClick={() => void sendAll()}>
          {isBusy ? 'Sending...' : 'Send all by e-mail'}
        </Button>
      )}
      <p role="status">
        {!isBusy && sentCount > 0 && `${pluralize(sentCount, 'e-mail')} on the way.`}
      </p>
    </>
  );
}

/** The issued invoices, each with its number, public link and PDF. */
export function BulkInvoiceResult({ ids }: { ids: readonly number[] }) {
  const { invoices, isPending, isError, retry } = useInvoicesById(ids);
  const sendAllState = useSendAll(invoices);
  const amount = createAmountFormatter(invoices.map(({ total }) => total));
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
            <p className={classes.payer}>
              <Link to="/invoices/$id" params={{ id: String(invoice.id) }}>
                {invoice.familyName}
              </Link>
              <small>
                {invoice.number}, {amount(invoice.total, invoice.currency)}
              </small>
              <SendStatus result={sendAllState.results[invoice.id]} />
            </p>
            <span className={classes.downloads}>
              {invoice.token && (
                <CopyButton
                  text={publicInvoiceUrl(invoice.token)}
                  itemName={`invoice ${invoice.number}`}
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
      <div className={classes.sendAll}>
        <SendAllButton sendAllState={sendAllState} />
      </div>
    </Card>
  );
}
