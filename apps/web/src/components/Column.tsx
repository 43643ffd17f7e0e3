import type { ReactNode } from 'react';
import classes from './Column.module.css';

/** Deep screens keep the phone's column on wide screens: a line of text must not run across the whole desk. */
export function Column({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}
