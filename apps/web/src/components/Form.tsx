import { Button } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import classes from './Form.module.css';

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
