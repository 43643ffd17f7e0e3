import { CODE_DIGITS, type PortalLogin } from '@lessonbook/contract/portal';
import {
  type PortalContactDetails,
  type PortalEmailInput,
  portalDetails,
} from '@lessonbook/contract/portal-contact-details';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { PublicCheckbox } from '../../components/PublicCheckbox.tsx';
import { PublicField, PublicFormFields } from '../../components/PublicForm.tsx';
import { formatList } from '../../lib/format.ts';
import { ApiError, callApi } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { BottomSheet } from './BottomSheet.tsx';
import sheetClasses from './CancelSheet.module.css';
import classes from './ContactDetailsContent.module.css';
import { isEmail, portalDetailsQuery, portalLoginKey } from './signed-in-contact-api.ts';

interface Props {
  publicId: string;
  login: PortalLogin;
  onClose: () => void;
}

/** The sheet shows the error. */
const INLINE_ERROR = { isErrorShownInline: () => true };

const SAVE_ERRORS = { errorFallback: "We couldn't save that. Please try again." };

export function ChangePhoneSheet({ publicId, login, onClose }: Props) {
  const [phone, setPhone] = useState('');
  const [isMissing, setMissing] = useState(false);
  const onSaved = useSavedDetails(publicId, 'Phone number changed', onClose);
  const save = useMutation({
    mutationFn: () =>
      callApi(portalDetails.changePortalPhone, { params: { publicId }, body: { phone } }),
    meta: INLINE_ERROR,
    onSuccess: onSaved,
  });
  const fieldError = isMissing ? 'Please enter your phone number' : fieldOf(save.error, 'phone');

  function submit() {
    setMissing(phone.trim() === '');
    if (phone.trim() !== '') save.mutate();
  }

  return (
    <AddressSheet
      title="Change phone number"
      isBusy={save.isPending}
      hasInput={phone !== ''}
      error={fieldError ? null : save.error}
      submitLabel="Save number"
      busyLabel="Saving..."
      onSubmit={submit}
      onClose={onClose}
    >
      <PublicField
        label="New phone number"
        type="tel"
        autoComplete="tel"
        value={phone}
        error={fieldError}
        onChange={setPhone}
      />
      {!isEmail(login.address) && (
        <p className={classes.hint}>
          You sign in with your phone number. Once you've changed it, sign in again with the new
          one.
        </p>
      )}
    </AddressSheet>
  );
}

/** Two steps: the new address, then the code that was sent to it. */
export function ChangeEmailSheet({ publicId, login, onClose }: Props) {
  const [email, setEmail] = useState('');
  const [requestId, setRequestId] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const [atAllTutors, setAtAllTutors] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const onSaved = useSavedDetails(publicId, 'Email address changed', onClose);
  const send = useMutation({
    mutationFn: () =>
      callApi(portalDetails.requestPortalEmailCode, { params: { publicId }, body: { email } }),
    meta: INLINE_ERROR,
    onSuccess: (reply) => {
      setCode('');
      setRequestId(reply.requestId);
    },
  });
  const confirm = useMutation({
    mutationFn: (body: PortalEmailInput) =>
      callApi(portalDetails.changePortalEmail, { params: { publicId }, body }),
    meta: INLINE_ERROR,
    onSuccess: onSaved,
  });
  const isBusy = send.isPending || confirm.isPending;

  function sendCode() {
    setProblem(email.trim() === '' ? 'Please enter your email address' : null);
    confirm.reset();
    if (email.trim() !== '') send.mutate();
  }
  function confirmCode(id: string) {
    const isComplete = code.length === CODE_DIGITS;
    setProblem(isComplete ? null : `Please enter all ${CODE_DIGITS} digits`);
    send.reset();
    if (isComplete) confirm.mutate({ requestId: id, code, atAllTutors });
  }
  function changeAddress() {
    setProblem(null);
    send.reset();
    confirm.reset();
    setRequestId(null);
  }

  if (requestId === null) {
    const fieldError = problem ?? fieldOf(send.error, 'email');
    return (
      <AddressSheet
        title="Change email address"
        isBusy={isBusy}
        hasInput={email !== ''}
        error={fieldError ? null : send.error}
        submitLabel="Send code"
        busyLabel="Sending..."
        onSubmit={sendCode}
        onClose={onClose}
      >
        <PublicField
          label="New email address"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          error={fieldError}
          onChange={setEmail}
        />
        {isEmail(login.address) && (
          <OtherTutors {...{ publicId, login, atAllTutors }} onChange={setAtAllTutors} />
        )}
        <p className={classes.hint}>
          We'll send a code to the new address. On your other devices you'll need to sign in again,
          and if your lessons are in your calendar, add them again.
        </p>
      </AddressSheet>
    );
  }
  const fieldError = problem ?? fieldOf(confirm.error, 'code');
  return (
    <AddressSheet
      title="Enter the code"
      isBusy={isBusy}
      hasInput
      error={fieldError ? null : (confirm.error ?? send.error)}
      submitLabel="Confirm address"
      busyLabel="Confirming..."
      onSubmit={() => confirmCode(requestId)}
      onClose={onClose}
    >
      <p>
        We've sent a code to <b>{email}</b>. It works for 10 minutes.
      </p>
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
      <div className={classes.links}>
        <button type="button" disabled={isBusy} onClick={sendCode}>
          {send.isPending ? 'Sending...' : 'Send a new code'}
        </button>
        <button type="button" disabled={isBusy} onClick={changeAddress}>
          Use another address
        </button>
      </div>
      {send.isSuccess && code === '' && requestId !== null && (
        <p role="status" className={classes.hint}>
          Check your inbox for the latest code.
        </p>
      )}
    </AddressSheet>
  );
}

