import type { Currency } from '@lessonbook/contract/money';
import type {
  PortalAccount,
  PortalCharge,
  PortalMoney,
} from '@lessonbook/contract/portal-charges-and-invoices';
import { useState } from 'react';
import { InstalmentList } from '../../components/InstalmentList.tsx';
import { PublicLink } from '../../components/PublicButtons.tsx';
import { formatAmount, formatShortDate } from '../../lib/format.ts';
import classes from './PortalBalances.module.css';
import { Invoices, Statement } from './PortalInvoicesAndStatement.tsx';
import { describeDueDates, formatDates, groupCharges } from './portal-charges-to-pay.ts';
import { PortalQuery, QueryChargeSheet } from './QueryChargeSheet.tsx';
import { useBackClosesSheet } from './use-back-closes-sheet.ts';

interface Props {
  money: PortalMoney;
  publicId: string;
}

/** What is due and paid. Most people see one account. */
export function PortalBalances({ money, publicId }: Props) {
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
      <Instalments {...{ account, today }} />
      <Queries {...{ account, tutorName, today, publicId }} />
      <Invoices {...{ account, today, publicId }} />
      <Statement {...{ account, today, publicId }} />
    </>
  );
}

function Due({ account, tutorName, today, publicId }: AccountProps) {
  const [queriedCharges, setQueriedCharges] = useState<readonly PortalCharge[] | null>(null);
  const [drafts] = useState(() => new Map<number, string>());
  const entry = useBackClosesSheet(() => setQueriedCharges(null));
  const owed = account.balances.filter((balance) => balance.owed > 0);
  const credits = account.balances.filter(({ credit }) => credit > 0);
  return (
    <section className={classes.card}>
      {owed.length === 0 && <h2>Nothing to pay</h2>}
      {owed.length === 0 && account.invoices.length === 0 && (
        <p className={classes.small}>Invoices and receipts appear here once there are any.</p>
      )}
      {owed.map((balance) => (
        <AmountDue
          key={balance.currency}
          {...{ account, today }}
          {...balance}
          onQuery={(charges) => {
            entry.add();
            setQueriedCharges(charges);
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
      {queriedCharges && (
        <QueryChargeSheet
          {...{ publicId, tutorName, today, drafts }}
          accountId={account.id}
          charges={queriedCharges}
          onClose={() => {
            setQueriedCharges(null);
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

/** Questions and instalments have their own lists. */
const isReturned = ({ reason }: PortalAccount['onHold'][number]): boolean =>
  reason === 'refund' || reason === 'dispute';

function AmountDue({ account, today, currency, owed, onQuery }: AmountDueProps) {
  const charges = account.charges.filter((charge) => charge.currency === currency);
  const { title, details } = describeDueDates(charges, today);
  return (
    <>
      <div>
        <h2 className={classes.small}>{title}</h2>
        <p className={classes.amount}>{formatAmount(owed, currency, true)}</p>
        {details && <p className={classes.small}>{details}</p>}
      </div>
      <ul className={`${classes.rows} ${classes.charges}`}>
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

function Instalments({ account: { plans }, today }: Pick<AccountProps, 'account' | 'today'>) {
  return plans.map((plan) => (
    <section key={plan.currency} className={classes.section}>
      <h2>Instalments</h2>
      <div className={classes.card}>
        <InstalmentList plan={plan} formatDate={(date) => formatShortDate(date, today)} />
      </div>
    </section>
  ));
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
