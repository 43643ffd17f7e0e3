import type { ReactNode } from 'react';
import classes from './ImpactNotice.module.css';

interface Props {
  /** The impact is being calculated. */
  busy?: boolean | undefined;
  children: ReactNode;
}

/** Explains what an action will change before it affects money or several rows. Screen readers announce updates. */
export function ImpactNotice({ busy = false, children }: Props) {
  return (
    <div className={classes.box} role="status" aria-busy={busy}>
      {children}
    </div>
  );
}
