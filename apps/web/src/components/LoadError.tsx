import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './LoadError.module.css';

/** Something could not be fetched. Never to be confused with there being nothing. */
export function LoadError({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <div className={classes.error} role="alert">
      <p>{children}</p>
      <Button variant="light" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
