import type { Invoice, InvoiceDraftUpdate, InvoiceLine } from '@lessonbook/contract/invoices';
import { useQueryClient } from '@tanstack/react-query';
import { toastUndo } from '../../lib/toast.ts';
import { invoiceQuery, useChangeInvoice } from './api.ts';
import { sortLines, toLineInput } from './invoice-lines.ts';

/** Every change of a draft is saved at once, as the whole of it. */
export function useDraft(invoice: Invoice) {
  const client = useQueryClient();
  const change = useChangeInvoice(invoice.id);

  function save(part: Partial<InvoiceDraftUpdate>, then?: () => void) {
    // As it is by now: an undo comes up to ten seconds after the screen it was offered on.
    const draft = client.getQueryData(invoiceQuery(invoice.id).queryKey) ?? invoice;
    change.mutate(
      { lines: draft.lines.map(toLineInput), dueOn: draft.dueOn, note: draft.note, ...part },
      then && { onSuccess: then },
    );
  }

  return {
    isBusy: change.isPending,
    save,
    addItem: (item: { description: string; amount: number }, then: () => void) =>
      save({ lines: [...invoice.lines.map(toLineInput), item] }, then),
    addLessons: (lessons: readonly InvoiceLine[], then: () => void) =>
      save({ lines: sortLines([...invoice.lines, ...lessons]).map(toLineInput) }, then),
    remove: (line: InvoiceLine) => {
      const before = invoice.lines.map(toLineInput);
      const after = invoice.lines
        .filter(({ position }) => position !== line.position)
        .map(toLineInput);
      save({ lines: after }, () => toastUndo('Line removed', () => save({ lines: before })));
    },
  };
}
