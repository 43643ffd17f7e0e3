import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { mfa } from '@lessonbook/contract/mfa';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { publicBills } from '@lessonbook/contract/public-bill';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../invariants.ts';
import { decrypt, encrypt } from '../../platform/crypto/encryption.ts';
import { deriveToken, sha256 } from '../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../platform/db/uuid.ts';
import { sharedLinkToken } from '../../platform/payment-and-feed-link-tokens.ts';
import type { Browser } from '../../test/browser-client.ts';
import { createTutor, findTutorId, PASSWORD } from '../../test/create-tutor.ts';
import { createTutorWithTotp, generateTotpCode } from '../../test/mfa-test-app.ts';
import {
  addStudentAt,
  asSuperuser,
  createSmallTutor,
  enqueueForTomorrow,
  follow,
  listJobIds,
  runMove,
  startInstallation,
  statusAt,
  withFault,
} from '../../test/move-tutor-test-support.ts';
import { createPersonalDataFixture, insertSystemRows } from '../../test/personal-data-fixture.ts';
import { signInToPortal } from '../../test/portal-fixture.ts';
import { tableChecksums } from '../../test/table-checksums.ts';
import type { TestApp } from '../../test/test-app.ts';
import { waitUntilQueueIdle } from '../../test/wait-for-queue-and-control-retries.ts';
import { unsubscribeToken } from '../messages/service/outbound/unsubscribe-link.ts';
import { listColumns } from './queries/restore-tutor.ts';
import { MOVE_SPEC, NOT_MOVED } from './queries/tutor-move-spec.ts';
import { findTablesMissingFromMoveSpec } from './service/copy-tutor-between-installations.ts';
import { finishMove } from './service/move-tutor.ts';

let oldApp: TestApp;
let newApp: TestApp;

beforeAll(async () => {
  oldApp = await startInstallation('home');
  newApp = await startInstallation('away');
});
afterAll(async () => {
  await oldApp.close();
  await newApp.close();
});

