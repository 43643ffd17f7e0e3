import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { initials } from '../lib/format.ts';
import classes from './LinkRowWithAmount.module.css';

interface RowProps {
  /** A checkbox before the link. */
  leading?: ReactNode;
  name: string;
  /** Reason and date. */
  description: ReactNode;
  /** A status with an icon, on its own line. */
  status?: ReactNode;
  amount: ReactNode;
  /** Shown below the amount. */
  amountDetail?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

/** The whole row is a link. */
function Row({ leading, name, description, status, amount, amountDetail, ...anchor }: RowProps) {
  return (
    <li className={classes.item}>
      {leading}
      <a className={classes.row} {...anchor}>
        <span className={classes.square} aria-hidden="true">
          {initials(name)}
        </span>
        <span className={classes.text}>
          <b>{name}</b> <small>{description}</small> {status}
        </span>
        <span className={classes.amount}>
          <b>{amount}</b> {amountDetail && <small>{amountDetail}</small>}
        </span>
      </a>
    </li>
  );
}

export const LinkRowWithAmount = createLink(Row);
