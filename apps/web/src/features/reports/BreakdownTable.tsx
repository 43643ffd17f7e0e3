import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Card } from '../../components/Card.tsx';
import classes from './BreakdownTable.module.css';

export interface BreakdownRow {
  /** Null for money that belongs to no student or subject. */
  id: number | null;
  name: string;
  value: number;
  text: string;
  detail?: string;
}

interface Props {
  by: 'student' | 'subject';
  /** Largest first. */
  rows: readonly BreakdownRow[];
}

const INITIALLY_SHOWN = 8;

/** A table styled as a bar chart. Clicking a name limits the report to that student or subject. */
export function BreakdownTable({ by, rows }: Props) {
  const [showAll, setShowAll] = useShowAll();
  if (rows.length === 0) return null;
  const shown = showAll ? rows : rows.slice(0, INITIALLY_SHOWN);
  const largest = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <Card heading={`By ${by}`}>
      <table className={classes.table}>
        <tbody>
          {shown.map(({ id, name, value, text, detail }) => (
            <tr key={`${id} ${name}`}>
              <th scope="row">
                {id === null ? (
                  name
                ) : (
                  <Link
                    from="/reports"
                    to="/reports"
                    search={(search) => ({ ...search, [by]: id })}
                    className={classes.name}
                  >
                    {name}
                  </Link>
                )}
                {detail && <small>{detail}</small>}
              </th>
              <td style={{ '--share': Math.max(0, value) / largest } as CSSProperties}>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <Button variant="subtle" onClick={() => setShowAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </Card>
  );
}

/** Shows all rows before the report is printed. */
function useShowAll() {
  const state = useState(false);
  const [, setShowAll] = state;
  useEffect(() => {
    const showAll = () => flushSync(() => setShowAll(true));
    window.addEventListener('beforeprint', showAll);
    return () => window.removeEventListener('beforeprint', showAll);
  }, [setShowAll]);
  return state;
}
