import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import type { Invoice } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { StickyActions } from '../../components/PageLayoutParts.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { formatAmount, formatList, formatShortDate } from '../../lib/format.ts';
import { DraftLines } from './DraftLines.tsx';
import type { DraftModal } from './DraftModals.tsx';
import { InvoiceDocument } from './InvoiceDocument.tsx';
import classes from './InvoiceEditor.module.css';
import { useEditInvoiceDraft } from './use-edit-invoice-draft.ts';

/* The date picker and the modals are loaded after the first render. */
const DraftModals = lazy(async () => ({
  default: (await import('./DraftModals.tsx')).DraftModals,
}));
const DraftDueDateAndNote = lazy(async () => ({
  default: (await import('./DraftDueDateAndNote.tsx')).DraftDueDateAndNote,
}));

const tabs = [
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
] as const;

interface Props {
  invoice: Invoice;
  today: string;
  /** Called after issuing, to send the invoice straight away. */
  onSend: () => void;
}

/** Edits a draft, with a preview beside it or, on phones, in a second tab. */
export function InvoiceEditor({ invoice, today, onSend }: Props) {
  const [tab, setTab] = useState<'edit' | 'preview'>('edit');
  const [opened, setOpened] = useState<DraftModal | null>(null);
  // Uses a transition, so that the button responds before the whole draft re-renders.
  const open = (modal: DraftModal) => startTransition(() => setOpened(modal));
  const draft = useEditInvoiceDraft(invoice);
  const isEmpty = invoice.lines.length === 0;

  return (
    <>
      <div className={classes.tabs}>
        <SegmentedControl label="View" value={tab} options={tabs} onChange={setTab} />
      </div>
      <div className={classes.layout} data-tab={tab}>
        <div className={classes.edit}>
          <Card>
            <DescriptionList items={toDescriptionItems(invoice, today)} />
          </Card>
          <Card heading="Items">
            <DraftLines
              invoice={invoice}
              today={today}
              isBusy={draft.isBusy}
              onRemove={draft.remove}
            />
            {isEmpty && <p className={classes.muted}>No items yet.</p>}
            <div className={classes.add}>
              <Button variant="light" onClick={() => open('lessons')}>
                Add lesson
              </Button>
              <Button variant="light" onClick={() => open('item')}>
                Add item
              </Button>
            </div>
          </Card>
          <Suspense fallback={<div className={classes.placeholder} />}>
            <DraftDueDateAndNote invoice={invoice} today={today} onSave={draft.save} />
          </Suspense>
        </div>
        <div className={classes.preview}>
          <InvoiceDocument invoice={invoice} />
        </div>
      </div>
      <StickyActions>
        <p className={classes.total}>
          <small>Total</small> <b>{formatAmount(invoice.total, invoice.currency, true)}</b>
        </p>
        <Button
          size="lg"
          className={classes.issue ?? ''}
          disabled={isEmpty}
          onClick={() => open('issue')}
        >
          Issue
        </Button>
      </StickyActions>
      <LazyMount opened={opened !== null}>
        <DraftModals
          invoice={invoice}
          draft={draft}
          today={today}
          opened={opened}
          onClose={() => setOpened(null)}
          onSend={onSend}
        />
      </LazyMount>
    </>
  );
}

function toDescriptionItems(invoice: Invoice, today: string) {
  const { familyId, familyName, students, periodFrom, periodTo } = invoice;
  return [
    {
      name: 'Payer',
      value: (
        <Link to="/families/$id" params={{ id: String(familyId) }}>
          {familyName}
        </Link>
      ),
    },
    { name: 'For', value: formatList(students) },
    {
      name: 'Period',
      value:
        periodFrom &&
        periodTo &&
        (periodFrom === EARLIEST_DATE
          ? `Up to ${formatShortDate(periodTo, today)}`
          : `${formatShortDate(periodFrom, today)} to ${formatShortDate(periodTo, today)}`),
    },
  ];
}
