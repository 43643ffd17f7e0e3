import type { LedgerEntry } from '@lessonbook/contract/families';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { shortDate } from '../../lib/format.ts';
import classes from './Ledger.module.css';
import { LedgerTarget } from './LedgerTarget.tsx';
import type { LedgerRow } from './ledger-rows.ts';
import { type AmountText, entryInWords, lessens, runningBalance } from './ledger-words.ts';

interface Props {
  row: LedgerRow;
  today: string;
  amount: AmountText;
  familyId: number;
}

export function LedgerLine({ row, ...rest }: Props) {
  const { entry, takenBackBy } = row;
  if (takenBackBy) return <FoldedLine entry={entry} takenBackBy={takenBackBy} {...rest} />;
  return (
    <li className={classes.line}>
      <Entry entry={entry} {...rest} />
    </li>
  );
}

/** A mistake and its correction: one quiet line, and both of them for whoever wants to know. */
function FoldedLine({
  entry,
  takenBackBy,
  ...rest
}: Omit<Props, 'row'> & { entry: LedgerEntry; takenBackBy: LedgerEntry }) {
  const [unfolded, setUnfolded] = useState(false);
  const id = useId();
  return (
    <li className={classes.line}>
      <button
        type="button"
        className={classes.target}
        data-folded
        aria-expanded={unfolded}
        aria-controls={id}
        onClick={() => setUnfolded(!unfolded)}
      >
        <span className={classes.text}>
          <b>{entryInWords(entry)}</b>
          <small>Taken back {shortDate(takenBackBy.date, rest.today)}</small>
        </span>
        <span className={classes.amount}>
          <b>{rest.amount(Math.abs(entry.amount), entry.currency)}</b>
        </span>
        <IconChevronDown size={18} stroke={1.8} />
      </button>
      <ul id={id} className={classes.pair} hidden={!unfolded}>
        {[takenBackBy, entry].map((each) => (
          <li key={each.key}>
            <Entry entry={each} {...rest} />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** What and which child over the day; the amount over what was owed after it. */
function Entry({ entry, today, amount, familyId }: Omit<Props, 'row'> & { entry: LedgerEntry }) {
  const { date, currency, invoice } = entry;
  return (
    <LedgerTarget entry={entry} familyId={familyId}>
      <span className={classes.text}>
        <b>{entryInWords(entry)}</b>
        <small>
          {shortDate(date, today)}
          {invoice && `, invoice ${invoice.number}`}
        </small>
      </span>
      <span className={classes.amount}>
        <b data-in={lessens(entry) || undefined}>{amount(Math.abs(entry.amount), currency)}</b>
        <small>{runningBalance(entry, amount)}</small>
      </span>
    </LedgerTarget>
  );
}
