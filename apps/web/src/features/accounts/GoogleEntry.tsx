import type { EntryPage, VouchedFor } from '@lessonbook/contract/google-sign-in';
import { Button } from '@mantine/core';
import { IconBrandGoogleFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { OtherWay } from '../../components/EntryLayout.tsx';
import { useLeaving } from '../../lib/leaving.ts';
import { ConnectGoogleForm } from './ConnectGoogleForm.tsx';
import { useComeInByGoogle, wayToGoogle } from './google-api.ts';
import { signInOptionsQuery } from './sign-in-options.ts';
import { useReturnFromGoogle } from './use-return-from-google.ts';

const words = {
  login: { button: 'Sign in with Google', busy: 'Signing in...', or: 'or with your username' },
  signup: { button: 'Sign up with Google', busy: 'Signing up...', or: 'or with your email' },
} satisfies Record<EntryPage, object>;

interface Props {
  from: EntryPage;
  /** Whom Google vouches for has a second factor. */
  onSecondStep: () => void;
  /** The page's own form, for whoever comes without Google. */
  children: ReactNode;
}

/** The way in by Google above the page's form, where the server offers it; and in its place what Google's way still needs. */
export function GoogleEntry({ from, onSecondStep, children }: Props) {
  const { data: options } = useQuery(signInOptionsQuery);
  const [person, setPerson] = useState<VouchedFor | null>(null);
  const comeIn = useComeInByGoogle(from, setPerson, onSecondStep);
  const { leaving, leaveFor } = useLeaving();
  useReturnFromGoogle(from, comeIn.mutate);

  if (person) {
    return (
      <ConnectGoogleForm
        from={from}
        person={person}
        onBack={() => setPerson(null)}
        onSecondStep={onSecondStep}
      />
    );
  }
  const isBusy = leaving || comeIn.isPending || comeIn.isSuccess;
  return (
    <>
      {(options?.google || isBusy) && (
        <OtherWay or={words[from].or}>
          <Button
            variant="default"
            fullWidth
            leftSection={<IconBrandGoogleFilled size={18} />}
            disabled={isBusy}
            onClick={() => leaveFor(wayToGoogle(from))}
          >
            {isBusy ? words[from].busy : words[from].button}
          </Button>
        </OtherWay>
      )}
      {children}
    </>
  );
}
