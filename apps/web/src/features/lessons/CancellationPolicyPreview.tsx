import type { CancellationTier } from '@lessonbook/contract/cancellation-policy-settings';
import { Card } from '../../components/Card.tsx';
import classes from './CancellationPolicy.module.css';
import {
  effectiveTiers,
  formatAfter,
  formatCostNow,
  formatExampleLesson,
  formatFreeUntil,
} from './cancellation-policy-format.ts';

interface Props {
  tiers: readonly CancellationTier[];
  freeLateCancellations: number;
  today: string;
}

/** The texts of the family portal for an example lesson. */
export function CancellationPolicyPreview({ tiers, freeLateCancellations, today }: Props) {
  const steps = effectiveTiers(tiers);
  const [first] = steps;
  return (
    <Card heading="What families see">
      {first ? (
        <dl className={classes.preview}>
          <dt>{formatExampleLesson(today)}</dt>
          <dd>{formatFreeUntil(first, today)}</dd>
          {steps.map((tier) => (
            <div key={tier.feePercent}>
              <dt>{capitalize(formatAfter(tier))}</dt>
              <dd>{formatCostNow(tier, freeLateCancellations)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={classes.text}>No fee is shown, because cancelling is always free.</p>
      )}
    </Card>
  );
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
