import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, mockApi, unauthenticated } from '../../test/mock-api.ts';
import {
  adaAsTutor,
  contactDetails,
  portalAgreement,
  portalBrowsers,
  portalLesson,
  portalLessons,
  portalLogin,
  tomAsTutor,
} from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

const LOGIN = 'GET /api/portal/login';
const LESSONS = 'GET /api/portal/tutors/c_ada_1234567/lessons';
const BROWSERS = 'GET /api/portal/browsers';
const DETAILS = 'GET /api/portal/tutors/c_ada_1234567/details';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-17T12:00:00Z') });
});

function openPortal(handlers: Parameters<typeof mockApi>[0] = {}, url?: string) {
  const server = mockApi({
    [LOGIN]: () => json(200, portalLogin()),
    [LESSONS]: () => json(200, portalLessons()),
    [BROWSERS]: () => json(200, portalBrowsers),
    'GET /api/portal/tutors/c_ada_1234567/agreement': () => json(200, portalAgreement()),
    [DETAILS]: () => json(200, contactDetails()),
    'GET /api/portal/tutors/c_tom_1234567/lessons': () =>
      json(200, portalLessons({ tutorName: 'Tom Bellamy', lessons: [] })),
    ...handlers,
  });
  return { ...renderPortal(url), server };
}

const showLessons = (page: Parameters<typeof portalLessons>[0]) =>
  openPortal({ [LESSONS]: () => json(200, portalLessons(page)) });

const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);

