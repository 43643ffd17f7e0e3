import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useTutor } from '../accounts/AuthProvider.tsx';
import { CREATE_ACTIONS, type DialogRequest } from './create-actions.ts';
import { PaletteSearchModal } from './PaletteSearchModal.tsx';
import type { Command } from './search-commands.ts';
import type { CreateActionId } from './shared/open-create-dialog.ts';
import { type PageEntry, useCommands } from './use-commands.ts';

const NewLessonDialog = lazy(async () => ({
  default: (await import('../lessons/NewLessonDialog.tsx')).NewLessonDialog,
}));
const StudentDialogWithReminders = lazy(async () => ({
  default: (await import('./StudentDialogWithReminders.tsx')).StudentDialogWithReminders,
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
  /** The element that had focus before the palette opened. */
  previousFocus: HTMLElement | null;
  /** Returns the text typed while the palette was loading. */
  consumeTypedText: () => string;
  pages: readonly PageEntry[];
  /** Requested by the + menu or a page: skips the list of commands. A new object for each request. */
  action: { id: CreateActionId } | null;
  onShowShortcuts: () => void;
}

/** The palette with all commands, and the dialogs that it opens over the page. */
export function CommandPalette({
  opened,
  onClose,
  previousFocus,
  consumeTypedText,
  pages,
  action,
  onShowShortcuts,
}: Props) {
  const [request, setRequest] = useState<DialogRequest | null>(null);
  const [choosingPayer, setChoosingPayer] = useState(false);
  const [startedAction, setStartedAction] = useState<Props['action']>(null);
  if (action !== startedAction) {
    setStartedAction(action);
    const dialog = CREATE_ACTIONS.find(({ id }) => id === action?.id)?.request;
    if (dialog) setRequest(dialog);
    setChoosingPayer(action?.id === 'record-payment');
  }
  const hint = 'Search, or start something new';
  const { commands, firstStudents, payers, isLoadingPayers, suggest, problem } = useCommands(
    pages,
    {
      open: setRequest,
      choosePayer: () => setChoosingPayer(true),
      showShortcuts: onShowShortcuts,
    },
    { isChoosingPayer: choosingPayer },
  );

  function closePalette() {
    setChoosingPayer(false);
    onClose();
  }

  function pick(command: Command) {
    if (command.opens !== 'step') closePalette();
    // A new page focuses its heading only if nothing else has focus.
    if (command.opens === 'page') (document.activeElement as HTMLElement | null)?.blur();
    if (command.opens === 'dialog') previousFocus?.focus({ preventScroll: true });
    command.run();
  }

  return (
    <>
      <PaletteSearchModal
        opened={opened}
        consumeTypedText={consumeTypedText}
        onClose={() => {
          closePalette();
          previousFocus?.focus({ preventScroll: true });
        }}
        placeholder={choosingPayer ? 'Who paid?' : hint}
        commands={choosingPayer ? payers : commands}
        defaults={choosingPayer ? [] : firstStudents}
        suggest={choosingPayer ? () => [] : suggest}
        searchesServer={!choosingPayer}
        isLoading={isLoadingPayers}
        problem={problem}
        onPick={pick}
      />
      <RequestedDialog request={request} onClose={() => setRequest(null)} />
    </>
  );
}

/** One dialog at a time, each in its own lazy chunk. */
function RequestedDialog({
  request,
  onClose,
}: {
  request: DialogRequest | null;
  onClose: () => void;
}) {
  const { today } = useTutor();
  const last = useLastValue(request);
  const commonProps = { opened: request !== null, onClose };
  return (
    <LazyMount opened={request !== null}>
      {last?.kind === 'lesson' && <NewLessonDialog defaults={last.defaults} {...commonProps} />}
      {last?.kind === 'student' && (
        <StudentDialogWithReminders
          student={last.student}
          {...(last.name && { initialName: last.name })}
          {...commonProps}
        />
      )}
      {last?.kind === 'payment' && (
        <RecordPaymentDialog target={{ familyId: last.familyId }} {...commonProps} />
      )}
      {last?.kind === 'invoice' && <NewInvoiceDialog today={today} {...commonProps} />}
      {last?.kind === 'time-off' && <TimeOffDialog today={today} {...commonProps} />}
    </LazyMount>
  );
}