interface OtherTutorsProps extends Pick<Props, 'publicId' | 'login'> {
  atAllTutors: boolean;
  onChange: (atAllTutors: boolean) => void;
}

/** For a person who uses the same address with several tutors. */
function OtherTutors({ publicId, login, atAllTutors, onChange }: OtherTutorsProps) {
  const others = login.tutors.filter((each) => each.publicId !== publicId);
  if (others.length === 0) return null;
  const names = formatList(others.map(({ tutorName }) => tutorName));
  return (
    <PublicCheckbox
      label={`Change it for ${names} too`}
      description={`If you don't tick this, keep signing in with ${login.address} for ${others.length === 1 ? 'that tutor' : 'those tutors'}.`}
      checked={atAllTutors}
      onChange={onChange}
    />
  );
}

interface AddressSheetProps {
  title: string;
  children: ReactNode;
  isBusy: boolean;
  /** Whether something was typed that a click outside must not discard. */
  hasInput: boolean;
  /** An error that belongs to no field. */
  error: Error | null;
  submitLabel: string;
  busyLabel: string;
  onSubmit: () => void;
  onClose: () => void;
}

function AddressSheet(props: AddressSheetProps) {
  const { title, children, isBusy, hasInput, error, submitLabel, busyLabel } = props;
  const dialogRef = useRef<HTMLDialogElement>(null);
  const id = useId();
  return (
    <BottomSheet
      ref={dialogRef}
      title={title}
      canDismiss={!isBusy && !hasInput}
      canClose={!isBusy}
      onClose={props.onClose}
      actions={
        <>
          {error && (
            <p role="alert" className={sheetClasses.problem}>
              {getErrorMessage(error, SAVE_ERRORS)}
            </p>
          )}
          <PublicButton secondary disabled={isBusy} onClick={props.onClose}>
            Go back
          </PublicButton>
          <PublicButton type="submit" form={id} disabled={isBusy}>
            {isBusy ? busyLabel : submitLabel}
          </PublicButton>
        </>
      }
    >
      <PublicFormFields id={id} isBusy={isBusy} onSubmit={props.onSubmit}>
        {children}
      </PublicFormFields>
    </BottomSheet>
  );
}

/** The login may have a different address by now, or may have ended. */
function useSavedDetails(publicId: string, message: string, onClose: () => void) {
  const client = useQueryClient();
  return (saved: PortalContactDetails) => {
    client.setQueryData(portalDetailsQuery(publicId).queryKey, saved);
    void client.invalidateQueries({ queryKey: portalLoginKey });
    void toastSuccess(message);
    onClose();
  };
}

const fieldOf = (error: Error | null, field: 'phone' | 'email' | 'code'): string | undefined =>
  error instanceof ApiError ? error.fields?.[field] : undefined;
