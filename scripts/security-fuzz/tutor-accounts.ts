import { accounts } from '@lessonbook/contract/accounts';
import type { Browser } from '@lessonbook/server/src/test/browser.ts';
import { createFullFixture, insertSystemRows } from '@lessonbook/server/src/test/full-fixture.ts';
import { startIdsAfter } from '@lessonbook/server/src/test/tenant-isolation.ts';
import { PASSWORD } from '@lessonbook/server/src/test/tutor.ts';
import { CANARY } from './canaries.ts';
import type { Target } from './target.ts';
import { seedVendorRows } from './vendor-rows.ts';

export { PASSWORD } from '@lessonbook/server/src/test/tutor.ts';

export interface TutorAccount {
  tutorId: string;
  username: string;
  email: string;
  browser: Browser;
  familyIds: { carer: number; solo: number };
}

/** Everything that is counted for each tutor. */
const ID_KINDS =
  'allocation audit external-change carer charge checkout export family invoice lesson message notification payment refund_request session student subject time-off';

/** A tutor whose book has something in every table; every word in it begins with `word`, every id is greater than `from`. */
export async function createTutorAccount(
  { admin, browser: newBrowser }: Target,
  name: string,
  word: string,
  from: number,
  password = PASSWORD,
): Promise<TutorAccount> {
  const browser = newBrowser();
  const email = `${name}@example.com`;
  const body = { name: `${word} tutor`, email, username: name, password, timeZone: 'Etc/UTC' };
  const made = await browser.call(accounts.signup, { body });
  if (made.status !== 201)
    throw new Error(`sign-up of ${name}: ${made.status} ${made.error.message}`);
  const { rows } = await admin.query<{ tutor_id: string }>(
    `update login_directory set email_verified_at = now() where username = $1 returning tutor_id`,
    [name],
  );
  const tutorId = rows[0]?.tutor_id ?? '';
  await logIn(browser, name, password);
  await startIdsAfter(admin, tutorId, ID_KINDS.split(' '), from);
  const filled = await createFullFixture(browser, new Date().toISOString().slice(0, 10), word);
  await insertSystemRows(admin, tutorId, word);
  await seedVendorRows(admin, tutorId, browser, word, word === CANARY);
  // What was written past the counters must not be met by them.
  await admin.query(
    `update id_sequences set last_id = last_id + 10000 where tutor_id = $1 and kind in ('notification', 'checkout', 'refund_request', 'external-change', 'export')`,
    [tutorId],
  );
  return { tutorId, username: name, email, browser, familyIds: filled.familyOf };
}

export async function logIn(
  browser: Browser,
  username: string,
  password = PASSWORD,
): Promise<void> {
  const answer = await browser.call(accounts.login, { body: { username, password } });
  if (answer.status !== 200) throw new Error(`login of ${username}: ${answer.status}`);
}
