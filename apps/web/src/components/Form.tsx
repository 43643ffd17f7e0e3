import { Button } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import classes from './Form.module.css';

/** Fields that belong together, under a heading. */
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

/** Two fields beside each other where there is room. */
export function FieldPair({ always = false, children }: { always?: boolean; children: ReactNode }) {
  return (
    <div className={classes.pair} data-always={always || undefined}>
      {children}
    </div>
  );
}

interface Props {
  onSubmit: FormEventHandler<HTMLFormElement>;
  submit: string;
  /** While busy the words change and the button is disabled; no spinner. */
  busy: string;
  isBusy: boolean;
  children: ReactNode;
}

/** Fields below each other and one filled button across. The browser's own bubbles stay off: our messages are better. */
export function Form({ onSubmit, submit, busy, isBusy, children }: Props) {
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      {children}
      <Button type="submit" fullWidth disabled={isBusy} className={classes.submit}>
        {isBusy ? busy : submit}
      </Button>
    </form>
  );
}
