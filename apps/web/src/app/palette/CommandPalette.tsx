import { useMediaQuery } from '@mantine/hooks';
import { lazy, useState } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { useTutor } from '../../features/accounts/auth.tsx';
import type { Command } from '../../features/palette/command.ts';
import { Palette } from '../../features/palette/Palette.tsx';
import { useLast } from '../../lib/last.ts';
import type { NavItem } from '../shell/nav.ts';
import { type Act, useCommands } from './use-commands.ts';

const LessonDialog = lazy(async () => ({
  default: (await import('../../features/lessons/LessonDialog.tsx')).LessonDialog,
}));
const StudentCard = lazy(async () => ({
  default: (await import('./StudentCard.tsx')).StudentCard,
}));
const RecordPaymentDialog = lazy(async () => ({
  default: (await import('../../features/payments/RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));
const NewInvoice = lazy(async () => ({
  default: (await import('../../features/invoices/NewInvoice.tsx')).NewInvoice,
}));
const TimeOffDialog = lazy(async () => ({
  default: (await import('../../features/lessons/TimeOffDialog.tsx')).TimeOffDialog,
}));

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Where the focus was, for it to go back to. */
  origin: HTMLElement | null;
  /** What was typed before it was there. */
  takeTyped: () => string;
  /** The pages that the shell leads to. */
  main: readonly NavItem[];
}

/** The palette with everything a tutor can find in it, and the dialogs that it opens above the page. */
export function CommandPalette({ opened, onClose, origin, takeTyped, main }: Props) {
  const [act, setAct] = useState<Act | null>(null);
  const [asking, setAsking] = useState(false);
  const wide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const invitation = wide
    ? 'Jump to a page, a student, or start something'
    : 'Find or start something';
  const { commands, payers, suggest, problem } = useCommands(main, {
    open: setAct,
    askForPayer: () => setAsking(true),
  });

  function leave() {
    setAsking(false);
    onClose();
  }

  function pick(command: Command) {
    if (command.leads !== 'question') leave();
    // A page takes the focus to its heading, but only from nobody.
    if (command.leads === 'page') (document.activeElement as HTMLElement | null)?.blur();
    if (command.leads === 'dialog') origin?.focus({ preventScroll: true });
    command.run();
  }

  return (
    <>
      <Palette
        opened={opened}
        takeTyped={takeTyped}
        onClose={() => {
          leave();
          origin?.focus({ preventScroll: true });
        }}
        placeholder={asking ? 'Whose payment is it?' : invitation}
        commands={asking ? payers : commands}
        suggest={asking ? () => [] : suggest}
        problem={problem}
        onPick={pick}
      />
      <Acts act={act} onDone={() => setAct(null)} />
    </>
  );
}

/** One dialog at a time; each is fetched when it is first wanted. */
function Acts({ act, onDone }: { act: Act | null; onDone: () => void }) {
  const { today } = useTutor();
  const last = useLast(act);
  const common = { opened: act !== null, onClose: onDone };
  return (
    <WhenOpened opened={act !== null}>
      {last?.kind === 'lesson' && <LessonDialog start={last.start} {...common} />}
      {last?.kind === 'student' && <StudentCard student={last.student} {...common} />}
      {last?.kind === 'payment' && (
        <RecordPaymentDialog paidFor={{ familyId: last.familyId }} {...common} />
      )}
      {last?.kind === 'invoice' && <NewInvoice today={today} {...common} />}
      {last?.kind === 'time-off' && <TimeOffDialog today={today} {...common} />}
    </WhenOpened>
  );
}
