import type { CalendarProblem, CalendarStatus } from '@lessonbook/contract/calendar';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import {
  type CalendarProvider,
  CalendarRateLimitedError,
  CalendarUnavailableError,
} from '../../../integrations/calendar-provider.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { encrypt } from '../../../platform/crypto/encryption.ts';
import { deriveToken, randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { getTutorContact } from '../../accounts/service/profile/read-tutor.ts';
import {
  connectionByTutor,
  consumeOAuthState,
  insertOAuthState,
  saveConnection,
} from '../queries/connections.ts';
import { resetFailedConferences } from '../queries/events.ts';
import { deleteChannels } from '../queries/watch-channels.ts';
import { requestSync } from './schedule-sync.ts';
import { countSyncEntries, getSyncState } from './sync-entries.ts';

/** Half an hour. */
const OAUTH_STATE_DAYS = 1 / 48;

interface LoginRef {
  tutorId: string;
  tokenHash: Buffer;
}

const getProvider = (context: Context): CalendarProvider => {
  if (context.calendars) return context.calendars;
  throw new AppError('unavailable', 'Google Calendar is not set up on this server.');
};

/** Derived from the state, so it does not need to be stored. */
const derivePkceVerifier = (context: Context, state: string): string =>
  deriveToken(context.config.secretKey, 'calendar-consent', state);

export async function startOAuth(context: Context, login: LoginRef): Promise<{ authUrl: string }> {
  const provider = getProvider(context);
  const { tutorId, tokenHash } = login;
  const state = randomToken();
  const now = context.clock.now();
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    if ((await getTutorContact(tx, tutorId)).isDemo) {
      throw new AppError('forbidden', "The demo can't be connected to Google Calendar.");
    }
    await insertOAuthState(tx, tutorId, {
      stateHash: sha256(state),
      loginHash: tokenHash,
      expiresAt: add24HourDays(now, OAUTH_STATE_DAYS),
      now,
    });
  });
  return { authUrl: provider.consentUrl({ state, verifier: derivePkceVerifier(context, state) }) };
}

const SETTINGS_PATH = '/mobile-settings';
const errorRedirect = (reason: string): string =>
  `${SETTINGS_PATH}?calendar=error&reason=${encodeURIComponent(reason)}`;

/** Returns the path to redirect the browser to. */
export async function handleOAuthCallback(
  context: Context,
  { tutorId, tokenHash }: LoginRef,
  query: { state?: string | undefined; code?: string | undefined; error?: string | undefined },
): Promise<string> {
  const { state, code } = query;
  if (!state) return errorRedirect('this_link_is_incomplete');
  const now = context.clock.now();
  const isValid = await context.db.tutorTransactionUnlocked(tutorId, (tx) =>
    consumeOAuthState(tx, tutorId, { stateHash: sha256(state), loginHash: tokenHash, now }),
  );
  if (!isValid) return errorRedirect('this_link_has_expired_or_been_used');
  if (query.error === 'access_denied') return errorRedirect('access_denied');
  if (query.error || !code) return errorRedirect('google_did_not_grant_access');
  try {
    const token = await getProvider(context).exchangeCode(code, derivePkceVerifier(context, state));
    if (token === 'scope_denied') return errorRedirect('calendar_access_was_not_allowed');
    await storeConnection(context, tutorId, token.refreshToken);
    return `${SETTINGS_PATH}?calendar=connected`;
  } catch (error) {
    context.log.warn({ err: error }, 'connecting a calendar failed');
    const isTemporary =
      error instanceof CalendarUnavailableError || error instanceof CalendarRateLimitedError;
    return errorRedirect(isTemporary ? 'google_cannot_be_reached' : 'google_rejected_the_request');
  }
}

async function storeConnection(
  context: Context,
  tutorId: string,
  refreshToken: string,
): Promise<void> {
  const encrypted = encrypt(context.config.encryptionKeys, refreshToken, tutorId);
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await saveConnection(tx, tutorId, encrypted, context.clock.now());
    await resetFailedConferences(tx, tutorId);
    await deleteChannels(tx, tutorId);
    await requestSync(context, tx, tutorId);
    await recordAudit(tx, tutorId, { action: 'calendar_connected', at: context.clock.now() });
    await notifyOwner(context, tx, tutorId, 'calendar-connected');
  });
}

export async function readStatus(context: Context, tutorId: string): Promise<CalendarStatus> {
  return context.db.tutorSnapshot(tutorId, (tx) => getStatus(context, tx, tutorId));
}

async function getStatus(context: Context, tx: Tx, tutorId: string): Promise<CalendarStatus> {
  const connection = await connectionByTutor(tx, tutorId).executeTakeFirst();
  const active = connection?.encryptedToken ? connection : null;
  const counts = active
    ? countSyncEntries(
        await getSyncState(context, tx, tutorId, active.syncedFrom),
        context.clock.now(),
      )
    : { lessons: 0, waiting: 0, meetFailures: 0 };
  return {
    connected: active !== null,
    offered: context.calendars !== null,
    problem: (connection?.failureReason ?? null) as CalendarProblem | null,
    lastSyncAt: connection?.lastSyncAt?.toISOString() ?? null,
    nextTryAt: (connection?.failureReason && connection.nextTryAt?.toISOString()) || null,
    initialSyncRunning: active !== null && !active.initialSyncDone,
    offersMeet: active !== null && active.allowsGoogleMeet !== false,
    ...counts,
  };
}
