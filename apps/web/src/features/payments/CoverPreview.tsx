import type { Currency } from '@lessonbook/contract/money';
import { Consequence } from '../../components/Consequence.tsx';
import { count, moneyColumn } from '../../lib/format.ts';
import classes from './CoverPreview.module.css';
import type { Cover } from './cover.ts';
import { lessonInWords } from './payment-words.ts';

/** As many as show whose lessons they are; the rest is a number. */
const FEW = 6;

interface Props {
  cover: Cover;
  currency: Currency;
  today: string;
}

/** Which lessons the money will cover, while the amount is still being typed. */
export function CoverPreview({ cover: { lines, credit }, currency, today }: Props) {
  if (lines.length === 0 && credit === 0) return null;
  const all = [credit, ...lines.flatMap(({ amount, charge }) => [amount, charge.outstanding])];
  const column = moneyColumn(all);
  const amount = (minor: number) => column(minor, currency);
  const more = lines.length - FEW;
  return (
    <Consequence>
      {lines.length > 0 && (
        <>
          <p className={classes.head}>Covers {count(lines.length, 'lesson')}</p>
          <ul className={classes.lines}>
            {lines.slice(0, FEW).map((line) => (
              <li key={line.charge.id}>
                <span>{lessonInWords(line.charge, today)}</span>
                <span>
                  {amount(line.amount)}
                  {line.amount < line.charge.outstanding &&
                    ` of ${amount(line.charge.outstanding)}`}
                </span>
              </li>
            ))}
          </ul>
          {more > 0 && <p className={classes.more}>and {more} more</p>}
        </>
      )}
      {credit > 0 && <p className={classes.credit}>{amount(credit)} stays as credit</p>}
    </Consequence>
  );
}
