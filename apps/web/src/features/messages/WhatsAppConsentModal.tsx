import type { Message } from '@lessonbook/contract/messages';
import { CONSENT_WORDING } from '@lessonbook/contract/whatsapp-consent';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useGrantConsent } from '../whatsapp/api.ts';
import classes from './MessageForm.module.css';

interface Props {
  message: Message;
  opened: boolean;
  onClose: () => void;
  /** Called once the draft has been sent and its row removed. */
  onRemoved: () => void;
}

/** The tutor confirms the contact's consent, so the exact wording is shown. */
export function WhatsAppConsentModal({
  message: { id, toName },
  opened,
  onClose,
  onRemoved,
}: Props) {
  const grantConsent = useGrantConsent();

  function confirmConsent() {
    grantConsent.mutate(id, {
      onSuccess: () => {
        onClose();
        onRemoved();
      },
    });
  }

  return (
    <ResponsiveModal title="Send automatically?" opened={opened} onClose={onClose}>
      <div className={classes.form}>
        <ImpactNotice>
          <p>
            {toName} {CONSENT_WORDING}
          </p>
        </ImpactNotice>
        <p className={classes.to}>
          This reminder will be sent now, and later ones automatically. Other messages will still
          wait for you.
        </p>
        <ModalActions
          onCancel={onClose}
          confirmLabel="Yes, they agreed"
          busyLabel="Saving..."
          isBusy={grantConsent.isPending}
          onConfirm={confirmConsent}
        />
      </div>
    </ResponsiveModal>
  );
}
