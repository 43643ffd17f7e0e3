import { type FamilyDetails, FamilyInput } from '@lessonbook/contract/families';
import { Textarea, TextInput } from '@mantine/core';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useUpdateFamily } from './api.ts';
import classes from './PaymentSheet.module.css';

interface Props {
  family: FamilyDetails;
  opened: boolean;
  onClose: () => void;
}

export function FamilyForm({ family, opened, onClose }: Props) {
  return (
    <BottomSheet title="Address and reference" opened={opened} onClose={onClose}>
      <Fields family={family} onClose={onClose} />
    </BottomSheet>
  );
}

function Fields({ family, onClose }: Omit<Props, 'opened'>) {
  const update = useUpdateFamily();
  const { form, onSubmit, showRefusal } = useContractForm(
    FamilyInput,
    { address: family.address ?? '', reference: family.reference },
    { isWork: true },
  );
  const save = onSubmit((body) =>
    update.mutate(
      { params: { id: family.id }, body },
      { onSuccess: onClose, onError: showRefusal },
    ),
  );
  return (
    <form className={classes.sheet} onSubmit={save} noValidate>
      <Textarea
        label="Address"
        description="As it stands on invoices"
        size="md"
        rows={3}
        data-autofocus
        key={form.key('address')}
        {...form.getInputProps('address')}
      />
      <TextInput
        label="Payment reference"
        description="What the family writes on a bank transfer"
        withAsterisk
        autoComplete="off"
        key={form.key('reference')}
        {...form.getInputProps('reference')}
      />
      <SheetButtons
        onCancel={onClose}
        confirm="Save Changes"
        busy="Saving..."
        isBusy={update.isPending}
      />
    </form>
  );
}
