import type { Invoice, InvoiceChange, InvoiceLine } from '@lessonbook/contract/invoices';
import { useQueryClient } from '@tanstack/react-query';
import { toastUndo } from '../../lib/toast.ts';
import { invoiceQuery, useChangeInvoice } from './api.ts';
import { inOrder, inputOf } from './invoice-lines.ts';

/** Every change of a draft is saved at once, as the whole of it. */
export function useDraft(invoice: Invoice) {
  const client = useQueryClient();
  const change = useChangeInvoice(invoice.id);

  function save(part: Partial<InvoiceChange>, then?: () => void) {
    // As it is by now: an undo comes up to ten seconds after the screen it was offered on.
    const draft = client.getQueryData(invoiceQuery(invoice.id).queryKey) ?? invoice;
    change.mutate(
      { lines: draft.lines.map(inputOf), dueOn: draft.dueOn, note: draft.note, ...part },
      then && { onSuccess: then },
    );
  }

  return {
    isBusy: change.isPending,
    save,
    addItem: (item: { description: string; amount: number }, then: () => void) =>
      save({ lines: [...invoice.lines.map(inputOf), item] }, then),
    addLessons: (lessons: readonly InvoiceLine[], then: () => void) =>
      save({ lines: inOrder([...invoice.lines, ...lessons]).map(inputOf) }, then),
    remove: (line: InvoiceLine) => {
      const before = invoice.lines.map(inputOf);
      const after = invoice.lines.filter(({ position }) => position !== line.position).map(inputOf);
      save({ lines: after }, () => toastUndo('Line removed', () => save({ lines: before })));
    },
  };
}
