import { Button } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import classes from './Form.module.css';

interface Props {
  onSubmit: FormEventHandler<HTMLFormElement>;
  submitLabel: string;
  /** The button's label while busy; there is no spinner. */
  busyLabel: string;
  isBusy: boolean;
  children: ReactNode;
}

/** Stacked fields and one full-width button. Native validation is off, because we show our own messages. */
export function Form({ onSubmit, submitLabel, busyLabel, isBusy, children }: Props) {
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      {children}
      <Button type="submit" fullWidth disabled={isBusy} className={classes.submit}>
        {isBusy ? busyLabel : submitLabel}
      </Button>
    </form>
  );
}
