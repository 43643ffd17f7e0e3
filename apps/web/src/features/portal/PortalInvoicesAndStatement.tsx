import {
  type PortalAccount,
  type PortalInvoice,
  portalMoney,
} from '@lessonbook/contract/portal-charges-and-invoices';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { PublicButton, PublicLink } from '../../components/PublicButtons.tsx';
import { formatAmount, formatMonthYear, formatShortDate } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import classes from './PortalBalances.module.css';
import { PortalError } from './PortalLoadStates.tsx';

interface Props {
  account: PortalAccount;
  today: string;
  publicId: string;
}

const earlierInvoicesQuery = (publicId: string, accountId: number, offset: number) =>
  queryOptions({
    queryKey: ['/api/portal/invoices', publicId, accountId],
    queryFn: () =>
      callApi(portalMoney.portalInvoices, {
        params: { publicId, accountId },
        query: { offset, limit: 500 },
      }),
    enabled: false,
  });

export function Invoices({ account, today, publicId }: Props) {
  const { id, invoices, hasMoreInvoices } = account;
  const earlier = useQuery(earlierInvoicesQuery(publicId, id, invoices.length));
  const shown = [...invoices, ...(earlier.data?.invoices ?? [])];
  if (shown.length === 0) return null;
  return (
    <section className={classes.section}>
      <h2>Invoices and receipts</h2>
      <ul className={`${classes.card} ${classes.rows}`}>
        {shown.map((invoice) => (
          <InvoiceItem
            key={invoice.id}
            {...{ invoice, today }}
            href={`/api/portal/tutors/${publicId}/accounts/${id}/invoices/${invoice.id}/pdf`}
          />
        ))}
      </ul>
      {earlier.error && (
        <PortalError error={earlier.error} onRetry={() => void earlier.refetch()} />
      )}
      {hasMoreInvoices && !earlier.data && !earlier.error && (
        <PublicButton
          secondary
          disabled={earlier.isFetching}
          onClick={() => void earlier.refetch()}
        >
          {earlier.isFetching ? 'Loading...' : 'Show earlier invoices'}
        </PublicButton>
      )}
    </section>
  );
}

interface InvoiceItemProps {
  invoice: PortalInvoice;
  today: string;
  href: string;
}

function InvoiceItem({ invoice, today, href }: InvoiceItemProps) {
  const { kind, number, issuedOn, total, currency } = invoice;
  const name = kind === 'credit_note' ? `Credit note ${number}` : number;
  return (
    <li>
      <p>
        <b>
          {name}, {formatMonthYear(issuedOn)}
        </b>
        <small>{formatInvoiceState(invoice, today)}</small>
      </p>
      <span>{formatAmount(total, currency, true)}</span>
      <a href={href} download aria-label={`Download ${name}`} className={classes.download}>
        <IconDownload size={20} stroke={1.8} />
      </a>
    </li>
  );
}

function formatInvoiceState(
  { kind, state, dueOn, paidOn, issuedOn }: PortalInvoice,
  today: string,
) {
  if (kind === 'credit_note') return formatShortDate(issuedOn, today);
  if (state === 'paid') return paidOn ? `Paid ${formatShortDate(paidOn, today)}` : 'Nothing to pay';
  if (state === 'written_off') return 'Nothing to pay';
  if (state === 'on_hold') return "You don't need to pay this for now";
  const due = dueOn && `${dueOn < today ? 'was due' : 'due'} ${formatShortDate(dueOn, today)}`;
  const text = [state === 'part_paid' && 'part paid', due].filter(Boolean).join(', ');
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : 'To pay';
}

export function Statement({ account, today, publicId }: Props) {
  const id = useId();
  const [from, setFrom] = useState(`${today.slice(0, 4)}-01-01`);
  const [to, setTo] = useState(today);
  const query = new URLSearchParams({ from, to }).toString();
  const isValid = from !== '' && to !== '' && from <= to;
  return (
    <section className={classes.section}>
      <h2>Statement</h2>
      <div className={classes.card}>
        {account.paidThisYear.map(({ currency, amount }) => (
          <p key={currency}>
            Paid in {today.slice(0, 4)}: <b>{formatAmount(amount, currency, true)}</b>
          </p>
        ))}
        <div className={classes.period}>
          <label htmlFor={`${id}-from`}>From</label>
          <input
            id={`${id}-from`}
            type="date"
            required
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <label htmlFor={`${id}-to`}>To</label>
          <input
            id={`${id}-to`}
            type="date"
            required
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </div>
        {isValid ? (
          <PublicLink
            download
            href={`/api/portal/tutors/${publicId}/accounts/${account.id}/statement?${query}`}
          >
            Download statement
          </PublicLink>
        ) : (
          <p role="alert" className={classes.small}>
            Please enter a start date, and an end date that isn't before it.
          </p>
        )}
      </div>
    </section>
  );
}
