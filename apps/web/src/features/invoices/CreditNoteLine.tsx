import type { Currency } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import { TickBox } from '../../components/TickBox.tsx';
import { currencySign, money, shortDate } from '../../lib/format.ts';
import classes from './CreditNoteLine.module.css';
import { type CreditLine, problemWith } from './credit-note.ts';
import { creditable } from './invoice-lines.ts';

interface Props {
  line: CreditLine;
  currency: Currency;
  today: string;
  /** None while it is not ticked. */
  amount: string | null;
  onTick: (on: boolean) => void;
  onAmount: (text: string) => void;
}

export function CreditNoteLine({ line, currency, today, amount, onTick, onAmount }: Props) {
  const what = [line.studentName, line.description].filter(Boolean).join(', ');
  const when = shortDate(line.date, today);
  return (
    <li className={classes.item}>
      <label className={classes.row}>
        <TickBox checked={amount !== null} onChange={onTick} />
        <span className={classes.what}>
          <span>{what}</span>
          <small>
            {when}
            {line.credited > 0 && `, ${money(line.credited, currency)} credited before`}
          </small>
        </span>
        <b>{money(creditable(line), currency)}</b>
      </label>
      {amount !== null && (
        <TextInput
          className={classes.amount ?? ''}
          aria-label={`Amount to credit, ${what}, ${when}`}
          inputMode="decimal"
          leftSection={currencySign(currency)}
          value={amount}
          onChange={(event) => onAmount(event.currentTarget.value)}
          error={problemWith(line, amount)}
        />
      )}
    </li>
  );
}
