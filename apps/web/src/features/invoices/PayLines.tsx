import type { PublicBill } from '@lessonbook/contract/bills';
import { moneyColumn, shortDate } from '../../lib/format.ts';
import classes from './PayLines.module.css';

type Line = PublicBill['lines'][number];

/** What it is for, by child and date. An invoice shows what it asked for, an account what is still open. */
export function PayLines({ bill: { lines, kind } }: { bill: PublicBill }) {
  const amountOf = (line: Line) => (kind === 'invoice' ? line.amount : line.outstanding);
  const amount = moneyColumn(lines.map(amountOf));
  // There is no tutor's today here; the latest lesson says which year goes without saying.
  const latest =
    lines
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? '';
  return byChild(lines).map(([child, own]) => (
    <section key={child} className={classes.child}>
      <h2>{child || 'Other items'}</h2>
      <ul>
        {own.map((line, index) => (
          <li key={index}>
            <span>
              {line.description} <small>{shortDate(line.date, latest)}</small>
            </span>
            <b>{amount(amountOf(line), line.currency)}</b>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function byChild(lines: readonly Line[]): [child: string, lines: Line[]][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const child = line.studentName ?? '';
    groups.set(child, [...(groups.get(child) ?? []), line]);
  }
  return [...groups].toSorted(([one], [other]) => Number(one === '') - Number(other === ''));
}
