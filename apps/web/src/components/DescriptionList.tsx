import type { ReactNode } from 'react';
import classes from './DescriptionList.module.css';

/** A name and what it is; nothing there leaves the line out. */
export interface Description {
  name: string;
  value: ReactNode;
}

export function DescriptionList({ facts }: { facts: readonly Description[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(({ value }) => value !== null && value !== false && value !== '')
        .map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
