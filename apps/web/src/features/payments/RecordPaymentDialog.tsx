import type { PaymentFormData } from '@lessonbook/contract/payments';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Form } from '../../components/Form.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { firstName, formatList } from '../../lib/format.ts';
import { familiesQuery, type PaymentTarget, paymentFormDataQuery } from './api.ts';
import { PaymentFields } from './PaymentFields.tsx';
import { usePaymentForm } from './payment-form.ts';

interface PaymentFormCardProps {
  formData: PaymentFormData;
  onSaved: () => void;
}

/** The form as a card on a page, without a cancel button. */
export function PaymentFormCard({ formData, onSaved }: PaymentFormCardProps) {
  const payment = usePaymentForm(formData, onSaved);
  return (
    <Card heading="Payment">
      <Form
        onSubmit={payment.onSubmit}
        submitLabel="Record payment"
        busyLabel="Saving..."
        isBusy={payment.isBusy}
      >
        <PaymentFields {...payment} />
      </Form>
    </Card>
  );
}

interface Props {
  /** Null lets the tutor choose the family. */
  target: PaymentTarget | null;
  opened: boolean;
  onClose: () => void;
}

/** Loaded lazily because of the date picker. */
export function RecordPaymentDialog({ target, opened, onClose }: Props) {
  return (
    <Dialog title="Record payment" opened={opened} onClose={onClose}>
      {target ? (
        <PaymentLoader target={target} onClose={onClose} />
      ) : (
        <PaymentForAnyFamily onClose={onClose} />
      )}
    </Dialog>
  );
}

/** The family is chosen first, because the amount and the unpaid lessons depend on it. */
function PaymentForAnyFamily({ onClose }: { onClose: () => void }) {
  const families = useQuery(familiesQuery);
  const [familyId, setFamilyId] = useState<number | null>(null);
  if (!families.data) {
    return families.isError ? (
      <LoadError onRetry={() => void families.refetch()}>We couldn't load your families.</LoadError>
    ) : (
      <RowSkeleton rows={1} />
    );
  }
  return (
    <>
      <Select
        label="Family"
        placeholder="Who paid?"
        searchable
        limit={50}
        nothingFoundMessage="No families match."
        data={families.data.map(({ id, name, students }) => ({
          value: String(id),
          label: formatPayer(name, students),
        }))}
        value={familyId === null ? null : String(familyId)}
        onChange={(value) => setFamilyId(value === null ? null : Number(value))}
      />
      {familyId !== null && (
        <PaymentLoader key={familyId} target={{ familyId }} onClose={onClose} />
      )}
    </>
  );
}

/** 'Ruth Hale (Leo and Maya)' */
function formatPayer(name: string, students: readonly string[]): string {
  const children = formatList(students.filter((student) => student !== name).map(firstName));
  return children ? `${name} (${children})` : name;
}

function PaymentLoader({ target, onClose }: { target: PaymentTarget; onClose: () => void }) {
  const query = useQuery(paymentFormDataQuery(target));
  if (query.data) return <DialogFields formData={query.data} onClose={onClose} />;
  if (query.isPending) return <RowSkeleton rows={4} />;
  return <LoadError onRetry={() => void query.refetch()}>We couldn't load what's owed.</LoadError>;
}

function DialogFields({ formData, onClose }: { formData: PaymentFormData; onClose: () => void }) {
  const payment = usePaymentForm(formData, onClose);
  return (
    <DialogForm
      onSubmit={payment.onSubmit}
      onCancel={onClose}
      submitLabel="Record payment"
      isBusy={payment.isBusy}
    >
      <PaymentFields {...payment} />
    </DialogForm>
  );
}
