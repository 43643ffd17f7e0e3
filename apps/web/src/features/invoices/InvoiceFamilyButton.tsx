import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import { Button } from '@mantine/core';
import { IconFileInvoice } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { draftInvoice, invoicesQuery } from './api.ts';

const NewInvoiceDialog = lazy(async () => ({
  default: (await import('./NewInvoiceDialog.tsx')).NewInvoiceDialog,
}));

interface Props {
  familyId: number;
  /** Whether the family has anything that is not on an issued invoice yet. */
  hasUninvoiced: boolean;
  today: string;
}

/** Opens the family's draft, or drafts everything that is not invoiced yet. Otherwise asks for the period. */
export function InvoiceFamilyButton({ familyId, hasUninvoiced, today }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const idempotency = useIdempotencyKey();
  const [isChoosing, setIsChoosing] = useState(false);

  const invoice = useMutation({
    mutationFn: async () => {
      const drafts = await client.fetchInfiniteQuery({
        ...invoicesQuery({ familyId, state: 'draft' }),
        staleTime: 0,
      });
      const existing = drafts.pages.flat();
      if (existing.length > 0 || !hasUninvoiced) return existing;
      const body = { familyId, from: EARLIEST_DATE, to: today, includeUpcoming: false };
      return draftInvoice({ body, idempotencyKey: idempotency.keyFor(body) });
    },
    meta: { errorFallback: "We couldn't draft the invoice. Please try again." },
    onSuccess: ([first, second]) => {
      if (!first) setIsChoosing(true);
      // There is one draft per currency.
      else if (second)
        void navigate({ to: '/invoices', search: { family: familyId, state: 'draft' } });
      else void navigate({ to: '/invoices/$id', params: { id: String(first.id) } });
    },
  });

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileInvoice size={18} stroke={1.8} />}
        disabled={invoice.isPending}
        onClick={() => invoice.mutate()}
      >
        Invoice
      </Button>
      <LazyMount opened={isChoosing}>
        <NewInvoiceDialog
          opened={isChoosing}
          onClose={() => setIsChoosing(false)}
          today={today}
          familyId={familyId}
        />
      </LazyMount>
    </>
  );
}
