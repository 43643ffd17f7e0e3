import {
  type AcceptAgreementInput,
  type PortalAgreement,
  portalAgreements,
} from '@lessonbook/contract/portal-agreement';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { PublicField, PublicFormFields } from '../../components/PublicForm.tsx';
import { formatDateWithYear } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { BottomSheet } from './BottomSheet.tsx';
import sheetClasses from './CancelSheet.module.css';
import classes from './ContactDetailsContent.module.css';
import { PortalError } from './PortalLoadStates.tsx';
import { portalAgreementQuery, portalLoginKey } from './signed-in-contact-api.ts';
import { useBackClosesSheet } from './use-back-closes-sheet.ts';

type Version = PortalAgreement['versions'][number];

/** The tutor's agreement, and a change to it that will apply later. Renders nothing for a person who is not asked to agree. */
export function PortalAgreementSection({ publicId }: { publicId: string }) {
  const { data, error, refetch } = useQuery(portalAgreementQuery(publicId));
  const [opened, setOpened] = useState<number | null>(null);
  const entry = useBackClosesSheet(() => setOpened(null));
  if (!data) return error ? <PortalError error={error} onRetry={() => void refetch()} /> : null;
  const { tutorName, versions } = data;
  if (versions.length === 0) return null;

  function open(version: number) {
    entry.add();
    setOpened(version);
  }
  function close() {
    entry.remove();
    setOpened(null);
  }

  // If the opened version has been replaced in the meantime, the new one is shown.
  const shown = opened === null ? null : (versions.find(isVersion(opened)) ?? versions[0] ?? null);
  return (
    <section className={classes.section}>
      <h2>Your agreement with {tutorName}</h2>
      <ul className={classes.card}>
        {versions.map((version) => (
          <li key={version.version}>
            <p>
              <b>{titleOf(version, versions)}</b>
              <small>{describeAcceptance(version, versions)}</small>
            </p>
            <button
              type="button"
              aria-label={`${version.accepted ? 'Read' : 'Read and accept'}: ${titleOf(version, versions)}`}
              onClick={() => open(version.version)}
            >
              {version.accepted ? 'Read' : 'Read and accept'}
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <AgreementSheet
          // A name typed to accept one version must not be used for another.
          key={shown.version}
          {...{ publicId, tutorName, version: shown }}
          isReplacement={shown.version !== opened}
          onClose={close}
        />
      )}
    </section>
  );
}

const isVersion = (number: number) => (each: Version) => each.version === number;

/** 'Agreement', 'A change from 5 Jan 2027' */
const titleOf = ({ isComing, startsOn }: Version, versions: readonly Version[]): string => {
  if (!isComing) return 'Agreement';
  const isChange = versions.some((each) => !each.isComing);
  return `${isChange ? 'A change' : 'Agreement'} from ${formatDateWithYear(startsOn)}`;
};

function describeAcceptance({ accepted, isComing }: Version, versions: readonly Version[]): string {
  if (accepted) return `You agreed on ${formatDateWithYear(accepted.on)}`;
  const isChange = isComing && versions.some((each) => !each.isComing);
  return isChange
    ? 'Please read and accept it. Your current agreement applies until then'
    : 'Please read and accept it';
}

interface SheetProps {
  publicId: string;
  tutorName: string;
  version: Version;
  /** Whether the person opened an earlier version. */
  isReplacement: boolean;
  onClose: () => void;
}

const REPLACED = 'The agreement has changed. Please read the new version.';

function AgreementSheet({ publicId, tutorName, version, isReplacement, onClose }: SheetProps) {
  const { version: number, text, startsOn, isComing, accepted } = version;
  const dialogRef = useRef<HTMLDialogElement>(null);
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const queryKey = portalAgreementQuery(publicId).queryKey;
  const accept = useMutation({
    mutationFn: (body: AcceptAgreementInput) =>
      callApi(portalAgreements.acceptAgreement, { params: { publicId }, body }),
    meta: { isErrorShownInline: () => true },
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved);
      void client.invalidateQueries({ queryKey: portalLoginKey });
      void toastSuccess('Agreement accepted');
      onClose();
    },
    // There may be a later version.
    onError: () => client.invalidateQueries({ queryKey }),
  });

  const problem = accept.error
    ? getErrorMessage(accept.error, { errorFallback: "We couldn't save that. Please try again." })
    : isReplacement && !accepted && REPLACED;

  function submit() {
    setMissing(name.trim() === '');
    if (name.trim() !== '') accept.mutate({ version: number, name });
  }

  return (
    <BottomSheet
      ref={dialogRef}
      title={
        isComing ? `Agreement from ${formatDateWithYear(startsOn)}` : `Agreement with ${tutorName}`
      }
      canDismiss={!accept.isPending && name === ''}
      canClose={!accept.isPending}
      onClose={onClose}
      actions={
        <>
          {problem && (
            <p role="alert" className={sheetClasses.problem}>
              {problem}
            </p>
          )}
          <PublicButton secondary disabled={accept.isPending} onClick={onClose}>
            {accepted ? 'Close' : 'Not now'}
          </PublicButton>
          {!accepted && (
            <PublicButton type="submit" form={id} disabled={accept.isPending}>
              {accept.isPending ? 'Saving...' : 'Accept agreement'}
            </PublicButton>
          )}
        </>
      }
    >
      <p className={classes.text}>{text}</p>
      {accepted ? (
        <p className={classes.hint}>
          You agreed on {formatDateWithYear(accepted.on)} as {accepted.name}.
        </p>
      ) : (
        <PublicFormFields id={id} isBusy={accept.isPending} onSubmit={submit}>
          <PublicField
            label="Type your name to accept it"
            autoComplete="name"
            maxLength={100}
            value={name}
            error={isMissing ? 'Please type your name' : undefined}
            onChange={setName}
          />
        </PublicFormFields>
      )}
    </BottomSheet>
  );
}
