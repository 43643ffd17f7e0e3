import type { ReactNode } from 'react';
import classes from './StickyFoot.module.css';

/** What a long page leads to, in reach whatever its length; above the bottom bar on phones. */
export function StickyFoot({ children }: { children: ReactNode }) {
  return (
    <div className={classes.foot} data-sticky-foot>
      {children}
    </div>
  );
}
