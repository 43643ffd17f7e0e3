import { FamilyButton, FamilySheet } from '../../components/FamilySheet.tsx';
import classes from './PayPage.module.css';
import type { LinkProblem } from './public-bill.ts';

interface Props {
  name: 'Payment' | 'Invoice';
  problem: LinkProblem;
  onRetry: () => void;
}

/** One sentence and one way on. */
export function PayProblem({ name, problem, onRetry }: Props) {
  return (
    <FamilySheet title={name}>
      <p className={classes.sentence} role="alert">
        {sentences(name)[problem]}
      </p>
      {/* Trying a wrong link again helps nobody. */}
      {problem !== 'unknown' && <FamilyButton onClick={onRetry}>Try again</FamilyButton>}
    </FamilySheet>
  );
}

const sentences = (name: Props['name']): Record<LinkProblem, string> => ({
  unknown: `This ${name.toLowerCase()} link is not valid; please ask your tutor for a new one.`,
  busy: 'This page was opened very often just now; please wait a minute.',
  failed: 'This page could not be loaded.',
});
