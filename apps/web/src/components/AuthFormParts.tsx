import type { ReactNode } from 'react';
import classes from './AuthLayout.module.css';

/** A sign-in method above the page's form. Its height is reserved until it is known whether the method is offered. */
export function AlternativeSignIn({
  children,
  separatorLabel,
}: {
  children?: ReactNode;
  separatorLabel: ReactNode;
}) {
  return (
    <div className={classes.alternative}>
      {children}
      {children && <p className={classes.separator}>{separatorLabel}</p>}
    </div>
  );
}

/** Text above a form that explains why the form is shown. */
export function FormIntro({ children }: { children: ReactNode }) {
  return <p className={classes.intro}>{children}</p>;
}

/** Links below a form. */
export function FormLinks({ children }: { children: ReactNode }) {
  return <div className={classes.links}>{children}</div>;
}
