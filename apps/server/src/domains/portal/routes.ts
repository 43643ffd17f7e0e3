import { agreements } from '@lessonbook/contract/agreements';
import { moveRequests, portalMoveRequests } from '@lessonbook/contract/move-requests';
import { portal } from '@lessonbook/contract/portal';
import { portalAgreements } from '@lessonbook/contract/portal-agreement';
import { portalMoney } from '@lessonbook/contract/portal-charges-and-invoices';
import { portalDetails } from '@lessonbook/contract/portal-contact-details';
import { portalFeeds } from '@lessonbook/contract/portal-feed';
import { portalCancellations, portalSettings } from '@lessonbook/contract/portal-management';
import { portalNotes } from '@lessonbook/contract/portal-notes';
import { portalChargeQueries } from '@lessonbook/contract/questions-about-charges';
import type { Context } from '../../context.ts';
import { CONTACT_COOKIE_SUFFIX } from '../../platform/http/cookies.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { acceptSuggestion } from './service/accept-suggested-lesson-time.ts';
import { askToAgree, publishAgreement, readAgreement } from './service/agreement-settings.ts';
import {
  acceptMoveRequest,
  declineMoveRequest,
  listMoveRequests,
  suggestTimes,
} from './service/answer-move-requests.ts';
import { cancelPortalLessons, waivePortalCancellation } from './service/cancel-lessons.ts';
import { changePortalEmail, requestEmailCode } from './service/change-email.ts';
import { listContactActivity } from './service/contact-activity.ts';
import {
  listContactBrowsers,
  setSuspension,
  signOutContact,
} from './service/contact-portal-access.ts';
import { askToMove, readFreeTimes, withdrawMoveRequest } from './service/move-requests.ts';
import {
  changePortalPhone,
  readPortalDetails,
  setPortalReminder,
} from './service/own-contact-details.ts';
import { acceptAgreement, readPortalAgreement } from './service/portal-agreement.ts';
import { listPortalBrowsers, signOutPortalBrowser } from './service/portal-browsers.ts';
import {
  createPortalFeed,
  deletePortalFeed,
  readPortalFeed,
  showPortalFeed,
} from './service/portal-calendar-feed.ts';
import { queryCharge, withdrawChargeQuery } from './service/portal-charge-questions.ts';
import { previewPortalLessons, readPortalLessons } from './service/portal-lessons.ts';
import {
  readPortalInvoices,
  readPortalMoney,
  renderPortalInvoice,
  renderPortalStatement,
} from './service/portal-money.ts';
import { readPortalNotes, setPortalHomeworkDone } from './service/portal-notes-and-homework.ts';
import {
  listPortalContacts,
  readPortalSettings,
  setNoteEmailHour,
  setPortalOpen,
} from './service/portal-settings.ts';
import { readPortalLogin } from './service/read-portal-login.ts';
import { readSignInOptions, requestCode, signIn } from './service/sign-in.ts';

