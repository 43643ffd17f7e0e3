import { useMediaQuery } from '@mantine/hooks';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useTutor } from '../accounts/auth.tsx';
import { PaletteModal } from './PaletteModal.tsx';
import type { MainPage } from './page-commands.ts';
import type { Command } from './search-commands.ts';
import { type DialogRequest, useCommands } from './use-commands.ts';

const LessonDialog = lazy(async () => ({
  default: (await import('../lessons/NewLessonDialog.tsx')).LessonDialog,
}));
const StudentDialogContainer = lazy(async () => ({
  default: (await import('./StudentDialogContainer.tsx')).StudentDialogContainer,
}));
const RecordPaymentDialog = lazy(async () => ({
  default: (await import('../payments/RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));
const NewInvoiceDialog = lazy(async () => ({
  default: (await import('../invoices/NewInvoiceDialog.tsx')).NewInvoiceDialog,
}));
const TimeOffDialog = lazy(async () => ({
  default: (await import('../lessons/TimeOffDialog.tsx')).TimeOffDialog,
}));

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Where the focus was, for it to go back to. */
  origin: HTMLElement | null;
  /** What was typed before it was there. */
  takeTyped: () => string;
  /** The pages that the shell leads to. */
  main: readonly MainPage[];
}

/** The palette with everything a tutor can find in it, and the dialogs that it opens above the page. */
export function CommandPalette({ opened, onClose, origin, takeTyped, main }: Props) {
  const [request, setRequest] = useState<DialogRequest | null>(null);
  const [choosingPayer, setChoosingPayer] = useState(false);
  const wide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const hint = wide ? 'Jump to a page, a student, or start something' : 'Find or start something';
  const { commands, payers, suggest, problem } = useCommands(main, {
    open: setRequest,
    askForPayer: () => setChoosingPayer(true),
  });

  function leave() {
    setChoosingPayer(false);
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
      <PaletteModal
        opened={opened}
        takeTyped={takeTyped}
        onClose={() => {
          leave();
          origin?.focus({ preventScroll: true });
        }}
        placeholder={choosingPayer ? 'Whose payment is it?' : hint}
        commands={choosingPayer ? payers : commands}
        suggest={choosingPayer ? () => [] : suggest}
        problem={problem}
        onPick={pick}
      />
      <RequestedDialog act={request} onDone={() => setRequest(null)} />
    </>
  );
}

/** One dialog at a time; each is fetched when it is first wanted. */
function RequestedDialog({
  act: request,
  onDone,
}: {
  act: DialogRequest | null;
  onDone: () => void;
}) {
  const { today } = useTutor();
  const last = useLastValue(request);
  const common = { opened: request !== null, onClose: onDone };
  return (
    <LazyMount opened={request !== null}>
      {last?.kind === 'lesson' && <LessonDialog start={last.start} {...common} />}
      {last?.kind === 'student' && <StudentDialogContainer student={last.student} {...common} />}
      {last?.kind === 'payment' && (
        <RecordPaymentDialog paidFor={{ familyId: last.familyId }} {...common} />
      )}
      {last?.kind === 'invoice' && <NewInvoiceDialog today={today} {...common} />}
      {last?.kind === 'time-off' && <TimeOffDialog today={today} {...common} />}
    </LazyMount>
  );
}
