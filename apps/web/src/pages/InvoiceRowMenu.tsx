import type { InvoiceListRow } from '@lessonbook/contract/invoices';
import { ActionIcon } from '@mantine/core';
import { IconBell, IconCash, IconDots, IconDownload, IconSend } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { DropdownMenu } from '../components/DropdownMenu.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { invoicePdfUrl } from '../features/invoices/api.ts';

const RecordPaymentDialog = lazy(async () => ({
  default: (await import('../features/payments/RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));
const SendInvoiceModal = lazy(async () => ({
  default: (await import('../features/messages/SendInvoiceReceiptAndReminderForms.tsx'))
    .SendInvoiceModal,
}));
const PaymentReminderModal = lazy(async () => ({
  default: (await import('../features/messages/SendInvoiceReceiptAndReminderForms.tsx'))
    .PaymentReminderModal,
}));

/** Actions that do not require opening the invoice. */
export function InvoiceRowMenu({ row }: { row: InvoiceListRow }) {
  const { id, familyId, number, familyName, state, kind, due } = row;
  const [opened, setOpened] = useState<'payment' | 'send' | 'remind' | null>(null);
  const close = () => setOpened(null);
  const isActive = kind === 'invoice' && state !== 'draft' && state !== 'void';
  if (state === 'draft') return null;
  return (
    <>
      <DropdownMenu
        width={220}
        target={
          <ActionIcon
            variant="subtle"
            size={40}
            radius="md"
            aria-label={`Actions for ${number}, ${familyName}`}
          >
            <IconDots size={20} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            {isActive && due > 0 && (
              <Menu.Item
                leftSection={<IconCash size={18} stroke={1.8} />}
                onClick={() => setOpened('payment')}
              >
                Record payment
              </Menu.Item>
            )}
            {state === 'overdue' && (
              <Menu.Item
                leftSection={<IconBell size={18} stroke={1.8} />}
                onClick={() => setOpened('remind')}
              >
                Send reminder
              </Menu.Item>
            )}
            {isActive && (
              <Menu.Item
                leftSection={<IconSend size={18} stroke={1.8} />}
                onClick={() => setOpened('send')}
              >
                {row.message ? 'Send again' : 'Send invoice'}
              </Menu.Item>
            )}
            <Menu.Item
              component="a"
              href={invoicePdfUrl(id)}
              download
              leftSection={<IconDownload size={18} stroke={1.8} />}
            >
              Download PDF
            </Menu.Item>
          </>
        )}
      </DropdownMenu>
      <LazyMount opened={opened === 'payment'}>
        <RecordPaymentDialog
          target={{ invoiceId: id }}
          opened={opened === 'payment'}
          onClose={close}
        />
      </LazyMount>
      <LazyMount opened={opened === 'send'}>
        <SendInvoiceModal id={id} opened={opened === 'send'} onClose={close} />
      </LazyMount>
      <LazyMount opened={opened === 'remind'}>
        <PaymentReminderModal familyId={familyId} opened={opened === 'remind'} onClose={close} />
      </LazyMount>
    </>
  );
}
