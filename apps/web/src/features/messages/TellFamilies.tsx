import { useEffect } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { useLast } from '../../lib/last.ts';
import { type ToTell, tellStore } from '../../lib/tell.ts';
import classes from './MessageForm.module.css';
import { TellForm } from './TellForm.tsx';
import { canBeReached, useWhomToTell } from './whom-to-tell.ts';

/** Ends a cancellation, a move and time off. It comes only when somebody can be reached. */
export function TellFamilies({ toTell }: { toTell: ToTell | null }) {
  const shown = useLast(toTell);
  if (!shown) return null;
  return <Asking key={keyOf(shown)} toTell={shown} isAsked={toTell !== null} />;
}

const keyOf = ({ kind, sessions }: ToTell): string =>
  [kind, ...sessions.map(({ id }) => id)].join(' ');

function Asking({ toTell, isAsked }: { toTell: ToTell; isAsked: boolean }) {
  const whom = useWhomToTell(toTell);
  const byMail = whom.families('email').some(canBeReached);
  const canReach = byMail || whom.families('whatsapp').some(canBeReached);
  const isPointless = whom.isLoaded && !canReach;

  useEffect(() => {
    if (isPointless) tellStore.done();
  }, [isPointless]);

  return (
    <BottomSheet
      title={whom.families('email').length > 1 ? 'Tell the families?' : 'Tell the family?'}
      opened={isAsked && (whom.isError || (whom.isLoaded && canReach))}
      onClose={tellStore.done}
    >
      {whom.isError ? (
        <div className={classes.form}>
          <LoadError onRetry={whom.retry}>
            The message to the family could not be prepared.
          </LoadError>
        </div>
      ) : (
        whom.isLoaded && (
          <TellForm
            kind={toTell.kind}
            familiesBy={whom.families}
            firstChannel={byMail ? 'email' : 'whatsapp'}
          />
        )
      )}
    </BottomSheet>
  );
}
