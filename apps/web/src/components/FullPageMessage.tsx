import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './FullPageMessage.module.css';

interface Props {
  drawing?: ReactNode;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

/** A page with one centred card. Does not use the component library, so that it can also report a failed load. */
export function FullPageMessage({ drawing, title, children, action }: Props) {
  usePageTitle(title);
  return (
    <main className={classes.wrap}>
      <div className={classes.card}>
        {drawing}
        <h1>{title}</h1>
        <p>{children}</p>
        <div className={classes.action}>{action}</div>
      </div>
    </main>
  );
}
