import { type FamilyDetails, FamilyInput } from '@lessonbook/contract/families';
import { Textarea, TextInput } from '@mantine/core';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { TimeZoneField } from '../accounts/shared/TimeZoneField.tsx';
import { useUpdateFamily } from './api.ts';
import classes from './PaymentDetailsModal.module.css';

interface Props {
  family: FamilyDetails;
  opened: boolean;
  onClose: () => void;
}

export function EditFamilyModal({ family, opened, onClose }: Props) {
  return (
    <ResponsiveModal title="Address, reference and time zone" opened={opened} onClose={onClose}>
      <EditFamilyForm family={family} onClose={onClose} />
    </ResponsiveModal>
  );
}

function EditFamilyForm({ family, onClose }: Omit<Props, 'opened'>) {
  const update = useUpdateFamily();
  const initialValues = {
    address: family.address ?? '',
    reference: family.reference,
    timeZone: family.timeZone ?? '',
  };
  const { form, fillIn, onSubmit } = useForm({ schema: FamilyInput, initialValues });
  useRefreshUnchangedFields({ form, fillIn }, initialValues);
  const save = onSubmit((body) => update.mutateAsync({ params: { id: family.id }, body }), onClose);
  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <Textarea
        label="Address"
        description="As shown on invoices"
        size="md"
        rows={3}
        data-autofocus
        key={form.key('address')}
        {...form.getInputProps('address')}
      />
      <TextInput
        label="Payment reference"
        description="What the family should put on a bank transfer"
        withAsterisk
        autoComplete="off"
        key={form.key('reference')}
        {...form.getInputProps('reference')}
      />
      <TimeZoneField
        label="Time zone"
        description="Only if it's different from yours. Messages will show both times, and nothing is sent automatically at night, except urgent changes to lessons."
        placeholder="Same as yours"
        clearable
        current={family.timeZone ?? 'Europe/London'}
        key={form.key('timeZone')}
        {...form.getInputProps('timeZone')}
      />
      <ModalActions
        onCancel={onClose}
        confirmLabel="Save Changes"
        busyLabel="Saving..."
        isBusy={update.isPending}
      />
    </form>
  );
}
