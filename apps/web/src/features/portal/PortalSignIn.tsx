import { CODE_DIGITS } from '@lessonbook/contract/portal';
import { systemNow } from '@lessonbook/contract/time';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { PublicCheckbox } from '../../components/PublicCheckbox.tsx';
import { PublicField, PublicForm } from '../../components/PublicForm.tsx';
import { ApiError } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import classes from './Portal.module.css';
import { PortalLayout } from './PortalLayout.tsx';
import {
  isEmail,
  portalSignInOptionsQuery,
  useRequestCode,
  useSignIn,
} from './signed-in-contact-api.ts';

interface CodeRequest {
  address: string;
  requestId: string;
  sentAt: number;
}

interface Props {
  /** Why a person who was signed in sees this page. */
  notice: string | null;
}

/** Two steps: the email address or phone number, then the code that was sent to it. */
export function PortalSignIn({ notice }: Props) {
  const [request, setRequest] = useState(loadCodeRequest);
  const [address, setAddress] = useState(request?.address ?? '');

  function changeRequest(requestId: string | null) {
    const next = requestId === null ? null : { address, requestId, sentAt: systemNow().getTime() };
    saveCodeRequest(next);
    setRequest(next);
  }

  if (request) return <CodeStep request={request} onChange={changeRequest} />;
  return (
    <AddressStep {...{ notice, address }} onAddressChange={setAddress} onSent={changeRequest} />
  );
}

interface AddressStepProps extends Props {
  address: string;
  onAddressChange: (address: string) => void;
  onSent: (requestId: string) => void;
}

function AddressStep({ notice, address, onAddressChange, onSent }: AddressStepProps) {
  // If this can't be loaded, an email address can still be used.
  const { data: options } = useQuery(portalSignInOptionsQuery);
  const hasWhatsApp = options?.hasWhatsApp ?? false;
  const name = nameOfAddress(hasWhatsApp);
  const send = useRequestCode();
  const [isMissing, setMissing] = useState(false);
  const fieldError = isMissing ? `Please enter your ${name}` : toFieldError(send.error, 'address');

  function submit() {
    setMissing(address.trim() === '');
    if (address.trim() === '') return;
    send.mutate({ address }, { onSuccess: ({ requestId }) => onSent(requestId) });
  }

  return (
    <PortalLayout title="Sign in">
      {notice && (
        <p role="status" className={classes.notice}>
          {notice}
        </p>
      )}
      <SignInIntro hasWhatsApp={hasWhatsApp} />
      <PublicForm
        onSubmit={submit}
        submitLabel="Send code"
        busyLabel="Sending..."
        isBusy={send.isPending}
        error={fieldError ? undefined : toFormError(send.error)}
      >
        <PublicField
          label={`E${name.slice(1)}`}
          type={hasWhatsApp ? 'text' : 'email'}
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={address}
          error={fieldError}
          onChange={onAddressChange}
        />
      </PublicForm>
    </PortalLayout>
  );
}

const nameOfAddress = (hasWhatsApp: boolean): string =>
  hasWhatsApp ? 'email address or phone number' : 'email address';

/** Exported, because the prerendered page shows it too. */
export const SignInIntro = ({ hasWhatsApp }: { hasWhatsApp: boolean }) => (
  <p>
    Enter the {nameOfAddress(hasWhatsApp)} your tutor has for you. We'll send you a code
    {hasWhatsApp && ' by email or WhatsApp'}.
  </p>
);

interface CodeStepProps {
  request: CodeRequest;
  /** Null returns to the first step, where the address can be changed. */
  onChange: (requestId: string | null) => void;
}

function CodeStep({ request, onChange }: CodeStepProps) {
  const [code, setCode] = useState('');
  const [isSharedDevice, setSharedDevice] = useState(false);
  const [isIncomplete, setIncomplete] = useState(false);
  const isPhone = !isEmail(request.address);
  const sentText = isPhone
    ? "If this number is on file, we've sent"
    : "If this address is on file, we've sent";
  const signIn = useSignIn();
  const resend = useRequestCode();
  const fieldError = isIncomplete
    ? `Please enter all ${CODE_DIGITS} digits`
    : toFieldError(signIn.error, 'code');

  function submit() {
    setIncomplete(code.length < CODE_DIGITS);
    if (code.length < CODE_DIGITS) return;
    resend.reset();
    signIn.mutate(
      { requestId: request.requestId, code, isSharedDevice },
      { onSuccess: () => saveCodeRequest(null) },
    );
  }

  function sendAgain() {
    signIn.reset();
    setIncomplete(false);
    resend.mutate(
      { address: request.address },
      {
        onSuccess: ({ requestId }) => {
          setCode('');
          onChange(requestId);
        },
      },
    );
  }

  return (
    <PortalLayout title="Enter your code">
      <p>
        <b>{request.address}</b>
      </p>
      <p>
        {sentText} a code{isPhone && ' by WhatsApp'}. It works for 10 minutes.
      </p>
      <PublicForm
        onSubmit={submit}
        submitLabel="Sign in"
        busyLabel="Signing in..."
        isBusy={signIn.isPending}
        error={fieldError ? undefined : toFormError(signIn.error ?? resend.error)}
      >
        <PublicField
          label={`${CODE_DIGITS}-digit code`}
          inputMode="numeric"
          autoComplete="one-time-code"
          focusOnMount
          value={code}
          error={fieldError}
          // A pasted code may contain spaces.
          onChange={(value) => setCode(value.replaceAll(/\D/g, '').slice(0, CODE_DIGITS))}
        />
        <PublicCheckbox
          label="Shared device"
          description="Sign me out when I close this browser"
          checked={isSharedDevice}
          onChange={setSharedDevice}
        />
      </PublicForm>
      {resend.isSuccess && <p role="status">{sentText} a new code.</p>}
      <div className={classes.actions}>
        <PublicButton secondary disabled={resend.isPending} onClick={sendAgain}>
          {resend.isPending ? 'Sending...' : 'Send a new code'}
        </PublicButton>
        <PublicButton secondary onClick={() => onChange(null)}>
          {isPhone ? 'Use another number or email' : 'Use another address'}
        </PublicButton>
      </div>
      {!isSharedDevice && (
        <p className={classes.hint}>
          No password needed. This browser stays signed in for 30 days after your last visit.
        </p>
      )}
    </PortalLayout>
  );
}

const toFieldError = (error: Error | null, field: 'address' | 'code'): string | undefined =>
  error instanceof ApiError ? error.fields?.[field] : undefined;

const toFormError = (error: Error | null): string | undefined =>
  error ? getErrorMessage(error, {}) : undefined;

/* Kept in this tab, because a phone may unload the page while the message is read. If storage is blocked, the page works
   without it. */

const STORAGE_KEY = 'lessonbook-portal-code';
const CODE_LIFETIME_MS = 10 * 60_000;

function saveCodeRequest(request: CodeRequest | null): void {
  try {
    if (request) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(request));
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is blocked.
  }
}

function loadCodeRequest(): CodeRequest | null {
  try {
    const saved = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as CodeRequest | null;
    const isExpired = !saved || systemNow().getTime() - saved.sentAt > CODE_LIFETIME_MS;
    return isExpired ? null : saved;
  } catch {
    return null;
  }
}
