import type { ReactNode } from 'react';
import classes from './FieldGroups.module.css';

/** Fields that belong together, under a heading. */
export function FieldSection({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>
        <h3>{heading}</h3>
      </legend>
      {children}
    </fieldset>
  );
}

/** Two fields beside each other where there is room. */
export function FieldPair({ always = false, children }: { always?: boolean; children: ReactNode }) {
  return (
    <div className={classes.pair} data-always={always || undefined}>
      {children}
    </div>
  );
}
