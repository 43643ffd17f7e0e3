import type { Arrears } from '@lessonbook/contract/arrears';
import type { FamilyDetails } from '@lessonbook/contract/families';
import type { InstalmentPlan } from '@lessonbook/contract/instalments';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { InstalmentList } from '../../components/InstalmentList.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import {
  firstName,
  formatAmount,
  formatList,
  formatShortDate,
  pluralize,
  totalsByCurrency,
} from '../../lib/format.ts';
import classes from './FamilyInstalmentsAndArrears.module.css';
import { arrearsQuery, useEndInstalments } from './instalments-and-write-offs-api.ts';

const InstalmentsDialog = lazy(async () => ({
  default: (await import('./InstalmentsDialog.tsx')).InstalmentsDialog,
}));
const StatementModal = lazy(async () => ({
  default: (await import('./StatementModal.tsx')).StatementModal,
}));
const WriteOffDialog = lazy(async () => ({
  default: (await import('./WriteOffDialog.tsx')).WriteOffDialog,
}));

interface Props {
  family: FamilyDetails;
  today: string;
}

/** The agreed instalments, and the options once a family is in arrears. */
export function FamilyInstalmentsAndArrears({ family, today }: Props) {
  const { data: arrears } = useQuery(arrearsQuery(family.id));
  if (!arrears) return null;
  return (
    <>
      {arrears.plans.map((plan) => (
        <PlanCard key={plan.currency} {...{ plan, family, today }} />
      ))}
      {arrears.isInArrears && <ArrearsOptions {...{ arrears, family, today }} />}
    </>
  );
}

function ArrearsOptions({ arrears, family, today }: Props & { arrears: Arrears }) {
  const [opened, setOpened] = useState<'instalments' | 'write-off' | 'statement' | null>(null);
  const dialog = (name: typeof opened) => ({
    opened: opened === name,
    onClose: () => setOpened(null),
  });
  const { charges, plans } = arrears;
  const canAgree = charges.some(
    ({ isOverdue, isOnHold, currency }) =>
      isOverdue && !isOnHold && !plans.some((plan) => plan.currency === currency),
  );
  return (
    <Card>
      <section aria-label="Arrears" className={classes.card}>
        <p className={classes.title}>{describeArrears(arrears, family, today)}</p>
        <div className={classes.actions}>
          {canAgree && <Button onClick={() => setOpened('instalments')}>Agree instalments</Button>}
          <PauseLessons family={family} />
          <Button variant="default" onClick={() => setOpened('write-off')}>
            Write off
          </Button>
          <Button variant="default" onClick={() => setOpened('statement')}>
            Statement (PDF)
          </Button>
        </div>
      </section>
      <LazyMount opened={opened === 'instalments'}>
        <InstalmentsDialog {...{ family, today }} {...dialog('instalments')} />
      </LazyMount>
      <LazyMount opened={opened === 'write-off'}>
        <WriteOffDialog {...{ family, today }} {...dialog('write-off')} />
      </LazyMount>
      <LazyMount opened={opened === 'statement'}>
        <StatementModal familyId={family.id} today={today} {...dialog('statement')} />
      </LazyMount>
    </Card>
  );
}

/** '£340 has been overdue since Wed 2 Sep. Ruth has been sent 3 reminders.' */
function describeArrears(
  { overdueSince, reminderCount }: Arrears,
  { due, name }: FamilyDetails,
  today: string,
): string {
  const overdue = totalsByCurrency(
    due.map(({ currency, overdue: minor }) => ({ currency, minor })),
  ).filter(({ minor }) => minor > 0);
  const amounts = formatList(overdue.map(({ currency, minor }) => formatAmount(minor, currency)));
  const since = overdueSince ? ` since ${formatShortDate(overdueSince, today)}` : '';
  const reminded =
    reminderCount > 0
      ? ` ${firstName(name)} has been sent ${pluralize(reminderCount, 'reminder')}.`
      : '';
  return `${amounts} has been overdue${since}.${reminded}`;
}

/** Links to the student's page, where a pause shows which lessons it cancels. */
function PauseLessons({ family: { children } }: Pick<Props, 'family'>) {
  const [only, ...others] = children.filter(({ isCurrent }) => isCurrent);
  if (!only) return null;
  if (others.length === 0)
    return (
      <ButtonLink to="/students/$id" params={{ id: String(only.id) }} variant="default">
        Pause lessons
      </ButtonLink>
    );
  return (
    <DropdownMenu width={220} target={<Button variant="default">Pause lessons</Button>}>
      {(Menu) =>
        [only, ...others].map(({ id, name }) => (
          <Menu.Item
            key={id}
            renderRoot={(props) => (
              <Link to="/students/$id" params={{ id: String(id) }} {...props} />
            )}
          >
            {name}
          </Menu.Item>
        ))
      }
    </DropdownMenu>
  );
}

function PlanCard({ plan, family, today }: Props & { plan: InstalmentPlan }) {
  const [isEnding, setIsEnding] = useState(false);
  const end = useEndInstalments();
  const { currency, instalments } = plan;
  const left = instalments.reduce((sum, instalment) => sum + instalment.outstanding, 0);
  const close = () => setIsEnding(false);
  return (
    <Card>
      <section aria-label="Instalments" className={classes.card}>
        <p className={classes.title}>
          Instalments agreed, {formatAmount(left, currency)} left to pay
        </p>
        <InstalmentList plan={plan} formatDate={(date) => formatShortDate(date, today)} />
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setIsEnding(true)}>
            End plan
          </Button>
        </div>
      </section>
      <ConfirmModal
        title="End the plan?"
        opened={isEnding}
        onClose={close}
        confirmLabel="End plan"
        busyLabel="Ending..."
        isBusy={end.isPending}
        onConfirm={() =>
          end.mutate({ params: { id: family.id }, body: { currency } }, { onSuccess: close })
        }
      >
        <ImpactNotice>
          {firstName(family.name)} will be asked for all of the {formatAmount(left, currency)}{' '}
          again. Payments aren't affected.
        </ImpactNotice>
      </ConfirmModal>
    </Card>
  );
}
