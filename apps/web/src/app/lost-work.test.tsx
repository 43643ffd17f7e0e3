import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ResponsiveModal } from '../components/ResponsiveModal.tsx';
import { PasskeyModals } from '../features/accounts/PasswordAndPasskeyModals.tsx';
import { BusinessSettingsForm } from '../features/business/BusinessSettingsForm.tsx';
import { MissingBankDetailsForm } from '../features/business/shared/MissingBankDetailsForm.tsx';
import { AddItemModal, AddLessonsModal } from '../features/invoices/AddLineModals.tsx';
import { CreditNoteDialog } from '../features/invoices/CreditNoteDialog.tsx';
import { DraftDueDateAndNote } from '../features/invoices/DraftDueDateAndNote.tsx';
import { NewInvoiceDialog } from '../features/invoices/NewInvoiceDialog.tsx';
import { VoidInvoiceModal } from '../features/invoices/VoidInvoiceModal.tsx';
import { CancellationPolicyForm } from '../features/lessons/CancellationPolicyForm.tsx';
import { CancelSessionModal } from '../features/lessons/CancelSessionModal.tsx';
import { CompleteLessons } from '../features/lessons/CompleteLessons.tsx';
import { EditLessonDialog } from '../features/lessons/EditLessonDialog.tsx';
import { NewLessonDialog } from '../features/lessons/NewLessonDialog.tsx';
import { RescheduleModal } from '../features/lessons/RescheduleModal.tsx';
import { SessionFamilyNotesForm } from '../features/lessons/SessionFamilyNotesForm.tsx';
import { SessionModals } from '../features/lessons/SessionModals.tsx';
import { SessionNotes } from '../features/lessons/SessionNotes.tsx';
import { SuggestOrDeclineMoveDialogs } from '../features/lessons/SuggestOrDeclineMoveDialogs.tsx';
import { TermCalendarDialog } from '../features/lessons/TermCalendarDialog.tsx';
import { TimeOffDialog } from '../features/lessons/TimeOffDialog.tsx';
import { EmailDraftForm } from '../features/messages/EmailDraftForm.tsx';
import { NewMessageForm } from '../features/messages/NewMessageForm.tsx';
import { SendInvoiceModal } from '../features/messages/SendInvoiceReceiptAndReminderForms.tsx';
import { ChargeQueryDialog } from '../features/payments/ChargeQueriesToAnswer.tsx';
import { EditFamilyModal } from '../features/payments/EditFamilyModal.tsx';
import { OpeningBalanceDialog } from '../features/payments/OpeningBalanceDialog.tsx';
import { RecordPaymentDialog } from '../features/payments/RecordPaymentDialog.tsx';
import { RefundForm } from '../features/payments/RefundAndReversalForms.tsx';
import { TutorAgreementSettings } from '../features/portal/TutorAgreementSettings.tsx';
import { RateDialog } from '../features/rates/shared/RateDialog.tsx';
import { MessageTemplateEditor } from '../features/reminders/MessageTemplateEditor.tsx';
import { ReminderSettingsForm } from '../features/reminders/ReminderSettingsForm.tsx';
import { StudentRemindersModal } from '../features/reminders/StudentRemindersModal.tsx';
import { ContactDialog } from '../features/students/ContactDialog.tsx';
import { StudentDialog } from '../features/students/StudentDialog.tsx';
import { StudentNoteModal } from '../features/students/StudentNoteModal.tsx';
import { StudentStatusDialog } from '../features/students/StudentStatusDialog.tsx';
import { SubjectDialog } from '../features/subjects/SubjectDialog.tsx';
import { DefaultPaymentMethodForm } from '../pages/PaymentMethods.tsx';
import { ProfileForm } from '../pages/ProfileEdit.tsx';
import { SignupForm } from '../pages/Signup.tsx';
import { arrearsForms, arrearsReply } from '../test/arrears-fixtures.tsx';
import { business } from '../test/business-fixtures.ts';
import { policySettings } from '../test/cancellation-policy-fixtures.ts';
import {
  familyDetails,
  paymentDetails,
  paymentFormData,
} from '../test/family-and-payment-fixtures.ts';
import { chargeQuery, draftInvoice, invoice, invoiceLine } from '../test/invoice-fixtures.ts';
import { message, messagePreview, reminderState } from '../test/message-fixtures.ts';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderComponentSignedIn } from '../test/render-component-signed-in.tsx';
import { rosterForms } from '../test/roster-form-cases.tsx';
import { moveRequest, sessionDetails, sessionNotes, sessionRow } from '../test/session-fixtures.ts';
import { student } from '../test/student-fixtures.ts';
import {
  click,
  type FormCase,
  formsWithPreview,
  ignore,
  modal,
  previewHandlers,
  type,
} from '../test/unsaved-input-form-cases.tsx';
import { ada } from '../test/user-fixtures.ts';
import { mayReloadForMissingFile } from './shell/app-update.ts';

