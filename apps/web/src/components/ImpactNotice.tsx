import type { ReactNode } from 'react';
import classes from './ImpactNotice.module.css';

interface Props {
  /** What it will be is still being worked out. */
  busy?: boolean | undefined;
  children: ReactNode;
}

/** Before something that touches money or several rows: what will have changed, read out when it does. */
export function ImpactNotice({ busy = false, children }: Props) {
  return (
    <div className={classes.box} role="status" aria-busy={busy}>
      {children}
    </div>
  );
}
