import { TextInput } from '@mantine/core';
import type { FormState } from '../../lib/use-form.ts';

export type CodeKind = 'app' | 'recovery';

const kinds = {
  app: {
    label: 'Code from your authenticator app',
    description: 'Six digits',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
  },
  recovery: {
    label: 'Recovery code',
    description: 'One of your recovery codes. Each works once.',
    inputMode: 'text',
    autoComplete: 'off',
  },
} as const;

/** For the second factor, when logging in and when reauthenticating. */
export function MfaCodeField({
  kind,
  field,
}: {
  kind: CodeKind;
  field: ReturnType<FormState<{ code: string }>['form']['getInputProps']>;
}) {
  return (
    <TextInput
      {...kinds[kind]}
      autoCapitalize="none"
      spellCheck={false}
      data-autofocus
      styles={{ input: { fontVariantNumeric: 'tabular-nums', letterSpacing: '0.06em' } }}
      {...field}
    />
  );
}
