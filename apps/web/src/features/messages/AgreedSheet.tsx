import type { Message } from '@lessonbook/contract/messages';
import { CONSENT_WORDING } from '@lessonbook/contract/whatsapp';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { useGiveConsent } from '../whatsapp/api.ts';
import classes from './MessageForm.module.css';

interface Props {
  message: Message;
  opened: boolean;
  onClose: () => void;
  /** The row is gone with it. */
  onGone: () => void;
}

/** The tutor says it, so the tutor reads what was agreed to, word for word. */
export function AgreedSheet({ message: { id, toName }, opened, onClose, onGone }: Props) {
  const give = useGiveConsent();

  function agree() {
    give.mutate(id, {
      onSuccess: () => {
        onClose();
        onGone();
      },
    });
  }

  return (
    <BottomSheet title="Send by itself?" opened={opened} onClose={onClose}>
      <div className={classes.form}>
        <Consequence>
          <p>
            {toName} {CONSENT_WORDING}
          </p>
        </Consequence>
        <p className={classes.to}>This message goes now, and the next ones go by themselves.</p>
        <SheetButtons
          onCancel={onClose}
          confirm="Yes, agreed"
          busy="Saving..."
          isBusy={give.isPending}
          onConfirm={agree}
        />
      </div>
    </BottomSheet>
  );
}
