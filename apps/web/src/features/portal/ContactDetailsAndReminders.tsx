import type { PortalLogin, PortalTutor } from '@lessonbook/contract/portal';
import {
  type PortalContactDetails,
  type PortalReminder,
  type PortalReminderInput,
  portalDetails,
} from '@lessonbook/contract/portal-contact-details';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatList } from '../../lib/format.ts';
import { callApi, isNotFound } from '../../lib/http.ts';
import { ChangeEmailSheet, ChangePhoneSheet } from './ChangePhoneAndEmailSheets.tsx';
import classes from './ContactDetailsContent.module.css';
import { PortalAgreementSection } from './PortalAgreementSection.tsx';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';
import { formatPhone } from './portal-format.ts';
import { isEmail, portalDetailsQuery } from './signed-in-contact-api.ts';
import { useBackClosesSheet } from './use-back-closes-sheet.ts';

interface Props {
  login: PortalLogin;
  tutor: PortalTutor;
}

/** What one tutor has on file about the person, and the reminders from that tutor. */
export function ContactDetailsAndReminders({ login, tutor }: Props) {
  const { data, error, refetch } = useQuery(portalDetailsQuery(tutor.publicId));
  // The agreement comes first until it is accepted. It then stays there until the page is next opened.
  const [isAgreementFirst] = useState(tutor.hasAgreementToAccept);
  const agreement = <PortalAgreementSection publicId={tutor.publicId} />;
  if (isNotFound(error) || !data)
    return error ? <PortalError error={error} onRetry={() => void refetch()} /> : <PortalLoading />;
  return (
    <>
      {isAgreementFirst && agreement}
      <Addresses login={login} tutor={tutor} details={data} />
      {data.reminders.length > 0 && <Reminders publicId={tutor.publicId} details={data} />}
      {!isAgreementFirst && agreement}
    </>
  );
}

function Addresses({ login, tutor, details }: Props & { details: PortalContactDetails }) {
  const [changed, setChanged] = useState<'email' | 'phone' | null>(null);
  const entry = useBackClosesSheet(() => setChanged(null));
  const { publicId } = tutor;
  const { tutorName, name, email, phone } = details;
  const isSignInEmail = isEmail(login.address);

  function open(field: 'email' | 'phone') {
    entry.add();
    setChanged(field);
  }
  function close() {
    entry.remove();
    setChanged(null);
  }

  return (
    <section className={classes.section}>
      <h2>Your contact details</h2>
      <ul className={classes.card}>
        <li>
          <p>
            <b>{name}</b>
            <small>{describeRole(details)}</small>
          </p>
        </li>
        <li>
          <p>
            <b>{email ?? 'None yet'}</b>
            <small>Email{isSignInEmail && ', used to sign in'}</small>
          </p>
          <button
            type="button"
            aria-label={email ? 'Change email address' : 'Add email address'}
            onClick={() => open('email')}
          >
            {email ? 'Change' : 'Add'}
          </button>
        </li>
        <li>
          <p>
            <b>{phone ? formatPhone(phone) : 'None yet'}</b>
            <small>Mobile{!isSignInEmail && ', used to sign in'}</small>
          </p>
          <button
            type="button"
            aria-label={phone ? 'Change phone number' : 'Add phone number'}
            onClick={() => open('phone')}
          >
            {phone ? 'Change' : 'Add'}
          </button>
        </li>
      </ul>
      <p className={classes.hint}>
        {tutorName} sees changes straight away. A new email works once you've confirmed it.
      </p>
      {changed === 'phone' && (
        <ChangePhoneSheet publicId={publicId} login={login} onClose={close} />
      )}
      {changed === 'email' && (
        <ChangeEmailSheet publicId={publicId} login={login} onClose={close} />
      )}
    </section>
  );
}

/** 'Mother of Maya and Leo. You pay the invoices' */
const describeRole = ({
  isStudent,
  relationship,
  studentNames,
  isPayer,
}: PortalContactDetails): string =>
  [
    isStudent ? 'Student' : `${relationship ?? 'Contact'} of ${formatList(studentNames)}`,
    ...(isPayer ? ['You pay the invoices'] : []),
  ].join('. ');

interface RemindersProps {
  publicId: string;
  details: PortalContactDetails;
}

const Reminders = ({ publicId, details }: RemindersProps) => (
  <section className={classes.section}>
    <h2>Reminders</h2>
    <ul className={classes.card}>
      {details.reminders.map((reminder) => (
        <ReminderRow key={reminder.kind} {...{ publicId, details, reminder }} />
      ))}
    </ul>
    <p className={classes.hint}>Invoices and changes to lessons are always sent.</p>
  </section>
);

function ReminderRow({
  publicId,
  details,
  reminder: { kind, isOn, canChange },
}: RemindersProps & { reminder: PortalReminder }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (body: PortalReminderInput) =>
      callApi(portalDetails.setPortalReminder, { params: { publicId }, body }),
    meta: { errorFallback: "We couldn't save that. Please try again." },
    onSuccess: (saved) => client.setQueryData(portalDetailsQuery(publicId).queryKey, saved),
    onError: () => client.invalidateQueries({ queryKey: portalDetailsQuery(publicId).queryKey }),
  });
  const isShownOn = save.isPending ? save.variables.isOn : isOn;
  const { title, description } = describeReminder(kind, canChange, details);
  return (
    <li>
      <label className={classes.switch}>
        <span>
          <b>{title}</b>
          <small>{description}</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          aria-label={title}
          aria-checked={isShownOn}
          checked={isShownOn}
          disabled={!canChange}
          onChange={(event) => {
            if (!save.isPending) save.mutate({ kind, isOn: event.currentTarget.checked });
          }}
        />
      </label>
    </li>
  );
}

function describeReminder(
  kind: PortalReminder['kind'],
  canChange: boolean,
  { reminderLead, phone }: PortalContactDetails,
): { title: string; description: string } {
  if (kind === 'lesson_reminder')
    return { title: 'Lesson reminders', description: `${describeLead(reminderLead)}, by email` };
  if (kind === 'payment_reminder')
    return { title: 'Payment reminders', description: 'Only when something is unpaid' };
  if (kind === 'lesson_notes')
    return { title: 'Emails with notes', description: 'At most one a day' };
  return {
    title: 'Also by WhatsApp',
    description: canChange
      ? `To ${formatPhone(phone ?? '')}. Stop any time`
      : 'You replied STOP. Reply START in WhatsApp to get them again',
  };
}

/** 'The day before', '2 hours before' */
function describeLead(minutes: number | null): string {
  if (minutes === null) return 'Before each lesson';
  if (minutes === 1440) return 'The day before';
  if (minutes > 1440) return `${minutes / 1440} days before`;
  return minutes === 60 ? 'An hour before' : `${minutes / 60} hours before`;
}
