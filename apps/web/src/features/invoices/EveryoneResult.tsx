import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../components/CopyButton.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { count, moneyColumn } from '../../lib/format.ts';
import { sumsText } from '../../lib/sums.ts';
import classes from './EveryoneResult.module.css';
import { useInvoices } from './everyone.ts';
import { linkOf, pdfOf } from './invoice-link.ts';
import { SendAll } from './SendAll.tsx';
import { SendingState } from './SendingState.tsx';
import { useSendAll } from './send-all.ts';

/** Each with its number, and with what can be handed to the family. */
export function EveryoneResult({ ids }: { ids: readonly number[] }) {
  const { invoices, isPending, isError, retry } = useInvoices(ids);
  const sending = useSendAll(invoices);
  const amount = moneyColumn(invoices.map(({ total }) => total));
  if (isPending || isError) {
    return (
      <Sheet>
        {isPending ? (
          <RowSkeleton rows={Math.min(ids.length, 8)} />
        ) : (
          <LoadError onRetry={() => void retry()}>The invoices could not be loaded.</LoadError>
        )}
      </Sheet>
    );
  }
  const sums = sumsText(invoices.map(({ currency, total }) => ({ currency, minor: total })));
  return (
    <Sheet
      heading={[`${count(invoices.length, 'invoice')} issued`, sums].filter(Boolean).join(', ')}
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
              <SendingState of={sending.results[invoice.id]} />
            </p>
            <span className={classes.take}>
              {invoice.token && (
                <CopyButton
                  text={linkOf(invoice.token)}
                  of={`invoice ${invoice.number}`}
                  label="Copy link"
                />
              )}
              <a
                className={classes.pdf}
                href={pdfOf(invoice.id)}
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
        <SendAll sending={sending} />
      </div>
    </Sheet>
  );
}
