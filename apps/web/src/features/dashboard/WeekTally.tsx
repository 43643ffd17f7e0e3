import type { Dashboard } from '@lessonbook/contract/reports';
import { money, pluralize } from '../../lib/format.ts';
import classes from './WeekTally.module.css';

const GROUP_WIDTH = 74;

/** The lessons of the week as chalk marks on the board: taught ones yellow, the rest faint. */
export function WeekTally({ week }: { week: Dashboard['week'] }) {
  const { taught, total } = week;
  const width = 8 + Math.ceil(total / 5) * GROUP_WIDTH;
  return (
    <section className={classes.board} aria-labelledby="this-week">
      <h2 id="this-week">This week</h2>
      <svg
        viewBox={`0 0 ${width} 54`}
        style={{ aspectRatio: `${width} / 54` }}
        role="img"
        aria-label={`${taught} of ${pluralize(total, 'lesson')} taught`}
      >
        {Array.from({ length: total }, (_, mark) => (
          <path key={mark} d={strokePath(mark)} data-taught={mark < taught || undefined} />
        ))}
      </svg>
      <dl>
        <div>
          <dt>Lessons</dt>
          <dd>
            {taught} of {total}
          </dd>
        </div>
        <Amounts name="Taught" of={week.money.map((each) => [each.taught, each.currency])} />
        <Amounts name="Received" of={week.money.map((each) => [each.received, each.currency])} />
        <Amounts name="Still to come" of={week.money.map((each) => [each.toCome, each.currency])} />
      </dl>
    </section>
  );
}

type Currency = Dashboard['week']['money'][number]['currency'];

/** Currencies stand beside each other, largest first, and are never added. */
function Amounts({ name, of }: { name: string; of: [minor: number, currency: Currency][] }) {
  // More given back than received is a sum too.
  const some = of.filter(([minor]) => minor !== 0).toSorted(([one], [other]) => other - one);
  const shown: typeof of = some.length > 0 ? some : [[0, of[0]?.[1] ?? 'GBP']];
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {shown.map(([minor, currency]) => (
          <span key={currency}>{money(minor, currency)}</span>
        ))}
      </dd>
    </div>
  );
}

/** Four strokes and one across, none quite like the other: drawn by hand, the same each time. */
function strokePath(mark: number): string {
  const left = 8 + Math.floor(mark / 5) * GROUP_WIDTH;
  const inGroup = mark % 5;
  const lean = ((mark * 37) % 5) - 2;
  if (inGroup === 4) return `M${left - 8} ${40 + lean * 0.5}L${left + 48} ${13 - lean * 0.5}`;
  const x = left + inGroup * 13;
  return `M${x + lean * 0.6} ${8 + (mark % 2)}L${x - lean * 0.5} ${46 - (mark % 3)}`;
}
