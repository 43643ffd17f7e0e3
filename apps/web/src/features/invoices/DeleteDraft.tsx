import { useNavigate } from '@tanstack/react-router';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { useDeleteInvoice } from './api.ts';

interface Props {
  id: number;
  opened: boolean;
  onClose: () => void;
}

export function DeleteDraft({ id, opened, onClose }: Props) {
  const remove = useDeleteInvoice();
  const navigate = useNavigate();
  return (
    <ConfirmSheet
      title="Delete this draft?"
      opened={opened}
      onClose={onClose}
      confirm="Delete draft"
      busy="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() =>
        remove.mutate(id, { onSuccess: () => void navigate({ to: '/invoices', replace: true }) })
      }
    >
      It never had a number. Its lessons stay charged and can be invoiced again.
    </ConfirmSheet>
  );
}
