import type { Currency } from '@lessonbook/contract/money';
import {
  type PortalAccount,
  type PortalCharge,
  type PortalInvoice,
  type PortalMoney,
  portalMoney,
} from '@lessonbook/contract/portal-money';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { PublicButton, PublicLink } from '../../components/PublicLayout.tsx';
import { formatAmount, formatMonthYear, formatShortDate } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import classes from './PortalAccounts.module.css';
import { PortalError } from './PortalLayout.tsx';
import { formatDates, groupCharges, payByDate } from './portal-accounts.ts';
import { useLayerEntry } from './portal-path.tsx';
import { PortalQuery, QueryChargeSheet } from './QueryChargeSheet.tsx';

interface Props {
  money: PortalMoney;
  publicId: string;
}

/** What is due and paid. Most people see one account. */
export function PortalAccounts({ money, publicId }: Props) {
  const { accounts, tutorName, today } = money;
  if (accounts.length === 0)
    return (
      <p className={classes.card}>
        There are no invoices or payments to show. {tutorName} may have given you access to only
        part of an account. Ask {tutorName} if something is missing.
      </p>
    );
  return accounts.map((account) => (
    <Account key={account.id} {...{ account, tutorName, today, publicId }} />
  ));
}

interface AccountProps {
  account: PortalAccount;
  tutorName: string;
  today: string;
  publicId: string;
}

function Account({ account, tutorName, today, publicId }: AccountProps) {
  const { payerName } = account;
  return (
    <>
      {payerName && <p className={classes.payer}>{payerName} pays for these lessons.</p>}
      <Due {...{ account, tutorName, today, publicId }} />
      <Queries {...{ account, tutorName, today, publicId }} />
      <Invoices {...{ account, today, publicId }} />
      <Statement {...{ account, today, publicId }} />
    </>
  );
}

function Due({ account, tutorName, today, publicId }: AccountProps) {
  const [queried, setQueried] = useState<readonly PortalCharge[] | null>(null);
  const [drafts] = useState(() => new Map<number, string>());
  const entry = useLayerEntry(() => setQueried(null));
  const owed = account.balances.filter((balance) => balance.owed > 0);
  const credits = account.balances.filter(({ credit }) => credit > 0);
  return (
    <section className={classes.card}>
      {owed.length === 0 && <h2>Nothing to pay</h2>}
      {owed.map((balance) => (
        <AmountDue
          key={balance.currency}
          {...{ account, today }}
          {...balance}
          onQuery={(charges) => {
            entry.add();
            setQueried(charges);
          }}
        />
      ))}
      {credits.map(({ currency, credit }) => (
        <p key={currency}>
          You have {formatAmount(credit, currency, true)} in credit, which will be used for the next
          lessons.
        </p>
      ))}
      {account.onHold.filter(isReturned).map(({ currency, amount, reason }) => (
        <p key={`${currency} ${reason}`} className={classes.small}>
          {formatAmount(amount, currency, true)} was{' '}
          {reason === 'dispute' ? 'disputed with the bank' : 'refunded'}. You don't need to pay it
          for now.
        </p>
      ))}
      {account.transferReportedOn && owed.length > 0 && (
        <p className={classes.small}>
          You said on {formatShortDate(account.transferReportedOn, today)} that you've sent a
          transfer. {tutorName} will record it when it arrives.
        </p>
      )}
      {owed.length > 0 && <PayLinks account={account} />}
      {queried && (
        <QueryChargeSheet
          {...{ publicId, tutorName, today, drafts }}
          accountId={account.id}
          charges={queried}
          onClose={() => {
            setQueried(null);
            entry.remove();
          }}
        />
      )}
    </section>
  );
}

interface AmountDueProps {
  account: PortalAccount;
  today: string;
  currency: Currency;
  owed: number;
  onQuery: (charges: readonly PortalCharge[]) => void;
}

/** Questions have a list of their own. */
const isReturned = ({ reason }: PortalAccount['onHold'][number]): boolean => reason !== 'query';

function AmountDue({ account, today, currency, owed, onQuery }: AmountDueProps) {
  const charges = account.charges.filter((charge) => charge.currency === currency);
  const payBy = payByDate(charges);
  const isLate = payBy !== null && payBy < today;
  return (
    <>
      <div>
        <h2 className={classes.small}>
          {payBy === null
            ? 'To pay'
            : `${isLate ? 'Was due' : 'To pay by'} ${formatShortDate(payBy, today)}`}
        </h2>
        <p className={classes.amount}>{formatAmount(owed, currency, true)}</p>
      </div>
      <ul className={classes.rows}>
        {groupCharges(charges).map(({ key, name, dates, outstanding, charges: own }) => (
          <li key={key}>
            <p>
              <b>{name}</b>
              <small>{formatDates(dates, today)}</small>
            </p>
            <span>{formatAmount(outstanding, currency, true)}</span>
            <button type="button" aria-label={`Query ${name}`} onClick={() => onQuery(own)}>
              Query
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Queries({ account, ...props }: AccountProps) {
  if (account.queries.length === 0) return null;
  return (
    <section className={classes.section}>
      <h2>Questions about charges</h2>
      <ul className={`${classes.card} ${classes.rows}`}>
        {account.queries.map((query) => (
          <PortalQuery key={query.id} query={query} accountId={account.id} {...props} />
        ))}
      </ul>
    </section>
  );
}

function PayLinks({ account: { payUrl, acceptsCards, balances } }: { account: PortalAccount }) {
  if (payUrl === null) return null;
  const [only, ...others] = balances.filter(({ owed }) => owed > 0);
  const amount =
    only && others.length === 0 ? ` ${formatAmount(only.owed, only.currency, true)}` : '';
  if (!acceptsCards)
    return (
      <PublicLink primary href={payUrl}>
        Pay{amount}
      </PublicLink>
    );
  return (
    <div className={classes.pay}>
      <PublicLink primary href={payUrl}>
        Pay{amount} by card
      </PublicLink>
      <PublicLink href={payUrl}>Pay by bank transfer</PublicLink>
    </div>
  );
}

const earlierInvoicesQuery = (publicId: string, accountId: number, offset: number) =>
  queryOptions({
    queryKey: ['/api/portal/invoices', publicId, accountId],
    queryFn: () =>
      call(portalMoney.portalInvoices, {
        params: { publicId, accountId },
        query: { offset, limit: 500 },
      }),
    enabled: false,
  });

function Invoices({ account, today, publicId }: Omit<AccountProps, 'tutorName'>) {
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
  if (state === 'on_hold') return "You don't need to pay this for now";
  const due = dueOn && `${dueOn < today ? 'was due' : 'due'} ${formatShortDate(dueOn, today)}`;
  const text = [state === 'part_paid' && 'part paid', due].filter(Boolean).join(', ');
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : 'To pay';
}

function Statement({ account, today, publicId }: Omit<AccountProps, 'tutorName'>) {
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
