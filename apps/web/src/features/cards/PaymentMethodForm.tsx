import type { DefaultMethod } from '@lessonbook/contract/cards';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { StickyFoot } from '../../components/StickyFoot.tsx';
import { cardStatusQuery, useSaveDefaultMethod } from './api.ts';
import { CardAccount } from './CardAccount.tsx';
import { MethodSheet } from './MethodSheet.tsx';
import classes from './PaymentMethodForm.module.css';
import { useReturnFromStripe } from './use-return-from-stripe.ts';
import { useWayToStripe } from './use-way-to-stripe.ts';

/** How families are asked to pay. Cards unfold what Stripe says, and lead there. */
export function PaymentMethodForm({ saved }: { saved: DefaultMethod }) {
  const status = useQuery(cardStatusQuery);
  const way = useWayToStripe();
  const isBack = useReturnFromStripe(way.go);
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
        <MethodSheet method="manual" group={group} chosen={chosen} onChoose={choose} />
        <MethodSheet method="stripe" group={group} chosen={chosen} onChoose={choose}>
          <section className={classes.account} aria-label="Stripe account">
            {status.data && (
              <CardAccount
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
        </MethodSheet>
      </fieldset>
      <StickyFoot>
        <Button type="submit" className={classes.save} disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
        {save.isError && <p className={classes.refusal}>Not saved.</p>}
      </StickyFoot>
    </form>
  );
}
