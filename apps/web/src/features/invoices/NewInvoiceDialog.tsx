import { InvoiceDraftInput } from '@lessonbook/contract/invoices';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { formatList } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { familiesQuery } from '../payments/api.ts';
import { useDraftInvoice } from './api.ts';
import classes from './NewInvoiceDialog.module.css';
import { defaultPeriod, PeriodFields } from './PeriodFields.tsx';

interface Props {
  opened: boolean;
  onClose: () => void;
  today: string;
  /** Preselected payer. */
  familyId?: number | undefined;
}

export function NewInvoiceDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="New invoice" opened={opened} onClose={onClose}>
      <NewInvoiceForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function NewInvoiceForm({ onClose, today, familyId }: Omit<Props, 'opened'>) {
  const families = useQuery(familiesQuery);
  const [payer, setPayer] = useState(familyId ?? null);
  const [period, setPeriod] = useState(() => defaultPeriod(today));
  const [message, setMessage] = useState('');
  const idempotency = useIdempotencyKey();
  const draft = useDraftInvoice();
  const navigate = useNavigate();

  function save() {
    const { from, to, includeUpcoming } = period;
    const body = InvoiceDraftInput.safeParse({ familyId: payer, from, to, includeUpcoming });
    if (!body.success) return setMessage(body.error.issues[0]?.message ?? '');
    setMessage('');
    draft.mutate(
      { body: body.data, idempotencyKey: idempotency.keyFor(body.data) },
      {
        onSuccess: ([first, second]) => {
          // There is one draft per currency. If there are several, go to the list of drafts.
          if (second || !first) void navigate({ to: '/invoices', search: { state: 'draft' } });
          else void navigate({ to: '/invoices/$id', params: { id: String(first.id) } });
          onClose();
        },
      },
    );
  }

  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onCancel={onClose}
      submitLabel="Draft invoice"
      isBusy={draft.isPending}
    >
      {families.isError && !families.data && (
        <LoadError onRetry={() => void families.refetch()}>
          Your families could not be loaded.
        </LoadError>
      )}
      <Select
        label="Payer"
        placeholder={families.isPending ? 'Loading...' : 'Choose whom to invoice'}
        withAsterisk
        data={(families.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        // Two payers may share a name; the children's names distinguish them.
        renderOption={({ option }) => (
          <span>
            {option.label}{' '}
            <small className={classes.students}>{childrenOf(Number(option.value))}</small>
          </span>
        )}
        searchable
        selectFirstOptionOnChange
        // Opening on focus would cover half the form.
        openOnFocus={false}
        nothingFoundMessage="Nobody of that name has an account yet"
        value={payer === null ? null : String(payer)}
        onChange={(value) => setPayer(value === null ? null : Number(value))}
        error={payer === null && message}
        data-autofocus={familyId === undefined || undefined}
      />
      <PeriodFields period={period} onChange={setPeriod} today={today} />
      {message && payer !== null && <p className={classes.problem}>{message}</p>}
    </DialogForm>
  );

  function childrenOf(id: number): string {
    const family = families.data?.find((candidate) => candidate.id === id);
    return !family || family.students.join() === family.name ? '' : formatList(family.students);
  }
}
