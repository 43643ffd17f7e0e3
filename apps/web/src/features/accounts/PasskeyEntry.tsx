import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useAuth } from './auth.tsx';
import { hasPasskeys } from './passkey-device.ts';
import { useLogInByPasskey } from './second-step-api.ts';
import { signInOptionsQuery } from './sign-in-options.ts';

/** In with a finger and nothing else, where server and browser can. */
export function PasskeyEntry() {
  const { data } = useQuery(signInOptionsQuery);
  const { state } = useAuth();
  const logIn = useLogInByPasskey();
  if (!data?.passkeys || !hasPasskeys()) return null;
  return (
    <Button
      variant="subtle"
      px={8}
      leftSection={<IconFingerprint size={18} stroke={1.8} />}
      disabled={logIn.isPending || state === 'signed in'}
      onClick={() => logIn.mutate()}
    >
      Use a passkey
    </Button>
  );
}