describe('the move spec', () => {
  test('names every table in the database and no others', async () => {
    const columns = await listColumns(oldApp.admin as unknown as pg.Client);
    expect(findTablesMissingFromMoveSpec(columns)).toEqual([]);
    const tables = new Set(columns.map(({ table }) => table));
    const listed = [...Object.keys(MOVE_SPEC), ...Object.keys(NOT_MOVED)];
    expect(listed.filter((table) => !tables.has(table))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('stops the move if a table is missing', async () => {
    const { input } = await createSmallTutor(oldApp);
    const pets = { plant: 'create table pets (tutor_id uuid)', remove: 'drop table pets' };
    await withFault(newApp, pets, async () => {
      await expect(runMove(oldApp, newApp, input.username)).rejects.toThrow(/different schemas/);
      await withFault(oldApp, pets, () =>
        expect(runMove(oldApp, newApp, input.username)).rejects.toThrow(/move spec: pets/),
      );
    });
  });
});

describe('moving a tutor with rows in every table', () => {
  let ada: { browser: Browser; input: SignupInput; id: string; secret: string };
  let family: Browser;
  let payToken: string;
  let feedPath: string;
  let tokenId: string;
  const adasRows = (app: TestApp) => tableChecksums(asSuperuser(app), { tutorIs: ada.id });
  /** Leaves out the tables that scheduled work of the other tutors may change at the same time. */
  const othersRows = async (app: TestApp) => {
    const rows = await tableChecksums(asSuperuser(app), { tutorIsNot: ada.id });
    const scheduled = ['public.tenant_schedule', 'public.tutors'];
    return Object.fromEntries(Object.entries(rows).filter(([name]) => !scheduled.includes(name)));
  };

  beforeAll(async () => {
    const { browser, input, secret } = await createTutorWithTotp(oldApp);
    const id = await findTutorId(oldApp, input);
    ada = { browser, input, id, secret };
    await createTutor(oldApp);
    await createTutor(newApp);
    await createPersonalDataFixture(browser, '2026-11-16');
    await browser.call(portalSettings.openPortal);
    family = (await signInToPortal(oldApp, 'quillcar@family.example')).browser;
    feedPath = new URL((await browser.call(calendar.showFeed)).body.url).pathname;
    const maintenance = new pg.Client(oldApp.urls.maintenanceUrl);
    await maintenance.connect();
    await insertSystemRows(maintenance, id);
    await maintenance.query(
      `update messages set state = case when id % 2 = 0 then 'draft' else 'failed' end, sent_at = null
       where tutor_id = $1 and channel = 'email' and state = 'sent'`,
      [id],
    );
    await maintenance.query(
      `insert into calendar_connections (tutor_id, encrypted_token, calendar_id, synced_from, connected_at, channel_id)
       values ($1, $2, 'calendar', now(), now(), 'channel')`,
      [id, encrypt(oldApp.context.config.encryptionKeys, 'refresh token', id)],
    );
    tokenId = uuidV7(new Date());
    await maintenance.query(
      `insert into email_tokens (id, tutor_id, purpose, token_hash, email, created_at, expires_at)
       values ($1, $2, 'reset-password', $3, 'ada@example.com', now(), now() + interval '1 hour')`,
      [
        tokenId,
        id,
        sha256(deriveToken(oldApp.context.config.secretKey, 'reset-password', tokenId)),
      ],
    );
    const { rows } = await maintenance.query<{ kind: 'balance'; key: string }>(
      `select kind, public_id || ' ' || version as key from shared_links where tutor_id = $1 and kind = 'balance'`,
      [id],
    );
    payToken = sharedLinkToken(oldApp.context.config, 'balance', rows[0]?.key ?? '');
    await maintenance.end();
    await waitUntilQueueIdle(oldApp.admin);
    await enqueueForTomorrow(oldApp, id);
  });

  async function expectServedAt(app: TestApp, other: TestApp) {
    expect(await statusAt(ada.browser, app)).toBe(200);
    expect(await statusAt(ada.browser, other)).not.toBe(200);
    const familyLogin = await follow(family, app).call(portal.portalLogin);
    expect(familyLogin.body.tutors.map(({ tutorName }) => tutorName)).toEqual([ada.input.name]);
    expect((await follow(family, other).call(portal.portalLogin)).body.tutors ?? []).toEqual([]);
    const params = { token: payToken };
    expect((await follow(family, app).call(publicBills.publicBill, { params })).status).toBe(200);
    expect((await app.browser().send('GET', feedPath)).status).toBe(200);
    expect(await findViolations(app.admin as unknown as pg.Client)).toEqual([]);
  }

  test('keeps the tutor, the family, the links and the jobs working', async () => {
    const before = { oldApp: await othersRows(oldApp), newApp: await othersRows(newApp) };
    const jobs = await listJobIds(oldApp, ada.id);
    expect(jobs.length).toBeGreaterThan(0);
    const rows = await adasRows(oldApp);
    await runMove(oldApp, newApp, ada.input.username);
    const moved = await adasRows(newApp);
    const different = Object.keys(rows).filter((name) => rows[name] !== moved[name]);
    expect(different.toSorted()).toEqual([
      'public.calendar_connections',
      'public.email_tokens',
      'public.public_links',
      'public.shared_links',
      'public.totp_credentials',
      'public.tutor_moves',
    ]);
    expect({ oldApp: await othersRows(oldApp), newApp: await othersRows(newApp) }).toEqual(before);
    expect([await listJobIds(oldApp, ada.id), await listJobIds(newApp, ada.id)]).toEqual([
      [],
      jobs,
    ]);
    await expectServedAt(newApp, oldApp);
    expect(await addStudentAt(ada.browser, oldApp, 'Not here')).toBe(503);

    const { config } = newApp.context;
    const { rows: converted } = await newApp.admin.query<{
      calendar: string;
      channel: null;
      hash: Buffer;
    }>(
      `select c.encrypted_token as calendar, c.channel_id as channel, e.token_hash as hash
       from calendar_connections c join email_tokens e on e.tutor_id = c.tutor_id and e.id = $2 where c.tutor_id = $1`,
      [ada.id, tokenId],
    );
    expect(decrypt(config.encryptionKeys, converted[0]?.calendar ?? '', ada.id)).toBe(
      'refresh token',
    );
    expect(converted[0]?.channel).toBeNull();
    expect(converted[0]?.hash).toEqual(
      sha256(deriveToken(config.secretKey, 'reset-password', tokenId)),
    );
    // Drafts and failed emails can still be sent, with a link that is made with the new key.
    const { rows: emails } = await newApp.admin.query<{ address: string; state: string }>(
      `select address, state from messages where tutor_id = $1 and channel = 'email' and address is not null`,
      [ada.id],
    );
    expect(emails.map(({ state }) => state)).toEqual(expect.arrayContaining(['draft', 'failed']));
    for (const { address } of emails) {
      const params = { token: unsubscribeToken(newApp.context, ada.id, address) };
      const page = await newApp.browser().call(emailPreferences.reminderPreferences, { params });
      expect(page.status).toBe(200);
    }
    // A new login with the password and the authenticator app.
    newApp.clock.set(oldApp.clock.now().toISOString());
    newApp.clock.advance({ minutes: 2 });
    const browser = newApp.browser();
    const { username } = ada.input;
    await browser.call(accounts.login, { body: { username, password: PASSWORD } });
    const code = generateTotpCode(ada.secret, newApp.clock.now());
    expect((await browser.call(mfa.verifyMfaCode, { body: { code } })).status).toBe(200);
  });

  test('can be continued, finished and reversed', async () => {
    await runMove(oldApp, newApp, ada.input.username);
    await runMove(oldApp, newApp, ada.input.username, { command: finishMove });
    await runMove(oldApp, newApp, ada.input.username, { command: finishMove });
    const remaining = Object.entries(await adasRows(oldApp)).filter(
      ([, rows]) => !rows.startsWith('0 '),
    );
    expect(remaining.map(([name]) => name)).toEqual(['public.tutor_moves']);
    expect(await addStudentAt(ada.browser, newApp, 'Added while away')).toBe(201);
    const rows = await adasRows(newApp);
    await runMove(newApp, oldApp, ada.input.username);
    await expectServedAt(oldApp, newApp);
    const back = await adasRows(oldApp);
    expect(back['public.students']).toBe(rows['public.students']);
    // The move back was not finished, so rows are left in the new installation. The next move replaces them.
    expect(await addStudentAt(ada.browser, oldApp, 'Added at home')).toBe(201);
    await runMove(oldApp, newApp, ada.input.username);
    expect((await adasRows(newApp))['public.students']).not.toBe(rows['public.students']);
    await expectServedAt(newApp, oldApp);
  });
});
