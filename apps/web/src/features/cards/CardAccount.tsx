import type { CardStatus } from '@lessonbook/contract/cards';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed } from '@tabler/icons-react';
import classes from './CardAccount.module.css';
import { nextStep, stepInWords } from './card-words.ts';

interface Props {
  status: CardStatus;
  /** Families are asked for a card already. */
  isOn: boolean;
  isBusy: boolean;
  onNext: () => void;
}

/** What Stripe says about the tutor's account, and the one next thing to do about it. */
export function CardAccount({ status, isOn, isBusy, onNext }: Props) {
  const { connected, onboardingComplete, payoutsEnabled } = status;
  return (
    <>
      <ul className={classes.lines}>
        <Line done={connected}>{connected ? 'Connected' : 'Not connected'}</Line>
        <Line done={onboardingComplete}>
          {onboardingComplete ? 'Onboarding complete' : 'Onboarding incomplete'}
        </Line>
        {/* Before onboarding is complete this goes without saying; afterwards something is wrong. */}
        <Line done={payoutsEnabled} wrong={onboardingComplete}>
          {payoutsEnabled ? 'Payouts enabled' : 'Payouts disabled'}
        </Line>
      </ul>
      <p className={classes.hint}>{stepInWords(status, isOn)}</p>
      <Button variant="light" disabled={isBusy} onClick={onNext}>
        {isBusy ? 'Opening Stripe...' : nextStep(status)}
      </Button>
    </>
  );
}

interface LineProps {
  done: boolean;
  wrong?: boolean;
  children: string;
}

function Line({ done, wrong = false, children }: LineProps) {
  const state = done ? 'done' : wrong ? 'wrong' : 'open';
  const Icon = { done: IconCheck, wrong: IconAlertTriangle, open: IconCircleDashed }[state];
  return (
    <li data-state={state}>
      <Icon size={20} stroke={2} />
      {children}
    </li>
  );
}
