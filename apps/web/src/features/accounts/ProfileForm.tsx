import { ProfileInput } from '@lessonbook/contract/accounts';
import { Select, TextInput } from '@mantine/core';
import { Form } from '../../components/Form.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useUpdateProfile } from './api.ts';
import { useTutor } from './auth.tsx';
import { useDelicate } from './ConfirmGate.tsx';

export function ProfileForm() {
  const tutor = useTutor();
  const update = useUpdateProfile();
  const save = useDelicate(update);
  const { form, onSubmit, showRefusal } = useContractForm(ProfileInput, {
    name: tutor.name,
    email: tutor.email,
    timeZone: tutor.timeZone,
  });
  const waiting = tutor.pendingEmail
    ? `${tutor.pendingEmail} is waiting for confirmation. Please open the link we sent there.`
    : undefined;

  return (
    <Form
      onSubmit={onSubmit((values) => save(values, { onError: showRefusal }))}
      submit="Save Changes"
      busy="Saving..."
      isBusy={update.isPending}
    >
      <TextInput
        label="Name"
        autoComplete="name"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="email"
        description={waiting}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <Select
        label="Time zone"
        description="Lessons keep their time on this clock"
        data={zonesWith(tutor.timeZone)}
        searchable
        nothingFoundMessage="No such time zone"
        // The library's own scroll area cannot be reached by the keyboard.
        withScrollArea={false}
        styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
        key={form.key('timeZone')}
        {...form.getInputProps('timeZone')}
      />
    </Form>
  );
}

/** Browsers leave out some older names; the tutor's own must be there whatever it is. */
function zonesWith(own: string): string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return zones.includes(own) ? zones : [own, ...zones];
}
