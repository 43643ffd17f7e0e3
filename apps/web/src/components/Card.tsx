import { type ReactNode, useId } from 'react';
import classes from './Card.module.css';

interface Props {
  heading?: string;
  /** Shown to the right of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A card with a heading is a labelled region. */
export function Card({ heading, aside, children }: Props) {
  const id = useId();
  if (!heading) return <div className={classes.card}>{children}</div>;
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{heading}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
