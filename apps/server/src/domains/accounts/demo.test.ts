import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../test/house.ts';
import { DEMO, makeDemoTutor } from './service/demo.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ DEMO_ACCOUNT: 'yes' });
  await makeDemoTutor(house.context);
});
afterAll(() => house.close());

describe('the demo account', () => {
  test('is offered on the login page where the server is configured to have one', async () => {
    expect((await house.browser().call(accounts.signInOptions)).body).toMatchObject({ demo: DEMO });
    const plain = await openHouse();
    expect((await plain.browser().call(accounts.signInOptions)).body).toMatchObject({ demo: null });
    await plain.close();
  });

  test('makes no mail go out and keeps its address', async () => {
    const browser = house.browser();
    const login = await browser.call(accounts.login, { body: { ...DEMO } });
    const change = { name: login.body.name, email: 'visitor@example.com' };
    expect((await browser.call(accounts.updateMe, { body: change })).status).toBe(403);
    await house.browser().call(accounts.forgotPassword, { body: { account: DEMO.username } });
    await browser.call(accounts.resendVerification);
    const links = await house.context.db.global.selectFrom('email_tokens').selectAll().execute();
    expect(links).toEqual([]);
    expect(house.mailbox.mails()).toEqual([]);
  });
});
