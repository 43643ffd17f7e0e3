import type { Dashboard } from '@lessonbook/contract/dashboard';
import { formatAmount, pluralize } from '../../lib/format.ts';
import classes from './WeekTally.module.css';

const GROUP_WIDTH = 74;
const HEIGHT_PX = 26;

/** The week's lessons as tally marks: yellow for those taught, faint for the rest. */
export function WeekTally({ week }: { week: Dashboard['week'] }) {
  const { completed, total } = week;
  const width = 8 + Math.ceil(total / 5) * GROUP_WIDTH;
  return (
    <section className={classes.board} aria-labelledby="this-week">
      <h2 id="this-week">This week</h2>
      <svg
        viewBox={`0 0 ${width} 54`}
        style={{ width: `${(width / 54) * HEIGHT_PX}px` }}
        role="img"
        aria-label={`${completed} of ${pluralize(total, 'lesson')} completed`}
      >
        {Array.from({ length: total }, (_, mark) => (
          <path key={mark} d={strokePath(mark)} data-taught={mark < completed || undefined} />
        ))}
      </svg>
      <dl>
        <div>
          <dt>Lessons</dt>
          <dd>
            {completed} of {total}
          </dd>
        </div>
        <Amounts
          name="Completed"
          amounts={week.money.map((row) => [row.completedFees, row.currency])}
        />
        <Amounts name="Received" amounts={week.money.map((row) => [row.received, row.currency])} />
        <Amounts
          name="Still to come"
          amounts={week.money.map((row) => [row.scheduledFees, row.currency])}
        />
      </dl>
    </section>
  );
}

type Currency = Dashboard['week']['money'][number]['currency'];

/** One amount per currency, largest first. */
function Amounts({
  name,
  amounts,
}: {
  name: string;
  amounts: [minor: number, currency: Currency][];
}) {
  // A negative amount (more refunded than received) is also shown.
  const nonZeroAmounts = amounts.filter(([minor]) => minor !== 0).toSorted(([a], [b]) => b - a);
  const shown: typeof amounts =
    nonZeroAmounts.length > 0 ? nonZeroAmounts : [[0, amounts[0]?.[1] ?? 'GBP']];
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {shown.map(([minor, currency]) => (
          <span key={currency}>{formatAmount(minor, currency)}</span>
        ))}
      </dd>
    </div>
  );
}

/** Groups of four strokes with a fifth across them, with small deterministic variations. */
function strokePath(mark: number): string {
  const left = 8 + Math.floor(mark / 5) * GROUP_WIDTH;
  const positionInGroup = mark % 5;
  const lean = ((mark * 37) % 5) - 2;
  if (positionInGroup === 4)
    return `M${left - 8} ${40 + lean * 0.5}L${left + 48} ${13 - lean * 0.5}`;
  const x = left + positionInGroup * 13;
  return `M${x + lean * 0.6} ${8 + (mark % 2)}L${x - lean * 0.5} ${46 - (mark % 3)}`;
}
