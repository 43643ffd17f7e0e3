import { Button } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import classes from './Form.module.css';

export function FieldSection({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>
        <h3>{heading}</h3>
      </legend>
      {children}
    </fieldset>
  );
}

/** Two fields side by side where there is room. */
export function FieldPair({
  alwaysSideBySide = false,
  children,
}: {
  alwaysSideBySide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes.pair} data-always={alwaysSideBySide || undefined}>
      {children}
    </div>
  );
}

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