const { today } = ada;

const lesson = {
  ...sessionDetails(),
  isRecurring: false,
  recurringPattern: 'weekly',
  recurringEndDate: null,
} as never;

const answerForm = (activeDialog: 'suggest' | 'decline'): FormCase => ({
  file: 'lessons/SuggestOrDeclineMoveDialogs.tsx',
  element: (
    <SuggestOrDeclineMoveDialogs
      {...{ activeDialog, today, onClose: ignore, request: moveRequest() }}
    />
  ),
  edit: type(/^Message to Ruth/),
  cancel: 'Go back',
});

const forms: Record<string, FormCase> = {
  ...formsWithPreview,
  ...arrearsForms({ today, modal, type, click }),
  ...rosterForms({ today, modal, type, lesson }),
  'answer a question about a charge': {
    file: 'payments/ChargeQueriesToAnswer.tsx',
    element: <ChargeQueryDialog today={today} onClose={ignore} query={chargeQuery} />,
    edit: type(/^Message to Ruth/),
    cancel: 'Go back',
  },
  'add passkey': {
    file: 'accounts/PasswordAndPasskeyModals.tsx',
    element: (
      <PasskeyModals
        action="add"
        deviceName="Phone"
        isLast={false}
        onClose={ignore}
        onRecoveryCodes={ignore}
      />
    ),
    edit: type('Name'),
    cancel: 'Cancel',
  },
  profile: {
    file: 'pages/ProfileEdit.tsx',
    element: <ProfileForm />,
    edit: type('Name'),
  },
  signup: {
    file: 'pages/Signup.tsx',
    element: <SignupForm />,
    edit: type('Full Name'),
  },
  business: {
    file: 'business/BusinessSettingsForm.tsx',
    element: <BusinessSettingsForm business={business} />,
    edit: type('Trading name'),
  },
  'bank details': {
    file: 'business/shared/MissingBankDetailsForm.tsx',
    element: <MissingBankDetailsForm />,
    edit: type('Account name'),
  },
  'payment method': {
    file: 'pages/PaymentMethods.tsx',
    element: <DefaultPaymentMethodForm saved="manual" sendsReceipts />,
    edit: async () => {
      const [, stripe] = await screen.findAllByRole('radio');
      if (stripe) fireEvent.click(stripe);
    },
  },
  'invoice item': {
    file: 'invoices/AddLineModals.tsx',
    element: (
      <AddItemModal {...modal} currency="GBP" isBusy={false} onAdd={async () => undefined} />
    ),
    edit: type('Description'),
    cancel: 'Cancel',
  },
  'invoice lessons': {
    file: 'invoices/AddLineModals.tsx',
    element: (
      <AddLessonsModal
        {...modal}
        invoice={draftInvoice()}
        today={today}
        isBusy={false}
        onAdd={async () => undefined}
      />
    ),
    edit: click('checkbox', /Maya/),
    cancel: 'Cancel',
  },
  'credit note': {
    file: 'invoices/CreditNoteDialog.tsx',
    element: <CreditNoteDialog {...modal} invoice={invoice()} today={today} />,
    edit: type('Reason'),
    cancel: 'Cancel',
  },
  'invoice note': {
    file: 'invoices/DraftDueDateAndNote.tsx',
    element: (
      <DraftDueDateAndNote invoice={draftInvoice()} today={today} onSave={async () => undefined} />
    ),
    edit: type('Note'),
  },
  'new invoice': {
    file: 'invoices/NewInvoiceDialog.tsx',
    element: <NewInvoiceDialog {...modal} today={today} />,
    edit: click('switch', /upcoming/),
    cancel: 'Cancel',
  },
  'void invoice': {
    file: 'invoices/VoidInvoiceModal.tsx',
    element: <VoidInvoiceModal {...modal} invoice={invoice()} today={today} />,
    edit: type('Reason'),
    cancel: 'Keep invoice',
  },
  'cancellation policy': {
    file: 'lessons/CancellationPolicyForm.tsx',
    element: <CancellationPolicyForm settings={policySettings()} today={today} />,
    edit: type('Hours for step 1'),
  },
  'cancel session': {
    file: 'lessons/CancelSessionModal.tsx',
    element: <CancelSessionModal {...modal} session={sessionRow()} />,
    edit: click('radio', 'Student'),
    cancel: 'Keep lesson',
  },
  'complete lessons': {
    file: 'lessons/CompleteLessons.tsx',
    element: (
      <CompleteLessons
        sessionId={undefined}
        dueSessions={[sessionRow()]}
        today={today}
        colorOf={() => 'sky'}
      />
    ),
    edit: type('Note'),
  },
  'edit lesson': {
    file: 'lessons/shared/lesson-form.ts',
    element: <EditLessonDialog {...modal} edit={{ lesson, session: sessionDetails() }} />,
    edit: type(/Lesson Title/),
    cancel: 'Cancel',
  },
  'new lesson': {
    file: 'lessons/shared/lesson-form.ts',
    element: <NewLessonDialog {...modal} />,
    edit: type(/Notes/),
    cancel: 'Cancel',
  },
  reschedule: {
    file: 'lessons/RescheduleModal.tsx',
    element: <RescheduleModal {...modal} session={sessionRow()} today={today} />,
    edit: async () => {
      const start = await screen.findByRole('combobox', { name: 'Start' });
      fireEvent.change(start, { target: { value: '11:15' } });
      fireEvent.blur(start);
    },
    cancel: 'Cancel',
  },
  'suggest another time': answerForm('suggest'),
  'decline a request to move': answerForm('decline'),
  'complete session': {
    file: 'lessons/SessionModals.tsx',
    element: (
      <SessionModals
        session={sessionDetails()}
        today={today}
        openModal="complete"
        onClose={ignore}
        onMoved={ignore}
        onDeleted={ignore}
      />
    ),
    edit: type('Note'),
    cancel: 'Cancel',
  },
  'session notes': {
    file: 'lessons/SessionNotes.tsx',
    element: <SessionNotes session={sessionDetails()} dateContext={ada} />,
    edit: type('Notes for this lesson'),
  },
  'note for the family': {
    file: 'lessons/SessionFamilyNotesForm.tsx',
    element: <SessionFamilyNotesForm sessionId={12} dateContext={ada} />,
    edit: type('What we did'),
  },
  agreement: {
    file: 'portal/TutorAgreementSettings.tsx',
    element: (
      <TutorAgreementSettings
        settings={{ isPortalOpen: true, versions: [], people: [] }}
        dateContext={ada}
      />
    ),
    edit: type('Text'),
  },
  'school terms': {
    file: 'lessons/TermCalendarDialog.tsx',
    element: <TermCalendarDialog {...modal} calendar={null} today={today} />,
    edit: type('Term name'),
    cancel: 'Go back',
  },
  'time off': {
    file: 'lessons/TimeOffDialog.tsx',
    element: <TimeOffDialog {...modal} today={today} />,
    edit: type('Reason'),
    cancel: 'Go back',
  },
  'email draft': {
    file: 'messages/EmailDraftForm.tsx',
    element: (
      <EmailDraftForm message={message()} onSent={ignore}>
        {null}
      </EmailDraftForm>
    ),
    edit: type('Subject'),
  },
  rate: {
    file: 'rates/shared/RateDialog.tsx',
    element: <RateDialog {...modal} rate={null} today={today} />,
    edit: type(/^Amount/),
    cancel: 'Cancel',
  },
  'send invoice': {
    file: 'messages/use-message-draft.ts',
    element: <SendInvoiceModal {...modal} id={12} />,
    edit: type('Message'),
    cancel: 'Not now',
  },
  'new message': {
    file: 'messages/NewMessageForm.tsx',
    element: (
      <NewMessageForm
        familyIds={[]}
        onFamiliesChange={ignore}
        onSent={ignore}
        today={today}
        renderHeader={() => null}
      />
    ),
    edit: type('Subject'),
  },
  family: {
    file: 'payments/EditFamilyModal.tsx',
    element: <EditFamilyModal {...modal} family={familyDetails()} />,
    edit: type('Address'),
    cancel: 'Cancel',
  },
  'opening balance': {
    file: 'payments/OpeningBalanceDialog.tsx',
    element: <OpeningBalanceDialog {...modal} family={familyDetails()} today={today} />,
    edit: type(/^Amount/),
    cancel: 'Cancel',
  },
  payment: {
    file: 'payments/payment-form.ts',
    element: <RecordPaymentDialog {...modal} target={{ familyId: 3 }} />,
    edit: type('Note'),
    cancel: 'Cancel',
  },
  refund: {
    file: 'payments/RefundAndReversalForms.tsx',
    element: (
      <ResponsiveModal title="Refund" {...modal}>
        <RefundForm payment={paymentDetails()} today={today} onBack={ignore} onDone={ignore} />
      </ResponsiveModal>
    ),
    edit: type('Note'),
    cancel: 'Back',
  },
  templates: {
    file: 'reminders/MessageTemplateEditor.tsx',
    element: <MessageTemplateEditor state={reminderState()} />,
    edit: type('Text'),
  },
  'reminder settings': {
    file: 'reminders/ReminderSettingsForm.tsx',
    element: <ReminderSettingsForm state={reminderState({ overdueEnabled: true })} />,
    edit: type(/^Days after/),
  },
  'student reminders': {
    file: 'reminders/StudentRemindersModal.tsx',
    element: <StudentRemindersModal {...modal} student={{ id: 1, name: 'Maya' }} />,
    edit: click('radio', 'Different for this student'),
    cancel: 'Cancel',
  },
  student: {
    file: 'students/StudentDialog.tsx',
    element: <StudentDialog {...modal} student={null} />,
    edit: type(/^Name/),
    cancel: 'Cancel',
  },
  contact: {
    file: 'students/ContactDialog.tsx',
    element: <ContactDialog {...modal} student={student()} contact={null} />,
    edit: type(/^Name/),
    cancel: 'Cancel',
  },
  'student note': {
    file: 'students/StudentNoteModal.tsx',
    element: <StudentNoteModal {...modal} student={student()} />,
    edit: type('Private note'),
    cancel: 'Cancel',
  },
  'student status': {
    file: 'students/StudentStatusDialog.tsx',
    element: <StudentStatusDialog {...modal} student={student()} today={today} />,
    edit: click('radio', /^Paused/),
    cancel: 'Go back',
  },
  subject: {
    file: 'subjects/SubjectDialog.tsx',
    element: <SubjectDialog {...modal} subject={null} />,
    edit: type(/^Name/),
    cancel: 'Cancel',
  },
};

