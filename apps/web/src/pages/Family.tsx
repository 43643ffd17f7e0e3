import type { FamilyDetails } from '@lessonbook/contract/families';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentProps, lazy, Suspense } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { PaymentReminderButton } from '../features/messages/PaymentReminderButton.tsx';
import { familyQuery } from '../features/payments/api.ts';
import { FamilyDetailsCard, FamilyHeaderCard } from '../features/payments/FamilyCards.tsx';
import { FamilyMenu } from '../features/payments/FamilyMenu.tsx';
import { Ledger } from '../features/payments/Ledger.tsx';
import { ReportedTransferNotice } from '../features/payments/ReportedTransferNotice.tsx';
import { ReturnedPaymentNotice } from '../features/payments/ReturnedPaymentNotice.tsx';
import { isNotFound } from '../lib/http.ts';

const StoppedReminders = lazy(async () => ({
  default: (await import('../features/messages/StoppedReminders.tsx')).StoppedReminders,
}));

const PaymentModal = lazy(async () => ({
  default: (await import('../features/payments/PaymentDetailsModal.tsx')).PaymentDetailsModal,
}));

const ReceiptForm = lazy(async () => ({
  default: (await import('../features/messages/SendMessageForms.tsx')).ReceiptForm,
}));

const renderReceipt: ComponentProps<typeof PaymentModal>['renderReceipt'] = (
  payment,
  formProps,
) => (
  <Suspense fallback={<RowSkeleton rows={2} />}>
    <ReceiptForm paymentId={payment.id} {...formProps} />
  </Suspense>
);

const back = { link: { to: '/families' }, label: 'Back to accounts' } as const;

export function FamilyPage() {
  const { id } = useParams({ from: '/tutor/families/$id' });
  const family = useQuery(familyQuery(Number(id)));
  if (family.data) return <Account family={family.data} />;
  return (
    <NarrowContainer>
      <PageHeader back={back} />
      <Card>
        {family.isPending && <RowSkeleton rows={5} />}
        {family.isError && isNotFound(family.error) && <NotFound />}
        {family.isError && !isNotFound(family.error) && (
          <LoadError onRetry={() => void family.refetch()}>
            The account could not be loaded.
          </LoadError>
        )}
      </Card>
    </NarrowContainer>
  );
}

function Account({ family }: { family: FamilyDetails }) {
  const { today } = useTutor();
  const { payment } = useSearch({ from: '/tutor/families/$id' });
  const navigate = useNavigate();
  const closePayment = () =>
    void navigate({
      to: '/families/$id',
      params: { id: String(family.id) },
      replace: true,
      resetScroll: false,
    });
  return (
    <NarrowContainer>
      <PageHeader
        title={family.name}
        back={back}
        action={<FamilyMenu family={family} today={today} />}
      />
      <ReportedTransferNotice family={family} today={today} />
      {family.returnedPayments.map((returned) => (
        <ReturnedPaymentNotice
          key={`${returned.paymentId} ${returned.kind} ${returned.state}`}
          familyName={family.name}
          returned={returned}
          today={today}
        />
      ))}
      <Suspense fallback={null}>
        <StoppedReminders familyId={family.id} name={family.name} />
      </Suspense>
      <FamilyHeaderCard
        family={family}
        reminderButton={<PaymentReminderButton familyId={family.id} />}
      />
      <Ledger family={family} today={today} />
      <FamilyDetailsCard family={family} />
      <LazyMount opened={payment !== undefined}>
        <PaymentModal
          paymentId={payment ?? null}
          today={today}
          renderReceipt={renderReceipt}
          onClose={closePayment}
        />
      </LazyMount>
    </NarrowContainer>
  );
}

function NotFound() {
  return (
    <EmptyState
      illustration={<Illustration name="students" size={112} />}
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
