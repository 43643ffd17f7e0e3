import type { CalendarProblem, CalendarStatus } from '@lessonbook/contract/calendar';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import {
  CalendarBusy,
  type CalendarProvider,
  CalendarUnavailable,
} from '../../../integrations/calendar.ts';
import { settleAgenda } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { derivedToken, randomToken, sha256 } from '../../../platform/crypto.ts';
import { seal, unseal } from '../../../platform/sealing.ts';
import { contactIn } from '../../accounts/service/profile.ts';
import { forgetChannels } from '../queries/channels.ts';
import {
  type CalendarLink,
  insertConsent,
  linkOf,
  NOTHING_PLANNED,
  saveConnection,
  updateLink,
  useConsent,
} from '../queries/links.ts';
import { dropAllProposals } from '../queries/proposals.ts';
import { countWaiting, readBook } from './book.ts';
import { CALENDAR, wish } from './plan.ts';

/** How long the tutor may look at Google's page. */
const CONSENT_DAYS = 1 / 48;

interface LoggedIn {
  tutorId: string;
  tokenHash: Buffer;
}

const providerOf = (context: Context): CalendarProvider => {
  if (context.calendars) return context.calendars;
  throw new AppError('unavailable', 'Google Calendar is not set up on this server.');
};

/** Nothing is kept of it: who has the state and our key can make it again. */
const verifierOf = (context: Context, state: string): string =>
  derivedToken(context.config.secretKey, 'calendar-consent', state);

/** Where the browser is sent to. Only the login that began it can end it, once, within half an hour. */
export async function beginConsent(
  context: Context,
  login: LoggedIn,
): Promise<{ authUrl: string }> {
  const provider = providerOf(context);
  const { tutorId, tokenHash } = login;
  const state = randomToken();
  const now = context.clock.now();
  await context.db.besideTutor(tutorId, async (tx) => {
    if ((await contactIn(tx, tutorId)).isDemo) {
      throw new AppError('forbidden', 'The demo cannot be connected to Google Calendar.');
    }
    await insertConsent(tx, tutorId, {
      stateHash: sha256(state),
      loginHash: tokenHash,
      expiresAt: addDays(now, CONSENT_DAYS),
      now,
    });
  });
  return { authUrl: provider.consentUrl({ state, verifier: verifierOf(context, state) }) };
}

const SETTINGS = '/mobile-settings';
const failed = (reason: string): string =>
  `${SETTINGS}?calendar=error&reason=${encodeURIComponent(reason)}`;

/** The browser is back from Google's page. Gives where it goes on to. */
export async function endConsent(
  context: Context,
  { tutorId, tokenHash }: LoggedIn,
  answer: { state?: string | undefined; code?: string | undefined; error?: string | undefined },
): Promise<string> {
  const { state, code } = answer;
  if (!state) return failed('this_link_is_not_complete');
  const now = context.clock.now();
  const good = await context.db.besideTutor(tutorId, (tx) =>
    useConsent(tx, tutorId, { stateHash: sha256(state), loginHash: tokenHash, now }),
  );
  if (!good) return failed('this_link_was_used_or_is_too_old');
  if (answer.error === 'access_denied') return failed('access_denied');
  if (answer.error || !code) return failed('google_did_not_say_yes');
  try {
    const token = await providerOf(context).exchange(code, verifierOf(context, state));
    if (token === 'calendar refused') return failed('calendar_access_was_not_allowed');
    await keepConnection(context, tutorId, token.refreshToken);
    return `${SETTINGS}?calendar=connected`;
  } catch (error) {
    context.log.warn({ err: error }, 'a calendar could not be connected');
    const passing = error instanceof CalendarUnavailable || error instanceof CalendarBusy;
    return failed(passing ? 'google_cannot_be_reached' : 'google_did_not_accept_it');
  }
}

async function keepConnection(
  context: Context,
  tutorId: string,
  refreshToken: string,
): Promise<void> {
  const sealed = seal(context.config.sealingKeys, refreshToken, tutorId);
  await context.db.withTutor(tutorId, async (tx) => {
    await saveConnection(tx, tutorId, sealed, context.clock.now());
    await forgetChannels(tx, tutorId);
    await wish(context, tx, tutorId);
    await audit(tx, tutorId, { act: 'calendar_connected', at: context.clock.now() });
  });
}

/** What is in the calendar stays there; we forget the way in, and ask Google to forget it too. */
export async function disconnect(context: Context, tutorId: string): Promise<CalendarStatus> {
  const before = await context.db.withTutor(tutorId, async (tx) => {
    const link = await linkOf(tx, tutorId).executeTakeFirst();
    if (!link) return null;
    await audit(tx, tutorId, { act: 'calendar_disconnected', at: context.clock.now() });
    await updateLink(tx, tutorId, { ...NOTHING_PLANNED, failure_reason: null });
    await dropAllProposals(tx, tutorId);
    await forgetChannels(tx, tutorId);
    await settleAgenda(tx, tutorId, CALENDAR, null);
    return link;
  });
  if (before) await sayGoodbye(context, tutorId, before);
  return readStatus(context, tutorId);
}

async function sayGoodbye(context: Context, tutorId: string, link: CalendarLink): Promise<void> {
  if (!link.sealedToken || !context.calendars) return;
  try {
    const token = unseal(context.config.sealingKeys, link.sealedToken, tutorId);
    if (link.channelId && link.channelResource) {
      const channel = { id: link.channelId, resource: link.channelResource };
      await context.calendars.open(token).stopWatching(channel);
    }
    await context.calendars.revoke(token);
  } catch (error) {
    // It is of no use to anybody: nothing of ours holds it any more.
    context.log.info({ err: error }, 'Google was not told that a calendar is disconnected');
  }
}

export async function readStatus(context: Context, tutorId: string): Promise<CalendarStatus> {
  const [[link]] = await context.db.readTutor(tutorId, (tx) => [linkOf(tx, tutorId)]);
  const used = link?.sealedToken ? link : null;
  const counts = used
    ? countWaiting(await readBook(context, tutorId, used.since))
    : { lessons: 0, waiting: 0 };
  return {
    connected: used !== null,
    offered: context.calendars !== null,
    problem: (link?.problem ?? null) as CalendarProblem | null,
    lastSyncAt: link?.lastSyncAt?.toISOString() ?? null,
    nextTryAt: (link?.problem && link.nextTryAt?.toISOString()) || null,
    filling: used !== null && !used.filled,
    ...counts,
  };
}