test('shows the lessons of all children by day, with place and price', async () => {
  openPortal();
  expect(await screen.findByRole('heading', { name: 'Next lessons' })).toBeTruthy();
  const days = await screen.findAllByRole('heading', { level: 2 });
  expect(days.map((day) => day.textContent)).toEqual(['Today Tue 17 Nov', 'Tomorrow Wed 18 Nov']);
  expect(rows()).toEqual(["4:30pm to 5:30pmMayaMaths, at Ada's£38", '4pm to 5pmLeo11+ prep']);
  expect(screen.getByText('Ada Fenwick')).toBeTruthy();
  expect(screen.getByText('Maya and Leo')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Switch tutor' })).toBeNull();
  expect(document.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex');
});

test('a later day shows its weekday, and a cancelled lesson shows neither place nor price', async () => {
  showLessons({
    lessons: [
      portalLesson({ date: '2026-11-24', startsAt: '2026-11-24T16:30:00Z', state: 'cancelled' }),
      portalLesson({
        sessionId: 3,
        date: '2026-11-24',
        startTime: '23:00',
        endTime: '23:59',
        startsAt: '2026-11-24T23:00:00Z',
        isGroup: true,
      }),
    ],
    hasMore: true,
  });
  expect(await screen.findByRole('heading', { name: 'Tuesday 24 Nov' })).toBeTruthy();
  expect(rows()).toEqual([
    '4:30pm to 5:30pmMayaMathsCancelled',
    "11pm to midnightMayaMaths, group lesson, at Ada's£38",
  ]);
  const [cancelled, other] = screen.getAllByRole('listitem');
  expect(cancelled?.hasAttribute('data-cancelled')).toBe(true);
  expect(other?.hasAttribute('data-cancelled')).toBe(false);
  expect(await screen.findByText('Later lessons will appear here nearer the time.')).toBeTruthy();
});

test('shows the first lessons of a long list, then all of them', async () => {
  const lessons = Array.from({ length: 30 }, (_, index) => portalLesson({ sessionId: index + 1 }));
  showLessons({ lessons, hasMore: true });
  expect(await screen.findByText('Later lessons will appear here nearer the time.')).toBeTruthy();
  expect(rows()).toHaveLength(30);
});

test('a person in another time zone sees both times', async () => {
  showLessons({
    timeZone: 'Asia/Tokyo',
    lessons: [
      portalLesson({ startTime: '09:00', startsAt: '2026-11-17T09:00:00Z' }),
      portalLesson({ sessionId: 2 }),
    ],
  });
  expect(await screen.findByText('London time (6pm your time)')).toBeTruthy();
  expect(screen.getByText('London time (1:30am on Wed 18 Nov, your time)')).toBeTruthy();
});

test('a time zone with the same local time is not mentioned', async () => {
  showLessons({ timeZone: 'Europe/Dublin' });
  await screen.findByText('Maya');
  expect(screen.queryByText(/your time/)).toBeNull();
});

test('an online lesson can be joined from ten minutes before it starts until it ends', async () => {
  const place = 'https://meet.example/abc';
  showLessons({ lessons: [portalLesson({ place })] });
  const link = await screen.findByRole('link', { name: 'Meeting link' });
  expect(link.getAttribute('href')).toBe(place);
  expect(link.getAttribute('rel')).toBe('noreferrer');
  expect(rows()).toEqual(['4:30pm to 5:30pmMayaMaths, online£38Meeting link']);
  const moveTo = async (time: string) => {
    vi.setSystemTime(new Date(`2026-11-17T${time}Z`));
    await act(() => vi.advanceTimersByTimeAsync(15_000));
  };
  await moveTo('16:19:30');
  expect(screen.queryByRole('link', { name: "Join Maya's lesson" })).toBeNull();
  await moveTo('16:19:50');
  expect(screen.getByRole('link', { name: "Join Maya's lesson" }).getAttribute('href')).toBe(place);
  await moveTo('17:29:30');
  expect(screen.getByRole('link', { name: "Join Maya's lesson" })).toBeTruthy();
  await moveTo('17:30:00');
  expect(screen.queryByRole('link', { name: "Join Maya's lesson" })).toBeNull();
});

test.each(['javascript:alert(1)', 'data:text/html,x'])('%s is never a link', async (place) => {
  showLessons({ lessons: [portalLesson({ place })] });
  expect(await screen.findByText(`Maths, ${place}`)).toBeTruthy();
  expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull();
});

test('without lessons, the page says what will appear here', async () => {
  showLessons({ lessons: [] });
  expect(
    await screen.findByText(
      'No lessons are booked at the moment. New lessons will appear here as soon as Ada Fenwick adds them.',
    ),
  ).toBeTruthy();
});

test('a person who may see no lessons is asked to contact the tutor', async () => {
  const students = portalLessons().students.map((each) => ({ ...each, seesLessons: false }));
  showLessons({ lessons: [], students });
  expect(await screen.findByText(/^Ada Fenwick hasn't shared any lessons with you/)).toBeTruthy();
});

test('a person with several tutors chooses one and can switch', async () => {
  const tutors = [adaAsTutor, tomAsTutor];
  const { user, pathname } = openPortal({ [LOGIN]: () => json(200, portalLogin({ tutors })) });
  expect(await screen.findByRole('heading', { name: 'Your tutors' })).toBeTruthy();
  expect(screen.getByText('Whose lessons would you like to see?')).toBeTruthy();
  await user.click(screen.getByRole('link', { name: /Tom Bellamy/ }));
  const heading = await screen.findByRole('heading', { name: 'Next lessons' });
  expect(document.activeElement).toBe(heading);
  expect(pathname()).toBe('/family/c_tom_1234567');
  expect(screen.queryByText('Ada Fenwick')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Details' }));
  expect(await screen.findByRole('heading', { name: 'Details' })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Next' }));
  expect(pathname()).toBe('/family/c_tom_1234567');
  await user.click(screen.getByRole('link', { name: 'Switch tutor' }));
  await user.click(await screen.findByRole('link', { name: /Ada Fenwick/ }));
  expect(await screen.findByText('Maya')).toBeTruthy();
  act(() => window.history.back());
  expect(await screen.findByRole('heading', { name: 'Your tutors' })).toBeTruthy();
});

test("another person's path shows the signed-in person's own tutor", async () => {
  openPortal({}, '/family/c_other_123456');
  expect(await screen.findByText('Maya')).toBeTruthy();
});

test('if no tutor has given the address access, the page suggests asking the tutor', async () => {
  openPortal({ [LOGIN]: () => json(200, portalLogin({ tutors: [] })) });
  expect(await screen.findByRole('heading', { name: 'No lessons to show' })).toBeTruthy();
  expect(screen.getByText(/Ask your tutor to check/).textContent).toContain(
    'ruth@families.example',
  );
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
});

test('if access has been removed in the meantime, the page says so', async () => {
  openPortal({ [LESSONS]: () => json(404, { message: 'No' }) });
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Ada Fenwick no longer shares lessons with you here/,
  );
});

test('the details page lists the signed-in browsers, and another browser can be signed out', async () => {
  const { user, server } = openPortal({}, '/family/details');
  expect(await screen.findByText('ruth@families.example')).toBeTruthy();
  expect(await screen.findByText('This browser')).toBeTruthy();
  expect(screen.getByText(/^Last used yesterday at/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Sign out of Safari on iPhone' })).toBeNull();
  server.handlers['DELETE /api/portal/browsers/browser-there'] = () =>
    server.saved(BROWSERS, portalBrowsers.slice(0, 1));
  await user.click(screen.getByRole('button', { name: 'Sign out of Firefox on Windows' }));
  await vi.waitFor(() => expect(screen.queryByText('Firefox on Windows')).toBeNull());
});

test('a login on a shared device says when it ends', async () => {
  const login = portalLogin({ isSharedDevice: true });
  openPortal({ [LOGIN]: () => json(200, login) }, '/family/details');
  expect(await screen.findByText("You'll be signed out when you close this browser.")).toBeTruthy();
});

test('signing out leads to the sign-in page and removes the data', async () => {
  const { user, server } = openPortal();
  await screen.findByText('Maya');
  server.handlers['DELETE /api/portal/login'] = () => {
    server.handlers[LOGIN] = unauthenticated;
    return json(200, {});
  };
  await user.click(screen.getByRole('link', { name: 'Details' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(screen.getByText("You've signed out.")).toBeTruthy();
  expect(screen.queryByText('Maya')).toBeNull();
});

test('a failed sign-out is reported, and the page stays', async () => {
  const { user } = openPortal({}, '/family/details');
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  expect(await screen.findByText("We couldn't sign you out. Please try again.")).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Details' })).toBeTruthy();
});

test('a login that was ended elsewhere leads to the sign-in page on the next call', async () => {
  const { user, server } = openPortal();
  await screen.findByText('Maya');
  // A tutor ends only the access to their own data.
  for (const name of [LOGIN, LESSONS]) server.handlers[name] = unauthenticated;
  await user.click(screen.getByRole('link', { name: 'Details' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(
    screen.getByText("You've been signed out. Sign in again to see your lessons."),
  ).toBeTruthy();
});

test('a visitor who was never signed in sees no message about being signed out', async () => {
  openPortal({ [LOGIN]: unauthenticated });
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
  expect(screen.queryByRole('status', { name: '' })?.textContent ?? '').toBe('');
  expect(screen.queryByText(/signed out/)).toBeNull();
});

test.each([
  [429, 'That was too many attempts in a short time. Please wait a minute and try again.'],
  [500, "We couldn't load this. Please try again."],
])('a request that fails with status %i can be retried', async (status, text) => {
  const { user, server } = openPortal({ [LESSONS]: () => json(status, { message: 'No' }) });
  expect((await screen.findByRole('alert')).textContent).toBe(text);
  server.handlers[LESSONS] = () => json(200, portalLessons());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Maya')).toBeTruthy();
});

test('if the server cannot be reached, the page says so and can be retried', async () => {
  const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));
  const { user, server } = openPortal({ [LOGIN]: noNetwork });
  expect((await screen.findByRole('alert')).textContent).toBe(
    "We couldn't reach Lessonbook. Please try again.",
  );
  server.handlers[LOGIN] = () => json(200, portalLogin());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Maya')).toBeTruthy();
});