/** Forms for passwords, codes, confirmations and single choices. */
const unguardedFiles = [
  'accounts/LinkGoogleForm.tsx',
  'accounts/LoginForm.tsx',
  'accounts/MfaDialogs.tsx',
  'pages/PasswordReset.tsx',
  'accounts/ReauthDialog.tsx',
  'accounts/TwoFactorForm.tsx',
  'invoices/BulkInvoicePeriodStep.tsx',
  'privacy/ErasePersonModal.tsx',
  'rates/PriceRiseForm.tsx',
];

const handlers = {
  ...previewHandlers,
  'GET /api/settings/business': () => json(200, business),
  'GET /api/onboarding': () =>
    json(200, { student: true, lesson: true, payment: false, reminders: false }),
  'GET /api/me': () => json(200, ada),
  'GET /api/sign-in-options': () => json(200, { google: false, passkeys: false, demo: null }),
  'GET /api/students': () => json(200, []),
  'GET /api/students/1/reminders': () =>
    json(200, { isCustom: false, leadMinutes: 1440, channels: ['email'], recipient: 'carer' }),
  'GET /api/sessions/12/family-notes': () => json(200, sessionNotes()),
  'GET /api/subjects': () => json(200, []),
  'GET /api/carers': () => json(200, []),
  'GET /api/families': () => json(200, []),
  'GET /api/families/3/arrears': () => json(200, arrearsReply()),
  'GET /api/sessions': () => json(200, []),
  'GET /api/payments/form': () => json(200, paymentFormData()),
  'GET /api/settings/reminders': () => json(200, reminderState()),
  'GET /api/invoices/12/choices': () => json(200, [invoiceLine()]),
  'POST /api/invoices/12/send/preview': () => json(200, messagePreview()),
};

