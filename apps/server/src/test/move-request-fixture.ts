import { accounts } from '@lessonbook/contract/accounts';
import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import {
  type LessonStart,
  moveRequests,
  portalMoveRequests,
} from '@lessonbook/contract/move-requests';
import { notifications } from '@lessonbook/contract/notifications';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import type { Browser } from './browser-client.ts';
import { readTokenFromEmail } from './create-tutor.ts';
import { createPortalFixture, signInToPortal } from './portal-fixture.ts';
import type { TestApp } from './test-app.ts';

/** A person who is signed in to the portal of one tutor. */
export interface PortalPerson {
  browser: Browser;
  publicId: string;
}

export const FRIDAY: LessonStart = { date: '2026-11-20', startTime: '17:00' };
export const SATURDAY: LessonStart = { date: '2026-11-21', startTime: '12:30' };

export async function signInPerson(app: TestApp, email: string): Promise<PortalPerson> {
  const { browser, login } = await signInToPortal(app, email);
  return { browser, publicId: login.tutors[0]?.publicId as string };
}

/**
 * The portal fixture with Ruth signed in and a tutor who can send emails. Leo's own lesson is on Wednesday 18 November from
 * 16:00 to 17:00. Cancelling costs 50% with less than 24 hours' notice and 100% with less than 12.
 */
export async function createSignedInFamily(app: TestApp) {
  const family = await createPortalFixture(app);
  const { email } = (await family.browser.call(accounts.me)).body;
  await family.browser.call(accounts.confirmEmail, {
    body: { token: await readTokenFromEmail(app, email, 'verify-email') },
  });
  await family.browser.call(portalSettings.closePortal);
  const tiers = [
    { noticeHours: 24, feePercent: 50 },
    { noticeHours: 12, feePercent: 100 },
  ];
  await family.browser.call(cancellationPolicy.updatePolicy, { body: { tiers } });
  await family.browser.call(portalSettings.openPortal);
  const ruth = await signInPerson(app, family.ruthEmail);
  const seat = { sessionId: family.own.sessionId, studentId: family.leo.id };
  return { ...family, ruth, seat };
}

export const ask = (
  { browser, publicId }: PortalPerson,
  seat: { sessionId: number; studentId: number },
  change: { choices?: LessonStart[]; message?: string } = {},
) => {
  const { choices = [FRIDAY, SATURDAY], message } = change;
  return browser.call(portalMoveRequests.askToMove, {
    params: { publicId },
    body: { ...seat, choices, ...(message ? { message } : {}) },
  });
};

/** Sends the request with an idempotency key. */
export const askWithKey = (
  { browser, publicId }: PortalPerson,
  seat: { sessionId: number; studentId: number },
  key: string,
) =>
  browser.send(
    'POST',
    `/api/portal/tutors/${publicId}/move-requests`,
    { ...seat, choices: [FRIDAY] },
    { 'idempotency-key': key },
  );

export const withdraw = ({ browser, publicId }: PortalPerson, id: number) =>
  browser.call(portalMoveRequests.withdrawMoveRequest, { params: { publicId, id } });

export const acceptSuggestion = (
  { browser, publicId }: PortalPerson,
  id: number,
  body: LessonStart = FRIDAY,
) => browser.call(portalMoveRequests.acceptSuggestion, { params: { publicId, id }, body });

export const accept = (
  browser: Browser,
  id: number,
  body: LessonStart & { acceptOverlaps?: boolean } = FRIDAY,
) => browser.call(moveRequests.acceptMoveRequest, { params: { id }, body });

export const suggest = (
  browser: Browser,
  id: number,
  suggestions: LessonStart[] = [FRIDAY],
  message?: string,
) =>
  browser.call(moveRequests.suggestTimes, {
    params: { id },
    body: { suggestions, ...(message ? { message } : {}) },
  });

export const decline = (browser: Browser, id: number, message?: string) =>
  browser.call(moveRequests.declineMoveRequest, {
    params: { id },
    body: message ? { message } : {},
  });

export const listRequests = async (browser: Browser) =>
  (await browser.call(moveRequests.listMoveRequests, { query: {} })).body;

/** The lesson as the person sees it. */
export const readPortalLesson = async (
  { browser, publicId }: PortalPerson,
  { sessionId, studentId }: { sessionId: number; studentId: number },
) =>
  (await browser.call(portal.portalLessons, { params: { publicId } })).body.lessons.find(
    (lesson) => lesson.sessionId === sessionId && lesson.studentId === studentId,
  );

export const readSession = async (browser: Browser, id: number) =>
  (await browser.call(sessions.session, { params: { id } })).body;

/** The tutor's notifications about requests, newest first. */
export const moveNotifications = async (browser: Browser) => {
  const { body } = await browser.call(notifications.listNotifications, { query: {} });
  return body.notifications.filter(({ kind }) => kind === 'move_requested');
};
