import type { OfflineBook } from '@lessonbook/contract/offline';
import { Balances } from '../../components/Balances.tsx';
import { namesInWords } from '../../lib/names.ts';
import classes from './Kept.module.css';

/** Only accounts with something open are kept; that nothing was open is said in words, never as an amount. */
export function KeptBalances({ book }: { book: OfflineBook }) {
  if (book.balances.length === 0) return <p className={classes.nothing}>Nothing was open.</p>;
  return (
    <ul className={classes.list}>
      {book.balances.map(({ firstNames, open }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: first names repeat, and the list never changes
        <li key={place} className={classes.account}>
          <b>{namesInWords(firstNames)}</b>
          <span className={classes.amounts}>
            <Balances balances={open} settled="" />
          </span>
        </li>
      ))}
    </ul>
  );
}
