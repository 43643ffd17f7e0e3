import { type ReactNode, useId } from 'react';
import classes from './Card.module.css';

interface Props {
  heading?: string;
  /** Stands at the right of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A card: sheet and line, no shadow. With a heading it is a region of its own. */
export function Card({ heading, aside, children }: Props) {
  const id = useId();
  if (!heading) return <div className={classes.sheet}>{children}</div>;
  return (
    <section className={classes.sheet} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{heading}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
