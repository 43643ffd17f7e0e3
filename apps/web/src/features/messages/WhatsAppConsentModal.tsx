import type { Message } from '@lessonbook/contract/messages';
import { CONSENT_WORDING } from '@lessonbook/contract/whatsapp-consent';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useGiveConsent } from '../whatsapp/api.ts';
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
  const giveConsent = useGiveConsent();

  function confirmConsent() {
    giveConsent.mutate(id, {
      onSuccess: () => {
        onClose();
        onRemoved();
      },
    });
  }

  return (
    <ResponsiveModal title="Send by itself?" opened={opened} onClose={onClose}>
      <div className={classes.form}>
        <ImpactNotice>
          <p>
            {toName} {CONSENT_WORDING}
          </p>
        </ImpactNotice>
        <p className={classes.to}>This message goes now, and the next ones go by themselves.</p>
        <ModalActions
          onCancel={onClose}
          confirm="Yes, agreed"
          busy="Saving..."
          isBusy={giveConsent.isPending}
          onConfirm={confirmConsent}
        />
      </div>
    </ResponsiveModal>
  );
}
