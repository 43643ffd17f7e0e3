import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { initials } from '../lib/format.ts';
import classes from './MoneyRow.module.css';

interface RowProps {
  who: string;
  /** Why and when. */
  why: ReactNode;
  /** A line of its own below: a state, as icon and word. */
  status?: ReactNode;
  amount: ReactNode;
  /** Below the amount. */
  rest?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

/** Who, then why and when, the amount at the right. The whole row is the target. */
function Row({ who, why, status, amount, rest, ...anchor }: RowProps) {
  return (
    <li className={classes.item}>
      <a className={classes.row} {...anchor}>
        <span className={classes.square} aria-hidden="true">
          {initials(who)}
        </span>
        <span className={classes.text}>
          <b>{who}</b> <small>{why}</small> {status}
        </span>
        <span className={classes.amount}>
          <b>{amount}</b> {rest && <small>{rest}</small>}
        </span>
      </a>
    </li>
  );
}

export const MoneyRow = createLink(Row);