/** Everything that has been typed or chosen. */
const inputState = () =>
  [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
    .map(({ value, checked }) => `${value} ${checked}`)
    .join('\n');

const canUnload = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test.each(Object.entries(forms))(
  'F60 %s: input is never discarded without confirmation',
  async (_name, { element, edit, cancel }) => {
    const server = mockApi({ ...handlers });
    const { router, queryClient } = await renderComponentSignedIn(element);
    await edit();
    await vi.waitFor(() => expect(canUnload()).toBe(false));
    const typed = inputState();

    const expectInputKept = async (way: string) => {
      // By text, because queries by role are slow in a large document.
      fireEvent.click(await screen.findByText('Keep editing'));
      await vi.waitFor(() => expect(screen.queryByText('Keep editing')).toBeNull());
      expect({ way, input: inputState() }).toEqual({ way, input: typed });
    };

    if (cancel !== undefined) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
      await expectInputKept('Escape');
      fireEvent.click(screen.getByLabelText('Close'));
      await expectInputKept('X');
      fireEvent.click(screen.getByText(cancel, { selector: 'button *' }));
      await expectInputKept('Cancel');
    }
    const { state } = router.history.location;
    act(() => {
      window.dispatchEvent(Object.assign(new Event('popstate'), { state }));
    });
    await expectInputKept('Back');
    act(() => router.history.push('/elsewhere'));
    await expectInputKept('a link');
    expect(router.history.location.pathname).toBe('/');
    expect(canUnload()).toBe(false);
    expect(mayReloadForMissingFile()).toBe(false);

    server.handlers['GET /api/me'] = unauthenticated;
    await act(() => queryClient.invalidateQueries({ queryKey: ['/api/me'] }));
    expect(queryClient.getQueryData(['/api/me'])).toBeNull();
    expect(inputState()).toBe(typed);
  },
);

const sources = import.meta.glob<string>('../{features,pages}/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('F60 the table above contains every form', () => {
  const files = Object.keys(sources)
    .filter((path) => !path.includes('.test.') && /\buseForm[<(]/.test(sources[path] ?? ''))
    .map((path) => path.replace(/^\.\.\/(features\/)?/, ''));
  const listed = new Set([...Object.values(forms).map(({ file }) => file), ...unguardedFiles]);
  expect(files.toSorted()).toEqual([...listed].toSorted());
});
