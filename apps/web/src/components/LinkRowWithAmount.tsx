import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { initials } from '../lib/format.ts';
import classes from './LinkRowWithAmount.module.css';

interface RowProps {
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
function Row({ name, description, status, amount, amountDetail, ...anchor }: RowProps) {
  return (
    <li className={classes.item}>
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
