import { ProfileInput } from '@lessonbook/contract/accounts';
import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Form } from '../../components/Form.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useTutor } from './AuthProvider.tsx';
import { useUpdateProfile } from './api.ts';

/** Lazy, because the searchable list of four hundred time zones is most of the page's size. */
const TimeZoneField = lazy(async () => ({
  default: (await import('./shared/TimeZoneField.tsx')).TimeZoneField,
}));

const timeZoneLabels = {
  label: 'Time zone',
  description: 'Lessons keep their time on this clock',
};

export function ProfileForm() {
  const tutor = useTutor();
  const update = useUpdateProfile();
  const { form, onSubmit } = useForm({
    schema: ProfileInput,
    initialValues: { name: tutor.name, email: tutor.email, timeZone: tutor.timeZone },
  });
  const pendingNote = tutor.pendingEmail
    ? `${tutor.pendingEmail} is waiting for confirmation. Please open the link we sent there.`
    : undefined;

  return (
    <Form
      onSubmit={onSubmit((values) => update.mutateAsync(values))}
      submitLabel="Save Changes"
      busyLabel="Saving..."
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
        description={pendingNote}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <Suspense fallback={<TextInput {...timeZoneLabels} value={tutor.timeZone} readOnly />}>
        <TimeZoneField
          {...timeZoneLabels}
          current={tutor.timeZone}
          key={form.key('timeZone')}
          {...form.getInputProps('timeZone')}
        />
      </Suspense>
    </Form>
  );
}
