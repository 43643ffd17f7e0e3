import type { FamilyDetails } from '@lessonbook/contract/families';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, lazy, Suspense } from 'react';
import { LazyMount } from '../components/LazyMount.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { Tabs } from '../components/Tabs.tsx';
import { InvoiceFamilyButton } from '../features/invoices/InvoiceFamilyButton.tsx';
import { PaymentReminderButton } from '../features/messages/PaymentReminderButton.tsx';
import { FamilyBalanceSummary } from '../features/payments/FamilyBalanceSummary.tsx';
import { FamilyContactList } from '../features/payments/FamilyContactList.tsx';
import { FamilyWaysToPay } from '../features/payments/FamilyWaysToPay.tsx';
import { Ledger } from '../features/payments/Ledger.tsx';
import { ReportedTransferNotice } from '../features/payments/ReportedTransferNotice.tsx';
import { ReturnedPaymentNotice } from '../features/payments/ReturnedPaymentNotice.tsx';

/* The parts of an account, shown on its page and beside the list of families. */

const ChargeQueriesToAnswer = lazy(async () => ({
  default: (await import('../features/payments/ChargeQueriesToAnswer.tsx')).ChargeQueriesToAnswer,
}));

const FamilyInstalmentsAndArrears = lazy(async () => ({
  default: (await import('../features/payments/FamilyInstalmentsAndArrears.tsx'))
    .FamilyInstalmentsAndArrears,
}));

const StoppedReminders = lazy(async () => ({
  default: (await import('../features/messages/StoppedReminders.tsx')).StoppedReminders,
}));

const FamilyInvoices = lazy(async () => ({
  default: (await import('../features/invoices/FamilyInvoices.tsx')).FamilyInvoices,
}));

const PaymentModal = lazy(async () => ({
  default: (await import('../features/payments/PaymentDetailsModal.tsx')).PaymentDetailsModal,
}));

const ReceiptForm = lazy(async () => ({
  default: (await import('../features/messages/SendInvoiceReceiptAndReminderForms.tsx'))
    .ReceiptForm,
}));

interface Props {
  family: FamilyDetails;
  today: string;
}

/** Notices shown above the rest of the account. */
export function FamilyNotices({ family, today }: Props) {
  return (
    <>
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
        {family.balances.some(({ owed }) => owed > 0) && (
          <FamilyInstalmentsAndArrears family={family} today={today} />
        )}
        <ChargeQueriesToAnswer familyId={family.id} today={today} />
        <StoppedReminders familyId={family.id} name={family.name} />
      </Suspense>
    </>
  );
}

/** The balance and its actions. */
export function FamilyBalanceAndActions({ family, today }: Props) {
  return (
    <FamilyBalanceSummary
      family={family}
      today={today}
      reminderButton={<PaymentReminderButton familyId={family.id} />}
      invoiceButton={
        <InvoiceFamilyButton
          familyId={family.id}
          hasUninvoiced={family.due.some(({ uninvoiced }) => uninvoiced > 0)}
          today={today}
        />
      }
    />
  );
}

const TABS = [
  { value: 'account', label: 'Account' },
  { value: 'invoices', label: 'Invoices' },
  { value: 'ways-to-pay', label: 'Ways to pay' },
  { value: 'people', label: 'People' },
] as const;

/** The tabs, and the payment that is opened from the account. Both are in the URL of the page. */
export function FamilyTabs({ family, today }: Props) {
  const search = useSearch({ strict: false });
  const { payment } = search;
  const tab = TABS.find(({ value }) => value === search.tab)?.value ?? 'account';
  const navigate = useNavigate();
  const showTab = (next: (typeof TABS)[number]['value']) =>
    void navigate({
      to: '.',
      search: ({ tab: _previous, ...rest }) => ({
        ...rest,
        ...(next !== 'account' && { tab: next }),
      }),
      replace: true,
      resetScroll: false,
    });
  const closePayment = () =>
    void navigate({
      to: '.',
      search: ({ payment: _closed, ...rest }) => rest,
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <Tabs
        label={`${family.name}'s account`}
        value={tab}
        options={TABS.map((option) => ({
          ...option,
          ...(option.value === 'people' && { count: family.people.length }),
        }))}
        onChange={showTab}
      >
        {tab === 'account' && <Ledger family={family} today={today} />}
        {tab === 'invoices' && (
          <Suspense fallback={<RowSkeleton rows={3} />}>
            <FamilyInvoices familyId={family.id} today={today} />
          </Suspense>
        )}
        {tab === 'ways-to-pay' && <FamilyWaysToPay family={family} />}
        {tab === 'people' && <FamilyContactList family={family} />}
      </Tabs>
      <LazyMount opened={payment !== undefined}>
        <PaymentModal
          paymentId={payment ?? null}
          today={today}
          renderReceipt={renderReceipt}
          onClose={closePayment}
        />
      </LazyMount>
    </>
  );
}

const renderReceipt: ComponentProps<typeof PaymentModal>['renderReceipt'] = (
  payment,
  formProps,
) => (
  <Suspense fallback={<RowSkeleton rows={2} />}>
    <ReceiptForm paymentId={payment.id} {...formProps} />
  </Suspense>
);
