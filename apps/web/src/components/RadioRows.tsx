import { type ReactNode, useId } from 'react';
import { Radio } from './Radio.tsx';
import classes from './RadioRows.module.css';

export interface RadioRow<V extends string> {
  value: V;
  label: string;
  /** At the right: a count, an amount. */
  aside?: ReactNode;
  /** Below the label, also why it cannot be chosen. */
  hint?: string | undefined;
  disabled?: boolean;
}

interface Props<V extends string> {
  legend: string;
  rows: readonly RadioRow<V>[];
  chosen: V;
  onChoose: (value: V) => void;
}

/** One of a few: each a whole row to press. */
export function RadioRows<V extends string>({ legend, rows, chosen, onChoose }: Props<V>) {
  const name = useId();
  return (
    <fieldset className={classes.rows}>
      <legend>{legend}</legend>
      {rows.map((row) => (
        <label key={row.value} className={classes.row} data-disabled={row.disabled || undefined}>
          <Radio
            name={name}
            value={row.value}
            checked={row.value === chosen}
            disabled={row.disabled}
            // A sheet opens with the focus on the choice that is made already.
            data-autofocus={row.value === chosen || undefined}
            onChange={() => onChoose(row.value)}
          />
          <span className={classes.label}>
            {row.label}
            {row.hint && <small>{row.hint}</small>}
          </span>
          {row.aside !== undefined && <span className={classes.aside}>{row.aside}</span>}
        </label>
      ))}
    </fieldset>
  );
}
