import { accounts } from '@lessonbook/contract/accounts';
import type { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { PASSWORD } from '@lessonbook/server/src/test/create-tutor.ts';
import {
  createPersonalDataFixture,
  insertSystemRows,
} from '@lessonbook/server/src/test/personal-data-fixture.ts';
import { startIdsAfter } from '@lessonbook/server/src/test/tenant-isolation-test-support.ts';
import { CANARY } from './canaries.ts';
import { seedGroupLessons } from './seed-group-lessons.ts';
import { seedVendorRows } from './seed-rows-by-sql.ts';
import type { Target } from './start-system-under-test.ts';

export { PASSWORD } from '@lessonbook/server/src/test/create-tutor.ts';

export interface TutorAccount {
  tutorId: string;
  username: string;
  email: string;
  browser: Browser;
  familyIds: { carer: number; solo: number };
}

/** All id sequences of a tutor. */
const ID_KINDS =
  'allocation audit external-change contact charge checkout export family invoice lesson message notification payment rate refund_request session student subject term-calendar time-off';

/** Creates a tutor with rows in every table; every string begins with `prefix`, and every id is greater than `from`. */
export async function createTutorAccount(
  { admin, browser: newBrowser }: Pick<Target, 'admin' | 'browser'>,
  name: string,
  prefix: string,
  from: number,
  password = PASSWORD,
): Promise<TutorAccount> {
  const browser = newBrowser();
  const email = `${name}@example.com`;
  const body = { name: `${prefix} tutor`, email, username: name, password, timeZone: 'Etc/UTC' };
  const response = await browser.call(accounts.signup, { body });
  if (response.status !== 201)
    throw new Error(`Signing up ${name} failed: ${response.status} ${response.error.message}`);
  const { rows } = await admin.query<{ tutor_id: string }>(
    `update login_directory set email_verified_at = now() where username = $1 returning tutor_id`,
    [name],
  );
  const tutorId = rows[0]?.tutor_id ?? '';
  await logIn(browser, name, password);
  await startIdsAfter(admin, tutorId, ID_KINDS.split(' '), from);
  const today = new Date().toISOString().slice(0, 10);
  const fixture = await createPersonalDataFixture(browser, today, prefix);
  await seedGroupLessons(browser, today, prefix);
  await insertSystemRows(admin, tutorId, prefix);
  await seedVendorRows(admin, tutorId, browser, prefix, prefix === CANARY);
  // Rows that were inserted without the sequences must not collide with later ids.
  await admin.query(
    `update id_sequences set last_id = last_id + 10000 where tutor_id = $1 and kind in ('notification', 'checkout', 'refund_request', 'external-change', 'export')`,
    [tutorId],
  );
  return { tutorId, username: name, email, browser, familyIds: fixture.familyIds };
}

export async function logIn(
  browser: Browser,
  username: string,
  password = PASSWORD,
): Promise<void> {
  const response = await browser.call(accounts.login, { body: { username, password } });
  if (response.status !== 200)
    throw new Error(`Logging in as ${username} failed: ${response.status}`);
}
