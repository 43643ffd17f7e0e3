import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  apiError,
  connectWithCalendar,
  expectConformance,
  LESSON,
  startHarness,
  type TestHarness,
} from './test-harness.ts';

let harness: TestHarness;
let tutor: Awaited<ReturnType<typeof connectWithCalendar>>;

beforeAll(async () => {
  harness = await startHarness();
  tutor = await connectWithCalendar(harness.fake);
});
afterAll(() => harness.close());

const createRequest = (requestId: string) => ({
  conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
});

let count = 0;
async function insert(overrides: object, conferenceDataVersion = 1) {
  count += 1;
  const { google, calendarId } = tutor;
  const requestBody = { ...LESSON, id: `meet${count}a`, ...overrides };
  const { data } = await google.events.insert({ calendarId, requestBody, conferenceDataVersion });
  return { eventId: requestBody.id, data };
}

async function patch(eventId: string, requestBody: object) {
  const { google, calendarId } = tutor;
  const params = { calendarId, eventId, requestBody, conferenceDataVersion: 1 };
  return (await google.events.patch(params)).data;
}

const statusOf = (event: { conferenceData?: { createRequest?: { status?: object } } }) =>
  event.conferenceData?.createRequest?.status;

test('a conference is created with the event, and once for each request id', async () => {
  const { eventId, data } = await insert(createRequest('one'));
  const link = data.hangoutLink ?? '';
  expect(link).toMatch(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/);
  expect(data.conferenceData?.entryPoints).toMatchObject([{ entryPointType: 'video', uri: link }]);
  expect(statusOf(data)).toEqual({ statusCode: 'success' });
  expect(await patch(eventId, { summary: 'Sam' })).toMatchObject({
    hangoutLink: link,
    summary: 'Sam',
  });
  expect((await patch(eventId, createRequest('one'))).hangoutLink).toBe(link);
  expect((await patch(eventId, createRequest('two'))).hangoutLink).not.toBe(link);
});

test('a conference is removed by null, after which a repeated request id is ignored', async () => {
  const { eventId } = await insert(createRequest('one'));
  expect((await patch(eventId, { conferenceData: null })).conferenceData).toBeUndefined();
  expect((await patch(eventId, createRequest('one'))).conferenceData).toBeUndefined();
  expect((await patch(eventId, createRequest('two'))).hangoutLink).toBeDefined();
});

test('conference data is ignored without version 1', async () => {
  expect((await insert(createRequest('one'), 0)).data.conferenceData).toBeUndefined();
});

test('a pending request gets its link later, or fails, and the event changes', async () => {
  const { control } = harness.fake;
  const { google, calendarId } = tutor;
  for (const outcome of ['success', 'failure'] as const) {
    await control.setConferenceOutcome('pending');
    const { eventId, data } = await insert(createRequest('one'));
    expect([statusOf(data), data.hangoutLink]).toEqual([{ statusCode: 'pending' }, undefined]);
    await control.finishConferences(outcome);
    const later = (await google.events.get({ calendarId, eventId })).data;
    expect(statusOf(later)).toEqual({ statusCode: outcome });
    expect([later.hangoutLink !== undefined, later.etag !== data.etag]).toEqual([
      outcome === 'success',
      true,
    ]);
  }
  await control.setConferenceOutcome('success');
});

test('a request needs an id, a solution that exists, and an account that may use it', async () => {
  const noId = { conferenceData: { createRequest: {} } };
  const unknown = { requestId: 'one', conferenceSolutionKey: { type: 'addOn' } };
  await expect(insert(noId)).rejects.toMatchObject(apiError(400, 'invalid'));
  await expect(insert({ conferenceData: { createRequest: unknown } })).rejects.toMatchObject(
    apiError(400, 'invalid'),
  );
  await harness.fake.control.setMeetAllowed(tutor.user, false);
  await expect(insert(createRequest('one'))).rejects.toMatchObject(apiError(400, 'invalid'));
  const { google, calendarId } = tutor;
  expect((await google.calendars.get({ calendarId })).data.conferenceProperties).toEqual({
    allowedConferenceSolutionTypes: [],
  });
  await harness.fake.control.setMeetAllowed(tutor.user, true);
});

test('all requests and responses conform to the API description', () => expectConformance(harness));
