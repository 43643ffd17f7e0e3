import { portalSettings } from '@lessonbook/contract/portal-management';
import type { PortalPerson } from './move-request-fixture.ts';
import { addSecondContact, createPortalFixture, signInToPortal } from './portal-fixture.ts';
import type { TestApp } from './test-app.ts';

/* Every kind of contact, signed in to one tutor's portal, and move requests for each seat. */

/** The students with a seat. Maya and Sam are in a group; Leo has his own lesson. */
export const SEATS = ['Maya', 'Leo', 'Sam'] as const;
export type SeatName = (typeof SEATS)[number];

/** The views that the contact role may read. */
export const PORTAL_VIEWS = [
  'portal_access',
  'portal_tutor',
  'portal_contact',
  'portal_agreements',
  'portal_lessons',
  'portal_policies',
  'portal_terms',
  'portal_free_cancellations',
  'portal_move_requests',
  'portal_accounts',
  'portal_notes',
  'portal_homework',
];

export type PortalPeople = Awaited<ReturnType<typeof createPortalPeople>>;

/** The address of a contact added by `createPortalPeople`. */
export const emailOf = (name: string): string => `${name.replaceAll(' ', '-')}@families.example`;

export async function createPortalPeople(app: TestApp) {
  const family = await createPortalFixture(app);
  const otherTutor = await createPortalFixture(app);
  const people = new Map<string, PortalPerson>();
  const contactIds: Record<string, number> = {};
  const signIn = async (name: string, email: string, contactId: number) => {
    const { browser, login } = await signInToPortal(app, email);
    people.set(name, { browser, publicId: login.tutors[0]?.publicId as string });
    contactIds[name] = contactId;
  };
  const add = async (
    name: string,
    access: Parameters<typeof addSecondContact>[2]['access'],
    studentId = family.maya.id,
  ) => {
    const email = emailOf(name);
    const id = await addSecondContact(family.browser, studentId, { email, access });
    await signIn(name, email, id);
  };
  await signIn('main contact of two students', family.ruthEmail, family.contacts.ruth);
  await signIn('contact of another family', family.tomEmail, family.contacts.tom);
  await add('second contact with lessons', { seesLessons: true });
  await add('second contact with lessons and place', { seesLessons: true, seesPlace: true });
  await add('second contact who may cancel', { seesLessons: true, mayCancel: true });
  await add('second contact who may request moves', { seesLessons: true, mayRequestMoves: true });
  await add('contact with money only', { seesMoney: true });
  await add('contact with money who may request moves', { seesMoney: true, mayRequestMoves: true });
  for (const name of ['contact without any access', 'suspended contact', 'removed contact'])
    await add(name, { seesLessons: true, seesPlace: true, seesMoney: true, mayRequestMoves: true });
  await endAccess(app, family, contactIds);
  // Uses the public id of the first tutor's main contact.
  const { browser } = await signInToPortal(app, otherTutor.ruthEmail);
  const publicId = people.get('main contact of two students')?.publicId as string;
  people.set('contact of another tutor', { browser, publicId });
  return { family, people, contactIds, add, signIn };
}

async function endAccess(
  app: TestApp,
  { browser, maya }: Awaited<ReturnType<typeof createPortalFixture>>,
  contactIds: Record<string, number>,
): Promise<void> {
  await app.admin.query(
    `update contact_access set sees_lessons = false, sees_place = false, sees_money = false
     where contact_id = $1 and student_id = $2`,
    [contactIds['contact without any access'], maya.id],
  );
  await browser.call(portalSettings.suspendContact, {
    params: { id: Number(contactIds['suspended contact']) },
    body: { isSuspended: true },
  });
  await browser.send(
    'DELETE',
    `/api/students/${maya.id}/contacts/${contactIds['removed contact']}`,
  );
}

export const seatOf = ({ family }: Pick<PortalPeople, 'family'>, name: SeatName) => {
  const { maya, leo, sam, group, own } = family;
  const sessionId = name === 'Leo' ? own.sessionId : group.sessionId;
  return { sessionId, studentId: { Maya: maya, Leo: leo, Sam: sam }[name].id };
};

/**
 * Adds two move requests for each seat, made by the student's main contact: one for which the tutor has suggested a time, and
 * an earlier one that was declined. `message` is the tutor's answer to Ruth.
 */
export async function addMoveRequests(
  app: TestApp,
  fixture: PortalPeople,
  message: string,
): Promise<void> {
  for (const name of SEATS) {
    const { sessionId, studentId } = seatOf(fixture, name);
    const asker = name === 'Sam' ? 'contact of another family' : 'main contact of two students';
    const { suggested, declined } = requestOf(name);
    const request = [fixture.people.get(asker)?.publicId, sessionId, studentId];
    for (const [id, status, hoursAgo] of [
      [suggested, 'suggested', 0],
      [declined, 'declined', 1],
    ])
      await app.admin.query(
        `insert into move_requests (tutor_id, id, contact_id, session_id, student_id, status, choices, suggestions, answer,
           session_date, session_start_time, asked_at, answered_at)
         select c.tutor_id, $4, c.id, s.id, $3, $5, '[]', '[{"date": "2026-11-20", "startTime": "17:00"}]', $6,
           s.date, s.start_time, $7::timestamptz - make_interval(hours => $8), $7
         from contacts c join sessions s on s.tutor_id = c.tutor_id and s.id = $2
         where c.public_id = $1`,
        [
          ...request,
          id,
          status,
          name === 'Sam' ? null : message,
          app.context.clock.now(),
          hoursAgo,
        ],
      );
  }
}

/** The ids of the requests that `addMoveRequests` adds for a seat. */
export const requestOf = (name: SeatName) => {
  const suggested = SEATS.indexOf(name) * 2 + 1;
  return { suggested, declined: suggested + 1 };
};

/**
 * Sends an invalid request for each person and seat. A person who is allowed to make such a request gets one of the statuses in
 * `refused`; everyone else gets 404 or 401. Returns the seats for which each person is allowed, or null for a person who always
 * gets 401. Throws on any other status.
 */
export async function readStatusMatrix(
  { people }: PortalPeople,
  refused: readonly number[],
  send: (person: PortalPerson, name: SeatName) => Promise<{ status: number }>,
): Promise<Record<string, string[] | null>> {
  const matrix: Record<string, string[] | null> = {};
  for (const [person, login] of people) {
    const statuses = new Map<SeatName, number>();
    for (const name of SEATS) statuses.set(name, (await send(login, name)).status);
    const unexpected = [...statuses.values()].find(
      (status) => ![401, 404, ...refused].includes(status),
    );
    if (unexpected !== undefined) throw new Error(`${person}: ${unexpected}`);
    matrix[person] = [...statuses.values()].every((status) => status === 401)
      ? null
      : SEATS.filter((name) => refused.includes(statuses.get(name) ?? 0));
  }
  return matrix;
}
