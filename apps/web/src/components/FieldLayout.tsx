import type { ReactNode } from 'react';
import classes from './Form.module.css';

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

/** Two fields side by side where there is room. */
export function FieldPair({
  alwaysSideBySide = false,
  children,
}: {
  alwaysSideBySide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes.pair} data-always={alwaysSideBySide || undefined}>
      {children}
    </div>
  );
}
