import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './MessageCard.module.css';

interface Props {
  drawing: ReactNode;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

/** A page that is one centred card. It needs no component library, so it can say that something failed to load. */
export function MessageCard({ drawing, title, children, action }: Props) {
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
