import type { ComponentProps } from 'react';
import classes from './TickBox.module.css';

type Props = Pick<ComponentProps<'input'>, 'checked' | 'disabled' | 'aria-label'> & {
  onChange: (checked: boolean) => void;
};

/** A box with the house's tick in it. */
export function TickBox({ onChange, ...input }: Props) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      onChange={(event) => onChange(event.currentTarget.checked)}
      {...input}
    />
  );
}
