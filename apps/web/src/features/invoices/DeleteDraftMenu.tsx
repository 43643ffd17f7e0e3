import type { Invoice } from '@lessonbook/contract/invoices';
import { ActionIcon } from '@mantine/core';
import { IconDotsVertical, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';

const DeleteDraftsModal = lazy(async () => ({
  default: (await import('./DraftModals.tsx')).DeleteDraftsModal,
}));

/** Further actions for a draft invoice. */
export function DeleteDraftMenu({ invoice }: { invoice: Invoice }) {
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <DropdownMenu
        width={200}
        target={
          <ActionIcon variant="default" size={44} radius="md" aria-label="More">
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={18} stroke={1.8} />}
            onClick={() => setDeleting(true)}
          >
            Delete draft
          </Menu.Item>
        )}
      </DropdownMenu>
      <LazyMount opened={deleting}>
        <DeleteDraftsModal
          drafts={[invoice]}
          opened={deleting}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/invoices', replace: true })}
        />
      </LazyMount>
    </>
  );
}