export function portalRoutes(http: HttpServer, context: Context): void {
  http.on(portal.portalSignInOptions, async () => readSignInOptions(context));
  http.on(portal.requestPortalCode, ({ body, requestContext }) =>
    requestCode(context, body, requestContext),
  );
  http.on(portal.signInToPortal, async ({ body, requestContext, cookie, setCookie }) => {
    const previousToken = cookie(CONTACT_COOKIE_SUFFIX);
    const result = await signIn(context, body, requestContext, previousToken);
    setCookie(CONTACT_COOKIE_SUFFIX, result.cookie);
    return result.login;
  });
  http.on(portal.portalLogin, ({ contactLogin, requestContext }) =>
    readPortalLogin(context, contactLogin, requestContext),
  );
  http.on(portal.signOutOfPortal, async ({ contactLogin, setCookie }) => {
    await signOutPortalBrowser(context, contactLogin, contactLogin.id);
    setCookie(CONTACT_COOKIE_SUFFIX, null);
    return {};
  });
  http.on(portal.portalBrowsers, ({ contactLogin }) => listPortalBrowsers(context, contactLogin));
  http.on(portal.signOutPortalBrowser, async ({ contactLogin, params }) => {
    await signOutPortalBrowser(context, contactLogin, params.id);
    return {};
  });
  http.on(portal.portalLessons, ({ contact }) => readPortalLessons(context, contact));
  http.on(portal.cancelPortalLessons, ({ contact, body, idempotencyKey }) =>
    cancelPortalLessons(context, contact, body, idempotencyKey),
  );
  http.on(portalMoveRequests.portalFreeTimes, ({ contact, query }) =>
    readFreeTimes(context, contact, query),
  );
  http.on(portalMoveRequests.askToMove, ({ contact, body, idempotencyKey }) =>
    askToMove(context, contact, body, idempotencyKey),
  );
  http.on(portalMoveRequests.withdrawMoveRequest, async ({ contact, params }) => {
    await withdrawMoveRequest(context, contact, params.id);
    return {};
  });
  http.on(portalMoveRequests.acceptSuggestion, ({ contact, params, body, idempotencyKey }) =>
    acceptSuggestion(context, contact, params.id, body, idempotencyKey),
  );
  http.on(portalMoney.portalMoney, ({ contact }) => readPortalMoney(context, contact));
  http.on(portalMoney.portalInvoices, ({ contact, params, query }) =>
    readPortalInvoices(context, contact, params.accountId, query),
  );
  http.onFile(portalMoney.portalInvoicePdf, ({ contact, params }) =>
    renderPortalInvoice(context, contact, params.accountId, params.invoiceId),
  );
  http.onFile(portalMoney.portalStatement, ({ contact, params, query }) =>
    renderPortalStatement(context, contact, params.accountId, query),
  );
  http.on(portalChargeQueries.queryCharge, ({ contact, params, body, idempotencyKey }) =>
    queryCharge(context, contact, params.accountId, body, idempotencyKey),
  );
  http.on(portalChargeQueries.withdrawChargeQuery, async ({ contact, params }) => {
    await withdrawChargeQuery(context, contact, params.accountId, params.id);
    return {};
  });
  http.on(portalNotes.portalNotes, ({ contact, query }) =>
    readPortalNotes(context, contact, query),
  );
  http.on(portalNotes.setPortalHomeworkDone, async ({ contact, body }) => {
    await setPortalHomeworkDone(context, contact, body);
    return {};
  });
  http.on(portalDetails.portalDetails, ({ contact, contactLogin }) =>
    readPortalDetails(context, contactLogin, contact),
  );
  http.on(portalDetails.changePortalPhone, ({ contact, contactLogin, body }) =>
    changePortalPhone(context, contactLogin, contact, body.phone),
  );
  http.on(portalDetails.requestPortalEmailCode, ({ contact, params, body, requestContext }) =>
    requestEmailCode(context, { ...contact, ...params }, body.email, requestContext),
  );
  http.on(
    portalDetails.changePortalEmail,
    ({ contact, contactLogin, params, body, requestContext }) =>
      changePortalEmail(context, contactLogin, { ...contact, ...params }, body, requestContext),
  );
  http.on(portalDetails.setPortalReminder, ({ contact, contactLogin, body }) =>
    setPortalReminder(context, contactLogin, contact, body),
  );
  http.on(portalAgreements.portalAgreement, ({ contact }) => readPortalAgreement(context, contact));
  http.on(portalAgreements.acceptAgreement, ({ contact, body, requestContext }) =>
    acceptAgreement(context, contact, body, requestContext),
  );
  http.on(portalFeeds.portalFeed, ({ contact }) => showPortalFeed(context, contact));
  http.on(portalFeeds.createPortalFeed, ({ contact }) => createPortalFeed(context, contact));
  http.on(portalFeeds.deletePortalFeed, ({ contact }) => deletePortalFeed(context, contact));
  http.onEtagFile(portalFeeds.readPortalFeed, ({ params }) =>
    readPortalFeed(context, params.token),
  );
}

export function portalSettingsRoutes(http: HttpServer, context: Context): void {
  http.on(portalSettings.portalSettings, ({ login }) => readPortalSettings(context, login.tutorId));
  http.on(portalSettings.listPortalContacts, ({ login, query }) =>
    listPortalContacts(context, login.tutorId, query),
  );
  http.on(portalSettings.openPortal, ({ login }) => setPortalOpen(context, login.tutorId, true));
  http.on(portalSettings.closePortal, ({ login }) => setPortalOpen(context, login.tutorId, false));
  http.on(portalSettings.setNoteEmailHour, ({ login, body }) =>
    setNoteEmailHour(context, login.tutorId, body.hour),
  );
  http.on(agreements.agreement, ({ login }) => readAgreement(context, login.tutorId));
  http.on(agreements.publishAgreement, ({ login, body, idempotencyKey }) =>
    publishAgreement(context, login.tutorId, body, idempotencyKey),
  );
  http.on(agreements.askToAgree, ({ login, params }) =>
    askToAgree(context, login.tutorId, params.version),
  );
  http.on(portalSettings.previewPortal, ({ login, params }) =>
    previewPortalLessons(context, login.tutorId, params.id),
  );
  http.on(portalSettings.contactBrowsers, ({ login, params }) =>
    listContactBrowsers(context, login.tutorId, params.id),
  );
  http.on(portalSettings.contactActivity, ({ login, params }) =>
    listContactActivity(context, login.tutorId, params.id),
  );
  http.on(portalSettings.signOutContact, async ({ login, params }) => {
    await signOutContact(context, login.tutorId, params.id);
    return {};
  });
  http.on(portalSettings.suspendContact, ({ login, params, body }) =>
    setSuspension(context, login.tutorId, params.id, body.isSuspended),
  );
  http.on(moveRequests.listMoveRequests, ({ login, query }) =>
    listMoveRequests(context, login.tutorId, query),
  );
  http.on(moveRequests.acceptMoveRequest, ({ login, params, body, idempotencyKey }) =>
    acceptMoveRequest(context, login.tutorId, params.id, body, idempotencyKey),
  );
  http.on(moveRequests.suggestTimes, async ({ login, params, body }) => {
    await suggestTimes(context, login.tutorId, params.id, body);
    return {};
  });
  http.on(moveRequests.declineMoveRequest, async ({ login, params, body }) => {
    await declineMoveRequest(context, login.tutorId, params.id, body);
    return {};
  });
  http.on(portalCancellations.waivePortalCancellation, ({ login, params }) =>
    waivePortalCancellation(context, login.tutorId, params.id),
  );
}
