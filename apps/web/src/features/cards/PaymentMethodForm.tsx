import type { CardStatus, DefaultMethod } from '@lessonbook/contract/cards';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { StickyActions } from '../../components/PageLayout.tsx';
import { Radio } from '../../components/RadioList.tsx';
import { cardStatusQuery, useSaveDefaultMethod } from './api.ts';
import classes from './PaymentMethodForm.module.css';
import {
  METHOD_HINTS,
  METHOD_TITLES,
  nextStepHint,
  nextStepLabel,
} from './payment-method-labels.ts';
import { useStripeCallback, useStripeRedirect } from './use-stripe-redirect.ts';

interface StripeAccountProps {
  status: CardStatus;
  /** Families are asked for a card already. */
  isOn: boolean;
  isBusy: boolean;
  onNext: () => void;
}

/** What Stripe says about the tutor's account, and the one next thing to do about it. */
function StripeAccountStatus({ status, isOn, isBusy, onNext }: StripeAccountProps) {
  const { connected, onboardingComplete, payoutsEnabled } = status;
  return (
    <>
      <ul className={classes.lines}>
        <StatusLine done={connected}>{connected ? 'Connected' : 'Not connected'}</StatusLine>
        <StatusLine done={onboardingComplete}>
          {onboardingComplete ? 'Onboarding complete' : 'Onboarding incomplete'}
        </StatusLine>
        {/* Before onboarding is complete this goes without saying; afterwards something is wrong. */}
        <StatusLine done={payoutsEnabled} wrong={onboardingComplete}>
          {payoutsEnabled ? 'Payouts enabled' : 'Payouts disabled'}
        </StatusLine>
      </ul>
      <p className={classes.hint}>{nextStepHint(status, isOn)}</p>
      <Button variant="light" disabled={isBusy} onClick={onNext}>
        {isBusy ? 'Opening Stripe...' : nextStepLabel(status)}
      </Button>
    </>
  );
}

interface StatusLineProps {
  done: boolean;
  wrong?: boolean;
  children: string;
}

function StatusLine({ done, wrong = false, children }: StatusLineProps) {
  const state = done ? 'done' : wrong ? 'wrong' : 'open';
  const Icon = { done: IconCheck, wrong: IconAlertTriangle, open: IconCircleDashed }[state];
  return (
    <li data-state={state}>
      <Icon size={20} stroke={2} />
      {children}
    </li>
  );
}

interface MethodCardProps {
  method: DefaultMethod;
  /** The name that the radios of one choice share. */
  group: string;
  chosen: DefaultMethod;
  onChoose: (method: DefaultMethod) => void;
  /** Unfolds below, once it is chosen. */
  children?: ReactNode;
}

/** One way to be paid: the whole head of the sheet is to be pressed. */
function MethodCard({ method, group, chosen, onChoose, children }: MethodCardProps) {
  const id = useId();
  const title = useId();
  const hint = useId();
  const isChosen = method === chosen;
  return (
    <Card>
      <label className={classes.head} htmlFor={id}>
        <Radio
          id={id}
          name={group}
          value={method}
          checked={isChosen}
          aria-labelledby={title}
          aria-describedby={hint}
          onChange={() => onChoose(method)}
        />
        <span className={classes.words}>
          <span id={title} className={classes.title}>
            {METHOD_TITLES[method]}
          </span>
          <small id={hint}>{METHOD_HINTS[method]}</small>
        </span>
      </label>
      {isChosen && children}
    </Card>
  );
}

/** How families are asked to pay. Cards unfold what Stripe says, and lead there. */
export function PaymentMethodForm({ saved }: { saved: DefaultMethod }) {
  const status = useQuery(cardStatusQuery);
  const way = useStripeRedirect();
  const isBack = useStripeCallback(way.go);
  const [picked, setPicked] = useState<DefaultMethod | null>(isBack ? 'stripe' : null);
  const save = useSaveDefaultMethod();
  const group = useId();
  const chosen = picked ?? saved;

  function choose(method: DefaultMethod) {
    setPicked(method);
    save.reset();
  }

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(chosen);
      }}
    >
      <fieldset className={classes.choice}>
        <legend>How families pay you</legend>
        <MethodCard method="manual" group={group} chosen={chosen} onChoose={choose} />
        <MethodCard method="stripe" group={group} chosen={chosen} onChoose={choose}>
          <section className={classes.account} aria-label="Stripe account">
            {status.data && (
              <StripeAccountStatus
                status={status.data}
                isOn={saved === 'stripe'}
                isBusy={way.isBusy}
                onNext={() => (status.data.onboardingComplete ? way.goBeside() : way.go())}
              />
            )}
            {status.isPending && <RowSkeleton rows={2} />}
            {status.isError && !status.data && (
              <LoadError onRetry={() => void status.refetch()}>
                What Stripe says about your account could not be loaded.
              </LoadError>
            )}
          </section>
        </MethodCard>
      </fieldset>
      <StickyActions>
        <Button type="submit" className={classes.save} disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
        {save.isError && <p className={classes.refusal}>Not saved.</p>}
      </StickyActions>
    </form>
  );
}
