import { InvoiceDraftInput } from '@lessonbook/contract/invoice-inputs';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { formatList } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { familiesQuery } from '../payments/api.ts';
import { useDraftInvoice } from './api.ts';
import classes from './NewInvoiceDialog.module.css';
import { type ChosenPeriod, defaultPeriod, PeriodFields } from './PeriodFields.tsx';

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

interface NewInvoiceFormValues {
  familyId: number | null;
  period: ChosenPeriod;
}

const toInput = ({ familyId, period: { from, to, includeUpcoming } }: NewInvoiceFormValues) => ({
  familyId: familyId as number,
  from,
  to,
  includeUpcoming,
});

const NewInvoiceFormSchema = z.pipe(
  z.transform<NewInvoiceFormValues, z.input<typeof InvoiceDraftInput>>(toInput),
  InvoiceDraftInput,
);

function NewInvoiceForm({ onClose, today, familyId }: Omit<Props, 'opened'>) {
  const families = useQuery(familiesQuery);
  const { values, errors, change, onSubmit, keyFor } = useForm<NewInvoiceFormValues>({
    schema: NewInvoiceFormSchema,
    initialValues: { familyId: familyId ?? null, period: defaultPeriod(today) },
    mode: 'controlled',
  });
  const draft = useDraftInvoice();
  const navigate = useNavigate();
  const { familyId: payer, period } = values;
  const periodError = errors.from ?? errors.to;

  const save = onSubmit(
    (form) => {
      const body = toInput(form);
      return draft.mutateAsync({ body, idempotencyKey: keyFor(body) });
    },
    ([first, second]) => {
      // There is one draft per currency. If there are several, go to the list of drafts.
      if (second || !first) void navigate({ to: '/invoices', search: { state: 'draft' } });
      else void navigate({ to: '/invoices/$id', params: { id: String(first.id) } });
      onClose();
    },
  );

  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submitLabel="Draft invoice"
      isBusy={draft.isPending}
    >
      {families.isError && !families.data && (
        <LoadError onRetry={() => void families.refetch()}>
          We couldn't load your families.
        </LoadError>
      )}
      <Select
        label="Payer"
        placeholder={families.isPending ? 'Loading...' : 'Choose who to invoice'}
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
        // Opening the list on focus would cover half the form.
        openOnFocus={false}
        nothingFoundMessage="No family found"
        value={payer === null ? null : String(payer)}
        onChange={(value) => change({ familyId: value === null ? null : Number(value) })}
        error={errors.familyId}
        data-path="familyId"
        data-autofocus={familyId === undefined || undefined}
      />
      <PeriodFields period={period} onChange={(next) => change({ period: next })} today={today} />
      {periodError && <p className={classes.problem}>{periodError}</p>}
    </DialogForm>
  );

  function childrenOf(id: number): string {
    const family = families.data?.find((candidate) => candidate.id === id);
    return !family || family.students.join() === family.name ? '' : formatList(family.students);
  }
}
