import {
  type DefaultMethod,
  DefaultMethodInput,
  type StripeConnectStatus,
} from '@lessonbook/contract/card-payments';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Card } from '../components/Card.tsx';
import { CheckboxField } from '../components/Checkbox.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader, StickyActions } from '../components/PageLayoutParts.tsx';
import { Radio } from '../components/RadioList.tsx';
import {
  cardStatusQuery,
  defaultMethodQuery,
  useSaveDefaultMethod,
} from '../features/cards/api.ts';
import {
  METHOD_HINTS,
  METHOD_TITLES,
  nextStepHint,
  nextStepLabel,
} from '../features/cards/payment-method-labels.ts';
import {
  CONNECTED_MESSAGE,
  useStripeCallback,
  useStripeRedirect,
} from '../features/cards/use-stripe-onboarding-redirect.ts';
import { toastSuccess } from '../lib/toast.ts';
import { useForm } from '../lib/use-form.ts';
import classes from './PaymentMethods.module.css';

export function PaymentMethodsPage() {
  const method = useQuery(defaultMethodQuery);
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      {method.data ? (
        <DefaultPaymentMethodForm
          saved={method.data.defaultPaymentMethod}
          sendsReceipts={method.data.sendsReceipts}
        />
      ) : (
        <Card>
          {method.isError ? (
            <LoadError onRetry={() => void method.refetch()}>
              We couldn't load your payment methods.
            </LoadError>
          ) : (
            <RowSkeleton rows={2} />
          )}
        </Card>
      )}
    </NarrowContainer>
  );
}

interface StripeAccountProps {
  status: StripeConnectStatus;
  /** Whether card payments are already enabled. */
  isOn: boolean;
  isBusy: boolean;
  onNext: () => void;
  /** Enables card payments. */
  onTurnOn: () => void;
}

/** The status of the Stripe account and the button for the next step. */
function StripeAccountStatus({ status, isOn, isBusy, onNext, onTurnOn }: StripeAccountProps) {
  const { connected, onboardingComplete, payoutsEnabled } = status;
  return (
    <>
      <ul className={classes.lines}>
        <StatusLine done={connected}>{connected ? 'Connected' : 'Not connected'}</StatusLine>
        <StatusLine done={onboardingComplete}>
          {onboardingComplete ? 'Onboarding complete' : 'Onboarding incomplete'}
        </StatusLine>
        {/* Expected before onboarding is complete; a problem afterwards. */}
        <StatusLine done={payoutsEnabled} problem={onboardingComplete}>
          {payoutsEnabled ? 'Payouts enabled' : 'Payouts disabled'}
        </StatusLine>
      </ul>
      <p className={classes.hint}>{nextStepHint(status, isOn)}</p>
      {onboardingComplete && !isOn && (
        <Button disabled={isBusy} onClick={onTurnOn}>
          Accept card payments
        </Button>
      )}
      <Button variant="light" disabled={isBusy} onClick={onNext}>
        {isBusy ? 'Opening Stripe...' : nextStepLabel(status)}
      </Button>
    </>
  );
}

interface StatusLineProps {
  done: boolean;
  problem?: boolean;
  children: string;
}

function StatusLine({ done, problem = false, children }: StatusLineProps) {
  const state = done ? 'done' : problem ? 'problem' : 'open';
  const Icon = { done: IconCheck, problem: IconAlertTriangle, open: IconCircleDashed }[state];
  return (
    <li data-state={state}>
      <Icon size={20} stroke={2} />
      {children}
    </li>
  );
}

interface MethodCardProps {
  method: DefaultMethod;
  /** The name shared by the radio buttons. */
  group: string;
  value: DefaultMethod;
  onChange: (method: DefaultMethod) => void;
  children?: ReactNode;
}

/** One payment method. The whole card header is the label. */
function MethodCard({ method, group, value, onChange, children }: MethodCardProps) {
  const id = useId();
  const title = useId();
  const hint = useId();
  const isSelected = method === value;
  return (
    <Card>
      <label className={classes.head} htmlFor={id}>
        <Radio
          id={id}
          name={group}
          value={method}
          checked={isSelected}
          aria-labelledby={title}
          aria-describedby={hint}
          onChange={() => onChange(method)}
        />
        <span className={classes.text}>
          <span id={title} className={classes.title}>
            {METHOD_TITLES[method]}
          </span>
          <small id={hint}>{METHOD_HINTS[method]}</small>
        </span>
      </label>
      {children}
    </Card>
  );
}

interface Props {
  saved: DefaultMethod;
  sendsReceipts: boolean;
}

interface FormValues {
  paymentMethod: DefaultMethod;
  sendsReceipts: boolean;
}

/** The default payment method. The account status is shown once an account exists or Stripe is selected. */
export function DefaultPaymentMethodForm({ saved, sendsReceipts }: Props) {
  const status = useQuery(cardStatusQuery);
  const stripe = useStripeRedirect();
  const isReturning = useStripeCallback(stripe.redirect, status.data, saved === 'stripe');
  const { values, change, onSubmit, stopGuarding } = useForm<FormValues>({
    schema: DefaultMethodInput,
    initialValues: { paymentMethod: isReturning ? 'stripe' : saved, sendsReceipts },
    mode: 'controlled',
  });
  const save = useSaveDefaultMethod();
  const group = useId();
  const selected = values.paymentMethod;
  const isAccountShown = selected === 'stripe' || status.data?.connected === true;

  function select(paymentMethod: DefaultMethod) {
    change({ paymentMethod });
    save.reset();
  }

  function turnOnStripe() {
    change({ paymentMethod: 'stripe' });
    onSubmit(
      (input) => save.mutateAsync(input),
      () => toastSuccess('Connected', CONNECTED_MESSAGE),
    )();
  }

  function openStripe() {
    if (status.data?.onboardingComplete) stripe.openInNewTab();
    // Stripe redirects back to this page, where the method is still selected.
    else stripe.redirect(stopGuarding);
  }

  return (
    <form className={classes.form} onSubmit={onSubmit((input) => save.mutateAsync(input))}>
      <fieldset className={classes.choice}>
        <legend>How families pay you</legend>
        <MethodCard method="manual" group={group} value={selected} onChange={select} />
        <MethodCard method="stripe" group={group} value={selected} onChange={select}>
          {isAccountShown && (
            <section className={classes.account} aria-label="Stripe account">
              {status.data && (
                <StripeAccountStatus
                  status={status.data}
                  isOn={saved === 'stripe'}
                  isBusy={stripe.isBusy}
                  onNext={openStripe}
                  onTurnOn={turnOnStripe}
                />
              )}
              {status.isPending && <RowSkeleton rows={2} />}
              {status.isError && !status.data && (
                <LoadError onRetry={() => void status.refetch()}>
                  We couldn't load the status of your Stripe account.
                </LoadError>
              )}
              {status.data?.onboardingComplete && (
                <CheckboxField
                  label="Email a receipt for each card payment"
                  checked={values.sendsReceipts}
                  onChange={(on) => change({ sendsReceipts: on })}
                />
              )}
            </section>
          )}
        </MethodCard>
      </fieldset>
      <StickyActions>
        <Button type="submit" className={classes.save} disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
        {save.isError && <p className={classes.error}>Your changes weren't saved.</p>}
      </StickyActions>
    </form>
  );
}
