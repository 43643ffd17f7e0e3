import type { LedgerEntry } from '@lessonbook/contract/families';
import { IconChevronDown } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, useId, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { formatShortDate } from '../../lib/format.ts';
import classes from './Ledger.module.css';
import type { LedgerRow } from './ledger-rows.ts';
import {
  type FormatAmount,
  formatEntry,
  formatEntryDate,
  formatRunningBalance,
  reducesBalance,
} from './ledger-rows.ts';

const ReverseOpeningBalanceModal = lazy(async () => ({
  default: (await import('./ReverseOpeningBalanceModal.tsx')).ReverseOpeningBalanceModal,
}));

const ReverseWriteOffModal = lazy(async () => ({
  default: (await import('./ReverseWriteOffModal.tsx')).ReverseWriteOffModal,
}));

interface LedgerLinkProps {
  entry: LedgerEntry;
  familyId: number;
  children: ReactNode;
}

/** Links an entry to its session or payment, or to the reversal of the opening balance or write-off. */
function LedgerLink({ entry, familyId, children }: LedgerLinkProps) {
  const { kind, sessionId, paymentId, reversed } = entry;
  if (kind === 'write_off' && entry.amount < 0) {
    return <ReversalLink {...{ entry, familyId, children }} Modal={ReverseWriteOffModal} />;
  }
  if (sessionId !== null) {
    return (
      <Link to="/sessions/$id" params={{ id: String(sessionId) }} className={classes.target}>
        {children}
      </Link>
    );
  }
  if (kind === 'opening' && !reversed) {
    return <ReversalLink {...{ entry, familyId, children }} Modal={ReverseOpeningBalanceModal} />;
  }
  if (paymentId !== null && kind !== 'reversal' && kind !== 'opening') {
    return (
      <Link
        to="."
        search={(search) => ({ ...search, payment: paymentId })}
        replace
        resetScroll={false}
        className={classes.target}
      >
        {children}
      </Link>
    );
  }
  return <div className={classes.target}>{children}</div>;
}

interface ReversalLinkProps extends LedgerLinkProps {
  Modal: typeof ReverseOpeningBalanceModal | typeof ReverseWriteOffModal;
}

function ReversalLink({ entry, familyId, children, Modal }: ReversalLinkProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" className={classes.target} onClick={() => setOpened(true)}>
        {children}
      </button>
      <LazyMount opened={opened}>
        <Modal entry={entry} familyId={familyId} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}

interface Props {
  row: LedgerRow;
  today: string;
  formatAmount: FormatAmount;
  familyId: number;
}

export function LedgerLine({ row, ...rest }: Props) {
  const { entry, reversedBy } = row;
  if (reversedBy) return <FoldedLine entry={entry} reversedBy={reversedBy} {...rest} />;
  return (
    <li className={classes.line}>
      <Entry entry={entry} {...rest} />
    </li>
  );
}

/** A reversed entry and its reversal, collapsed into one line. */
function FoldedLine({
  entry,
  reversedBy,
  ...rest
}: Omit<Props, 'row'> & { entry: LedgerEntry; reversedBy: LedgerEntry }) {
  const [expanded, setExpanded] = useState(false);
  const id = useId();
  return (
    <li className={classes.line}>
      <button
        type="button"
        className={classes.target}
        data-folded
        aria-expanded={expanded}
        aria-controls={id}
        onClick={() => setExpanded(!expanded)}
      >
        <span className={classes.date}>{formatEntryDate(entry.date, rest.today)}</span>
        <span className={classes.text}>
          <b>{formatEntry(entry)}</b>
          <small>Reversed {formatShortDate(reversedBy.date, rest.today)}</small>
        </span>
        <span className={classes.amount}>
          <b>{rest.formatAmount(Math.abs(entry.amount), entry.currency)}</b>
        </span>
        <IconChevronDown size={18} stroke={1.8} />
      </button>
      <ul id={id} className={classes.pair} hidden={!expanded}>
        {[reversedBy, entry].map((item) => (
          <li key={item.key}>
            <Entry entry={item} {...rest} />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Description and date; amount and running balance. */
function Entry({
  entry,
  today,
  formatAmount,
  familyId,
}: Omit<Props, 'row'> & { entry: LedgerEntry }) {
  const { date, currency, invoice } = entry;
  return (
    <LedgerLink entry={entry} familyId={familyId}>
      <span className={classes.date}>{formatEntryDate(date, today)}</span>
      <span className={classes.text}>
        <b>{formatEntry(entry)}</b>
        {invoice && <small>On invoice {invoice.number}</small>}
        {entry.kind === 'write_off' && entry.note && <small>{entry.note}</small>}
      </span>
      <span className={classes.amount}>
        <b data-in={reducesBalance(entry) || undefined}>
          {formatAmount(Math.abs(entry.amount), currency)}
        </b>
        <small>{formatRunningBalance(entry, formatAmount)}</small>
      </span>
    </LedgerLink>
  );
}
