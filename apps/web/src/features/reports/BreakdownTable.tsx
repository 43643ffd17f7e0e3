import type { EarningsReport } from '@lessonbook/contract/reports';
import { Button } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { createAmountFormatter } from '../../lib/format.ts';
import classes from './BreakdownTable.module.css';

const INITIALLY_SHOWN = 8;

interface Props {
  heading: string;
  /** In one currency, largest first. */
  shares: EarningsReport['students'];
}

/** Earnings by student or subject: a table styled as a bar chart. */
export function BreakdownTable({ heading, shares }: Props) {
  const [showAll, setShowAll] = useState(false);
  if (shares.length === 0) return null;
  const visibleShares = showAll ? shares : shares.slice(0, INITIALLY_SHOWN);
  const amount = createAmountFormatter(shares.map(({ net }) => net));
  const largest = Math.max(1, ...shares.map(({ net }) => net));
  return (
    <Card heading={heading}>
      <table className={classes.shares}>
        <tbody>
          {visibleShares.map(({ id, name, currency, net }) => (
            <tr key={`${id} ${name}`}>
              <th scope="row">{name}</th>
              <td style={{ '--share': Math.max(0, net) / largest } as CSSProperties}>
                {amount(net, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {visibleShares.length < shares.length && (
        <Button variant="subtle" onClick={() => setShowAll(true)}>
          Show all {shares.length}
        </Button>
      )}
    </Card>
  );
}
