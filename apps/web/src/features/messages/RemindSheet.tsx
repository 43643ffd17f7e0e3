import { BottomSheet } from '../../components/BottomSheet.tsx';
import { ReminderForm } from './ReminderForm.tsx';

interface Props {
  familyId: number;
  opened: boolean;
  onClose: () => void;
}

export function RemindSheet({ familyId, opened, onClose }: Props) {
  return (
    <BottomSheet title="Send reminder" opened={opened} onClose={onClose}>
      <ReminderForm familyId={familyId} onSent={onClose} onCancel={onClose} />
    </BottomSheet>
  );
}
