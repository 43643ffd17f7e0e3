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
  /** The row is gone with it. */
  onRemoved: () => void;
}

/** The tutor says it, so the tutor reads what was agreed to, word for word. */
export function WhatsAppConsentModal({
  message: { id, toName },
  opened,
  onClose,
  onRemoved,
}: Props) {
  const give = useGiveConsent();

  function agree() {
    give.mutate(id, {
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
          isBusy={give.isPending}
          onConfirm={agree}
        />
      </div>
    </ResponsiveModal>
  );
}
