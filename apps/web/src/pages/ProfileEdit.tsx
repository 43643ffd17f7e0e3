import { ProfileInput } from '@lessonbook/contract/accounts';
import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { Form } from '../components/Form.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { useUpdateProfile } from '../features/accounts/api.ts';
import { formatTimeZone } from '../lib/format.ts';
import { useForm } from '../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../lib/use-refresh-unchanged-fields.ts';

export function ProfileEditPage() {
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <Card>
        <ProfileForm />
      </Card>
    </NarrowContainer>
  );
}

/** Lazy, because the searchable list of four hundred time zones makes up most of the page's size. */
const TimeZoneField = lazy(async () => ({
  default: (await import('../features/accounts/shared/TimeZoneField.tsx')).TimeZoneField,
}));

const timeZoneLabels = {
  label: 'Time zone',
  description: 'Lesson times use this time zone.',
};

export function ProfileForm() {
  const tutor = useTutor();
  const update = useUpdateProfile();
  const initialValues = { name: tutor.name, email: tutor.email, timeZone: tutor.timeZone };
  const profileForm = useForm({ schema: ProfileInput, initialValues });
  useRefreshUnchangedFields(profileForm, initialValues);
  const { form, onSubmit } = profileForm;
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
      <Suspense
        fallback={<TextInput {...timeZoneLabels} value={formatTimeZone(tutor.timeZone)} readOnly />}
      >
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
