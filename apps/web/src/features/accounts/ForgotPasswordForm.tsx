import { ForgotPasswordInput } from '@lessonbook/contract/accounts';
import { TextInput } from '@mantine/core';
import { Form } from '../../components/Form.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useForgotPassword } from './api.ts';

export function ForgotPasswordForm({ onSent }: { onSent: () => void }) {
  const forgot = useForgotPassword();
  const { form, onSubmit, showRefusal } = useContractForm(ForgotPasswordInput, { account: '' });
  return (
    <Form
      onSubmit={onSubmit((values) =>
        forgot.mutate(values, { onSuccess: onSent, onError: showRefusal }),
      )}
      submit="Send link"
      busy="Sending..."
      isBusy={forgot.isPending}
    >
      <TextInput
        label="Email or username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        key={form.key('account')}
        {...form.getInputProps('account')}
      />
    </Form>
  );
}
