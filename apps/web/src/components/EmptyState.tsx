import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

interface Props {
  drawing: ReactNode;
  /** One sentence in the product's words. */
  children: ReactNode;
  /** At most one, and it must work. */
  action?: ReactNode;
}

export function EmptyState({ drawing, children, action }: Props) {
  return (
    <div className={classes.empty}>
      {drawing}
      <p>{children}</p>
      {action}
    </div>
  );
}
