import type { PortalContact, PortalSettings } from '@lessonbook/contract/portal-management';
import { systemNow } from '@lessonbook/contract/time';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { pluralize } from '../../lib/format.ts';
import { isNotFound } from '../../lib/http.ts';
import { portalPreviewQuery, signInAddressNoun, useOpenPortal } from './api.ts';
import { PortalLessonList } from './PortalLessonList.tsx';
import classes from './PortalSettings.module.css';

interface ModalProps {
  opened: boolean;
  onClose: () => void;
}

interface PreviewProps extends ModalProps {
  contact: PortalContact;
  /** Called once the preview is shown. */
  onShown: () => void;
}

/** The portal as this person would see it. */
export function PortalPreviewModal({ contact, opened, onClose, onShown }: PreviewProps) {
  return (
    <ResponsiveModal title={`Preview as ${contact.name}`} opened={opened} onClose={onClose}>
      <Preview key={contact.id} id={contact.id} onShown={onShown} />
    </ResponsiveModal>
  );
}

function Preview({ id, onShown }: { id: number; onShown: () => void }) {
  const { data, error, refetch } = useQuery(portalPreviewQuery(id));
  const [now] = useState(systemNow);
  const isShown = data !== undefined;
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown, onShown]);
  if (data) {
    return (
      <div className={classes.preview}>
        <PortalLessonList page={data} now={now} />
      </div>
    );
  }
  if (!error) return <RowSkeleton rows={3} />;
  if (isNotFound(error)) return <p>This person can't see anything in the family portal yet.</p>;
  return <LoadError onRetry={() => void refetch()}>We couldn't load the preview.</LoadError>;
}

interface OpenProps extends ModalProps {
  settings: PortalSettings;
}

export function OpenPortalModal({ settings, opened, onClose }: OpenProps) {
  const { hasWhatsApp } = settings;
  const { canSignIn, withoutAddress, sharingAddress } = settings.contactCounts;
  const addressNoun = signInAddressNoun(hasWhatsApp);
  const open = useOpenPortal();
  return (
    <ResponsiveModal title="Open the family portal?" opened={opened} onClose={onClose}>
      <div className={classes.text}>
        <p>
          {pluralize(canSignIn, 'person', 'people')} will be able to sign in with a code
          {hasWhatsApp ? ' sent by email or WhatsApp' : ' sent to their email address'}, and see the
          lessons you've given them access to.
        </p>
        {withoutAddress > 0 && (
          <p className={classes.warning}>
            {pluralize(withoutAddress, 'person has', 'people have')} no {addressNoun}, so they can't
            sign in.
          </p>
        )}
        {sharingAddress > 0 && (
          <p className={classes.warning}>
            {pluralize(sharingAddress, 'person has', 'people have')} the same {addressNoun} as
            someone else, so they would share a login.
          </p>
        )}
      </div>
      <ModalActions
        onCancel={onClose}
        cancelLabel="Not now"
        confirmLabel="Open the family portal"
        busyLabel="Opening..."
        isBusy={open.isPending}
        onConfirm={() => open.mutate(undefined, { onSuccess: onClose })}
      />
    </ResponsiveModal>
  );
}
