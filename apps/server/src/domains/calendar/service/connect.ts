import type { CalendarProblem, CalendarStatus } from '@lessonbook/contract/calendar';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import {
  CalendarBusy,
  type CalendarProvider,
  CalendarUnavailable,
} from '../../../integrations/calendar-provider.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { decrypt, encrypt } from '../../../platform/crypto/encryption.ts';
import { deriveToken, randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import { completeWork } from '../../../platform/queue/tenant-schedule.ts';
import { getTutorContact } from '../../accounts/service/profile/profile.ts';
import { deleteChannels } from '../queries/channels.ts';
import {
  type CalendarConnection,
  connectionOf,
  consumeOAuthState,
  DISCONNECTED_STATE,
  insertOAuthState,
  saveConnection,
  updateConnection,
} from '../queries/connections.ts';
import { dropAllExternalChanges } from '../queries/external-changes.ts';
import { CALENDAR_SYNC_WORK, requestSync } from './schedule-sync.ts';
import { countPending, readSyncState } from './sync-state.ts';

/** How long the tutor may look at Google's page. */
const OAUTH_STATE_DAYS = 1 / 48;

interface LoginRef {
  tutorId: string;
  tokenHash: Buffer;
}

const getProvider = (context: Context): CalendarProvider => {
  if (context.calendars) return context.calendars;
  throw new AppError('unavailable', 'Google Calendar is not set up on this server.');
};

/** Nothing is kept of it: who has the state and our key can make it again. */
const derivePkceVerifier = (context: Context, state: string): string =>
  deriveToken(context.config.secretKey, 'calendar-consent', state);

/** Where the browser is sent to. Only the login that began it can end it, once, within half an hour. */
export async function startOAuth(context: Context, login: LoginRef): Promise<{ authUrl: string }> {
  const provider = getProvider(context);
  const { tutorId, tokenHash } = login;
  const state = randomToken();
  const now = context.clock.now();
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    if ((await getTutorContact(tx, tutorId)).isDemo) {
      throw new AppError('forbidden', 'The demo cannot be connected to Google Calendar.');
    }
    await insertOAuthState(tx, tutorId, {
      stateHash: sha256(state),
      loginHash: tokenHash,
      expiresAt: addDays(now, OAUTH_STATE_DAYS),
      now,
    });
  });
  return { authUrl: provider.consentUrl({ state, verifier: derivePkceVerifier(context, state) }) };
}

const SETTINGS_PATH = '/mobile-settings';
const errorRedirect = (reason: string): string =>
  `${SETTINGS_PATH}?calendar=error&reason=${encodeURIComponent(reason)}`;

/** The browser is back from Google's page. Gives where it goes on to. */
export async function handleOAuthCallback(
  context: Context,
  { tutorId, tokenHash }: LoginRef,
  answer: { state?: string | undefined; code?: string | undefined; error?: string | undefined },
): Promise<string> {
  const { state, code } = answer;
  if (!state) return errorRedirect('this_link_is_not_complete');
  const now = context.clock.now();
  const good = await context.db.tutorTransactionUnlocked(tutorId, (tx) =>
    consumeOAuthState(tx, tutorId, { stateHash: sha256(state), loginHash: tokenHash, now }),
  );
  if (!good) return errorRedirect('this_link_was_used_or_is_too_old');
  if (answer.error === 'access_denied') return errorRedirect('access_denied');
  if (answer.error || !code) return errorRedirect('google_did_not_say_yes');
  try {
    const token = await getProvider(context).exchangeCode(code, derivePkceVerifier(context, state));
    if (token === 'calendar refused') return errorRedirect('calendar_access_was_not_allowed');
    await storeConnection(context, tutorId, token.refreshToken);
    return `${SETTINGS_PATH}?calendar=connected`;
  } catch (error) {
    context.log.warn({ err: error }, 'a calendar could not be connected');
    const passing = error instanceof CalendarUnavailable || error instanceof CalendarBusy;
    return errorRedirect(passing ? 'google_cannot_be_reached' : 'google_did_not_accept_it');
  }
}

async function storeConnection(
  context: Context,
  tutorId: string,
  refreshToken: string,
): Promise<void> {
  const encrypted = encrypt(context.config.sealingKeys, refreshToken, tutorId);
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await saveConnection(tx, tutorId, encrypted, context.clock.now());
    await deleteChannels(tx, tutorId);
    await requestSync(context, tx, tutorId);
    await recordAudit(tx, tutorId, { act: 'calendar_connected', at: context.clock.now() });
  });
}

/** What is in the calendar stays there; we forget the way in, and ask Google to forget it too. */
export async function disconnect(context: Context, tutorId: string): Promise<CalendarStatus> {
  const before = await context.db.tutorTransaction(tutorId, async (tx) => {
    const connection = await connectionOf(tx, tutorId).executeTakeFirst();
    if (!connection) return null;
    await recordAudit(tx, tutorId, { act: 'calendar_disconnected', at: context.clock.now() });
    await updateConnection(tx, tutorId, { ...DISCONNECTED_STATE, failure_reason: null });
    await dropAllExternalChanges(tx, tutorId);
    await deleteChannels(tx, tutorId);
    await completeWork(tx, tutorId, CALENDAR_SYNC_WORK, null);
    return connection;
  });
  if (before) await revokeAtGoogle(context, tutorId, before);
  return readStatus(context, tutorId);
}

async function revokeAtGoogle(
  context: Context,
  tutorId: string,
  connection: CalendarConnection,
): Promise<void> {
  if (!connection.sealedToken || !context.calendars) return;
  try {
    const token = decrypt(context.config.sealingKeys, connection.sealedToken, tutorId);
    if (connection.channelId && connection.channelResource) {
      const channel = { id: connection.channelId, resource: connection.channelResource };
      await context.calendars.open(token).stopWatch(channel);
    }
    await context.calendars.revoke(token);
  } catch (error) {
    // It is of no use to anybody: nothing of ours holds it any more.
    context.log.info({ err: error }, 'Google was not told that a calendar is disconnected');
  }
}

export async function readStatus(context: Context, tutorId: string): Promise<CalendarStatus> {
  const [[connection]] = await context.db.tutorRead(tutorId, (tx) => [connectionOf(tx, tutorId)]);
  const used = connection?.sealedToken ? connection : null;
  const counts = used
    ? countPending(await readSyncState(context, tutorId, used.since))
    : { lessons: 0, waiting: 0 };
  return {
    connected: used !== null,
    offered: context.calendars !== null,
    problem: (connection?.problem ?? null) as CalendarProblem | null,
    lastSyncAt: connection?.lastSyncAt?.toISOString() ?? null,
    nextTryAt: (connection?.problem && connection.nextTryAt?.toISOString()) || null,
    initialSyncRunning: used !== null && !used.filled,
    ...counts,
  };
}
