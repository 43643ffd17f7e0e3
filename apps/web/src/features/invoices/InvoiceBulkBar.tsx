import type { InvoiceListRow } from '@lessonbook/contract/invoices';
import { IconBell, IconDownload, IconSend, IconTable, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { BulkBar } from '../../components/BulkBar.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { formatTotals } from '../../lib/format.ts';
import { invoicePdfUrl } from './api.ts';
import { isAwaitingPayment } from './InvoiceTable.tsx';
import { formatIds } from './ids-in-url.ts';

const BulkReminderModal = lazy(async () => ({
  default: (await import('./BulkReminderModal.tsx')).BulkReminderModal,
}));
const DeleteDraftsModal = lazy(async () => ({
  default: (await import('./DraftModals.tsx')).DeleteDraftsModal,
}));

interface Props {
  rows: readonly InvoiceListRow[];
  csvUrl: string;
  onClear: () => void;
}

/** Offers each action that at least one of the selected invoices allows. */
export function InvoiceBulkBar({ rows, csvUrl, onClear }: Props) {
  const [opened, setOpened] = useState<'remind' | 'delete' | null>(null);
  const navigate = useNavigate();
  const close = () => setOpened(null);
  const overdue = rows.filter(({ state }) => state === 'overdue');
  const unsent = rows.filter(canBeSent);
  const issued = rows.filter(({ state }) => state !== 'draft');
  const drafts = rows.filter(({ state }) => state === 'draft');
  const actions = [
    {
      label: 'Send reminder',
      Icon: IconBell,
      onClick: () => setOpened('remind'),
      isOffered: overdue.length > 0,
    },
    {
      label: 'Send invoices',
      Icon: IconSend,
      onClick: () =>
        void navigate({
          to: '/invoices/everyone',
          search: { drafts: formatIds(unsent.map(({ id }) => id)) },
        }),
      isOffered: unsent.length > 0,
    },
    {
      label: issued.length === 1 ? 'Download PDF' : 'Download PDFs',
      Icon: IconDownload,
      onClick: () => void downloadAll(issued.map(({ id }) => invoicePdfUrl(id))),
      isOffered: issued.length > 0,
    },
    {
      label: 'Export CSV',
      Icon: IconTable,
      onClick: () => void downloadAll([csvUrl]),
      isOffered: true,
    },
    {
      label: drafts.length === 1 ? 'Delete draft' : 'Delete drafts',
      Icon: IconTrash,
      onClick: () => setOpened('delete'),
      isOffered: drafts.length > 0,
    },
  ];
  return (
    <>
      {rows.length > 0 && (
        <BulkBar
          label="Selected invoices"
          summary={summarize(rows)}
          actions={actions.filter(({ isOffered }) => isOffered)}
          onClear={onClear}
        />
      )}
      <LazyMount opened={opened === 'remind'}>
        <BulkReminderModal rows={overdue} opened={opened === 'remind'} onClose={close} />
      </LazyMount>
      <LazyMount opened={opened === 'delete'}>
        <DeleteDraftsModal
          drafts={drafts}
          opened={opened === 'delete'}
          onClose={close}
          onDeleted={onClear}
        />
      </LazyMount>
    </>
  );
}

/** A draft with lines, or an unpaid invoice that has not been sent to the payer yet. */
const canBeSent = (row: InvoiceListRow): boolean =>
  row.state === 'draft'
    ? row.lineCount > 0
    : isAwaitingPayment(row) && row.message?.state !== 'sent' && row.message?.state !== 'waiting';

/** '3 selected, £205 due' */
function summarize(rows: readonly InvoiceListRow[]): string {
  const due = rows
    .filter(isAwaitingPayment)
    .map(({ currency, due: minor }) => ({ currency, minor }));
  const sum = formatTotals(due);
  return `${rows.length} selected${sum && `, ${sum} due`}`;
}

/** Browsers drop downloads that are started at the same time. */
const DOWNLOAD_GAP_MS = 400;

async function downloadAll(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
    if (urls.length > 1) await new Promise((resolve) => setTimeout(resolve, DOWNLOAD_GAP_MS));
  }
}
