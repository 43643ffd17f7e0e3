import { ProfileInput } from '@lessonbook/contract/accounts';
import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Form } from '../../components/Form.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useUpdateProfile } from './api.ts';
import { useTutor } from './auth.tsx';
import { useDelicate } from './ConfirmGate.tsx';

/** A list of four hundred names to search is most of what this screen weighs; name and address need not wait for it. */
const TimeZoneField = lazy(async () => ({
  default: (await import('./TimeZoneField.tsx')).TimeZoneField,
}));

const timeZoneWords = {
  label: 'Time zone',
  description: 'Lessons keep their time on this clock',
};

export function ProfileForm() {
  const tutor = useTutor();
  const update = useUpdateProfile();
  const save = useDelicate(update);
  const { form, onSubmit, showRefusal, markSaved } = useContractForm(
    ProfileInput,
    { name: tutor.name, email: tutor.email, timeZone: tutor.timeZone },
    { isWork: true },
  );
  const waiting = tutor.pendingEmail
    ? `${tutor.pendingEmail} is waiting for confirmation. Please open the link we sent there.`
    : undefined;

  return (
    <Form
      onSubmit={onSubmit((values) => save(values, { onSuccess: markSaved, onError: showRefusal }))}
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
      <Suspense fallback={<TextInput {...timeZoneWords} value={tutor.timeZone} readOnly />}>
        <TimeZoneField
          {...timeZoneWords}
          own={tutor.timeZone}
          key={form.key('timeZone')}
          {...form.getInputProps('timeZone')}
        />
      </Suspense>
    </Form>
  );
}
