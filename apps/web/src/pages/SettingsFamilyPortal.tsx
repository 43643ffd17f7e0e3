import type { PortalContact, PortalSettings } from '@lessonbook/contract/portal-management';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useCallback, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { CopyButton } from '../components/CopyButton.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyConfirmModal } from '../components/LazyConfirmModal.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { portalSettingsQuery, signInAddressNoun, useClosePortal } from '../features/portal/api.ts';
import { PeopleWithPortalAccess } from '../features/portal/PeopleWithPortalAccess.tsx';
import classes from '../features/portal/PortalSettings.module.css';
import { type DateContext, formatTimestamp } from '../lib/format-timestamp.ts';

/* Lazy, because of its select. */
const PreviewChooser = lazy(async () => ({
  default: (await import('../features/portal/PreviewChooser.tsx')).PreviewChooser,
}));
const NoteEmailTimeSetting = lazy(async () => ({
  default: (await import('../features/portal/NoteEmailTimeSetting.tsx')).NoteEmailTimeSetting,
}));
const PortalPreviewModal = lazy(async () => ({
  default: (await import('../features/portal/PreviewAndOpenPortalModals.tsx')).PortalPreviewModal,
}));
const OpenPortalModal = lazy(async () => ({
  default: (await import('../features/portal/PreviewAndOpenPortalModals.tsx')).OpenPortalModal,
}));

/** The portal is opened only by a tutor who has seen what one of their families would see. */
export function SettingsFamilyPortalPage() {
  const tutor = useTutor();
  const settings = useQuery(portalSettingsQuery);
  const [isPreviewOpened, setPreviewOpened] = useState(false);
  const [previewed, setPreviewed] = useState<PortalContact | null>(null);
  const [hasPreviewed, setHasPreviewed] = useState(false);
  const markPreviewed = useCallback(() => setHasPreviewed(true), []);

  function preview(contact: PortalContact) {
    startTransition(() => {
      setPreviewed(contact);
      setPreviewOpened(true);
    });
  }

  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      {settings.isPending && (
        <Card>
          <RowSkeleton rows={3} />
        </Card>
      )}
      {settings.isError && !settings.data && (
        <Card>
          <LoadError onRetry={() => void settings.refetch()}>
            We couldn't load the family portal.
          </LoadError>
        </Card>
      )}
      {settings.data?.openedAt && (
        <OpenStatus
          openedAt={settings.data.openedAt}
          hasWhatsApp={settings.data.hasWhatsApp}
          dateContext={tutor}
        />
      )}
      {settings.data && !settings.data.openedAt && (
        <ClosedStatus settings={settings.data} hasPreviewed={hasPreviewed} onPreview={preview} />
      )}
      {settings.data && settings.data.contactCounts.total > 0 && (
        <PeopleWithPortalAccess settings={settings.data} dateContext={tutor} onPreview={preview} />
      )}
      {settings.data && settings.data.contactCounts.total > 0 && (
        <Suspense fallback={null}>
          <NoteEmailTimeSetting hour={settings.data.noteEmailHour} />
        </Suspense>
      )}
      {previewed && (
        <LazyMount opened={isPreviewOpened}>
          <PortalPreviewModal
            contact={previewed}
            opened={isPreviewOpened}
            onClose={() => setPreviewOpened(false)}
            onShown={markPreviewed}
          />
        </LazyMount>
      )}
    </NarrowContainer>
  );
}

interface ClosedProps {
  settings: PortalSettings;
  hasPreviewed: boolean;
  onPreview: (contact: PortalContact) => void;
}

function ClosedStatus({ settings, hasPreviewed, onPreview }: ClosedProps) {
  const { contactCounts, hasWhatsApp } = settings;
  const [isConfirming, setConfirming] = useState(false);
  if (contactCounts.total === 0) {
    return (
      <Card>
        <EmptyState
          illustration={<Illustration name="students" size={112} />}
          action={
            <ButtonLink to="/students" variant="light">
              Go to Students
            </ButtonLink>
          }
        >
          Add a student and their main contact first. Then you can open a page where families see
          their next lessons.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <div className={classes.status}>
        <p>
          The family portal is closed. It's a page where families see their next lessons, so they
          don't have to ask you.
        </p>
        <ul className={classes.list}>
          <li>
            They sign in with a code sent{' '}
            {hasWhatsApp ? 'by email or WhatsApp' : 'to their email address'}. There's no password.
          </li>
          <li>
            Each person sees only the students you've given them access to: first name, day, time
            and subject. The main contact also sees the location and the price. Other people see
            them only if you've ticked “Locations” or “Prices”.
          </li>
          <li>
            The main contact can cancel lessons. Your{' '}
            <Link to="/settings/cancellation-policy">cancellation policy</Link> decides what that
            costs. They can also ask to move a lesson; nothing moves until you agree.
          </li>
        </ul>
        <Suspense fallback={<RowSkeleton rows={1} />}>
          <PreviewChooser onPreview={onPreview} />
        </Suspense>
        {!hasPreviewed && (
          <p className={classes.hint}>Before you open it, preview it as one of your families.</p>
        )}
        <div>
          <Button disabled={!hasPreviewed} onClick={() => setConfirming(true)}>
            Open the family portal
          </Button>
        </div>
      </div>
      <LazyMount opened={isConfirming}>
        <OpenPortalModal
          settings={settings}
          opened={isConfirming}
          onClose={() => setConfirming(false)}
        />
      </LazyMount>
    </Card>
  );
}

interface OpenStatusProps {
  openedAt: string;
  hasWhatsApp: boolean;
  dateContext: DateContext;
}

function OpenStatus({ openedAt, hasWhatsApp, dateContext }: OpenStatusProps) {
  const close = useClosePortal();
  const [isClosing, setClosing] = useState(false);
  const address = `${window.location.origin}/family`;
  return (
    <Card>
      <div className={classes.status}>
        <p className={classes.on}>
          <IconCheck size={18} stroke={2.6} />
          Open since {formatTimestamp(openedAt, dateContext)}
        </p>
        <p>
          Send families this link. They sign in with the {signInAddressNoun(hasWhatsApp)} you have
          for them.
        </p>
        <p className={classes.address}>
          <span>{address}</span>
          <CopyButton text={address} itemName="family portal link" />
        </p>
        <div>
          <Button variant="default" onClick={() => setClosing(true)}>
            Close the portal
          </Button>
        </div>
      </div>
      <LazyConfirmModal
        title="Close the family portal?"
        opened={isClosing}
        onClose={() => setClosing(false)}
        cancelLabel="Keep it open"
        confirmLabel="Close the portal"
        busyLabel="Closing..."
        isBusy={close.isPending}
        onConfirm={() => close.mutate(undefined, { onSuccess: () => setClosing(false) })}
      >
        Everyone will be signed out, and their calendar addresses will stop working until you open
        the portal again. Your lessons and messages won't change.
      </LazyConfirmModal>
    </Card>
  );
}
