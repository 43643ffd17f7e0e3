import { type ComponentProps, type ReactNode, useId } from 'react';
import classes from './RadioList.module.css';

export const Radio = (props: Omit<ComponentProps<'input'>, 'type' | 'className'>) => (
  <input type="radio" className={classes.radio} {...props} />
);

export interface RadioOption<V extends string> {
  value: V;
  label: string;
  /** On the right: a count or an amount. */
  aside?: ReactNode;
  /** Shown below the label. Also explains why an option is disabled. */
  hint?: string | undefined;
  disabled?: boolean;
}

interface Props<V extends string> {
  legend: string;
  options: readonly RadioOption<V>[];
  chosen: V;
  onChoose: (value: V) => void;
}

/** A list of options with one radio button per row. */
export function RadioList<V extends string>({ legend, options, chosen, onChoose }: Props<V>) {
  const name = useId();
  return (
    <fieldset className={classes.rows}>
      <legend>{legend}</legend>
      {options.map((row) => (
        <label key={row.value} className={classes.row} data-disabled={row.disabled || undefined}>
          <Radio
            name={name}
            value={row.value}
            checked={row.value === chosen}
            disabled={row.disabled}
            // A modal opens with focus on the selected option.
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
