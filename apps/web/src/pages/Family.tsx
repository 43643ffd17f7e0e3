import type { FamilyDetails } from '@lessonbook/contract/families';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentProps, lazy, Suspense } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';
import { WhenOpened } from '../components/WhenOpened.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { Remind } from '../features/messages/Remind.tsx';
import { familyQuery } from '../features/payments/api.ts';
import { ClaimNotice } from '../features/payments/ClaimNotice.tsx';
import { FamilyFacts } from '../features/payments/FamilyFacts.tsx';
import { FamilyHead } from '../features/payments/FamilyHead.tsx';
import { FamilyMenu } from '../features/payments/FamilyMenu.tsx';
import { Ledger } from '../features/payments/Ledger.tsx';
import { isNotFound } from '../lib/http.ts';

const PaymentSheet = lazy(async () => ({
  default: (await import('../features/payments/PaymentSheet.tsx')).PaymentSheet,
}));

const ReceiptForm = lazy(async () => ({
  default: (await import('../features/messages/ReceiptForm.tsx')).ReceiptForm,
}));

const receipt: ComponentProps<typeof PaymentSheet>['receipt'] = (payment, way) => (
  <Suspense fallback={<RowSkeleton rows={2} />}>
    <ReceiptForm paymentId={payment.id} {...way} />
  </Suspense>
);

const back = { link: { to: '/families' }, label: 'Back to accounts' } as const;

export function FamilyPage() {
  const { id } = useParams({ from: '/frame/tutor/families/$id' });
  const family = useQuery(familyQuery(Number(id)));
  if (family.data) return <Account family={family.data} />;
  return (
    <Column>
      <PageHeader title="Family" back={back} />
      <Sheet>
        {family.isPending && <RowSkeleton rows={5} />}
        {family.isError && isNotFound(family.error) && <NotFound />}
        {family.isError && !isNotFound(family.error) && (
          <LoadError onRetry={() => void family.refetch()}>
            The account could not be loaded.
          </LoadError>
        )}
      </Sheet>
    </Column>
  );
}

function Account({ family }: { family: FamilyDetails }) {
  const { today } = useTutor();
  const { payment } = useSearch({ from: '/frame/tutor/families/$id' });
  const navigate = useNavigate();
  const closePayment = () =>
    void navigate({
      to: '/families/$id',
      params: { id: String(family.id) },
      replace: true,
      resetScroll: false,
    });
  return (
    <Column>
      <PageHeader
        title={family.name}
        back={back}
        action={<FamilyMenu family={family} today={today} />}
      />
      <ClaimNotice family={family} today={today} />
      <FamilyHead family={family} remind={<Remind familyId={family.id} />} />
      <Ledger family={family} today={today} />
      <FamilyFacts family={family} />
      <WhenOpened opened={payment !== undefined}>
        <PaymentSheet
          paymentId={payment ?? null}
          today={today}
          receipt={receipt}
          onClose={closePayment}
        />
      </WhenOpened>
    </Column>
  );
}

function NotFound() {
  return (
    <EmptyState
      drawing={<Spot name="students" size={112} />}
      action={
        <ButtonLink to="/families" variant="light">
          Go to accounts
        </ButtonLink>
      }
    >
      Family not found
    </EmptyState>
  );
}
