import { moveRequests, portalMoveRequests } from '@lessonbook/contract/move-requests';
import { portal } from '@lessonbook/contract/portal';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type { RetryingClient } from '../virtual-users/retrying-client.ts';
import type { SignedInContact, VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { addLesson } from './lessons.ts';
import { expectMoved, expectSession, isScheduled, readSession } from './sessions.ts';
import { addStudent, carerEmail } from './students-and-subjects.ts';

const CODE_TIMEOUT_MS = 60_000;
const SIGN_IN_ATTEMPTS = 10;

/** Adds a student and signs in as the main contact. If a response is lost, a new code is requested. */
export async function signInContact(
  user: VirtualUser,
  mailbox: Mailbox,
  createClient: () => RetryingClient,
): Promise<SignedInContact> {
  const student = await addStudent(user, true, true);
  if (!student) throw new Error('The student for the family portal was not created');
  const email = carerEmail(student.marker);
  const client = createClient();
  const usedCodes = new Set<string>();
  const readCode = async (): Promise<string> => {
    const { subject } = await mailbox.waitFor(
      (mail) =>
        mail.to.includes(email) &&
        /^\d{6} is your code/.test(mail.subject) &&
        !usedCodes.has(mail.subject),
      CODE_TIMEOUT_MS,
    );
    usedCodes.add(subject);
    return subject.slice(0, 6);
  };
  for (let attempt = 0; attempt < SIGN_IN_ATTEMPTS; attempt += 1) {
    const sent = await client.write(portal.requestPortalCode, { body: { address: email } });
    // After a retry there are two codes, and only the second belongs to this request.
    for (let count = sent.outcomeUnknown ? 2 : 1; count > 0 && sent.status === 202; count -= 1) {
      const login = await client.write(portal.signInToPortal, {
        body: { requestId: sent.body.requestId, code: await readCode() },
      });
      const publicId = login.status === 201 ? login.body.tutors[0]?.publicId : undefined;
      if (publicId !== undefined) return { client, publicId, student };
    }
  }
  throw new Error(`${email} could not sign in`);
}

/** The main contact cancels one of the student's lessons for the fee that the portal shows. */
export async function cancelAsContact(user: VirtualUser): Promise<void> {
  const { signedInContact } = user;
  if (!signedInContact) return;
  const { client, publicId, student } = signedInContact;
  const findScheduled = (id: number) => {
    const session = user.sessions.get(id);
    return session && isScheduled(session) ? session : undefined;
  };
  const page = await client.read(portal.portalLessons, { params: { publicId } });
  if (page.status !== 200) return user.reportUnexplained('reading the family portal', page);
  const lesson = user.pick(
    page.body.lessons,
    ({ sessionId, cancellation }) =>
      cancellation?.isAllowed === true && findScheduled(sessionId) !== undefined,
  );
  const tracked = lesson && findScheduled(lesson.sessionId);
  const cost = lesson?.cancellation;
  if (!tracked || !cost) return void (await addLesson(user, user.randomSlot(1, 40), [student]));
  const usesFreeCancellation =
    cost.fee > 0 && cost.freeCancellationsLeft > 0 && user.random.chance(0.3);
  const fee = usesFreeCancellation ? 0 : cost.fee;
  const outcome = await client.write(portal.cancelPortalLessons, {
    params: { publicId },
    body: {
      lessons: [{ sessionId: tracked.id, studentId: student.id, fee, usesFreeCancellation }],
    },
  });
  // The tutor may have changed the policy or the fee, or a cut-off may have passed.
  if (outcome.status === 409 && outcome.error.code === 'fee_changed') return;
  const session = await readSession(user, tracked);
  const seat = session?.students.find(({ studentId }) => studentId === student.id);
  const isCancelled = session?.status === 'cancelled' || seat?.state === 'cancelled';
  if (outcome.status !== 200 || !session || !isCancelled || (seat?.charged ?? 0) !== fee)
    return user.reportUnexplained(`cancelling in the portal for ${fee}`, outcome);
  expectSession(user, tracked, session);
}

/** The main contact asks to move a lesson. Then they withdraw the request, or the tutor declines or accepts it. */
export async function askToMoveAsContact(user: VirtualUser): Promise<void> {
  const { signedInContact } = user;
  if (!signedInContact) return;
  const { client, publicId, student } = signedInContact;
  const page = await client.read(portal.portalLessons, { params: { publicId } });
  if (page.status !== 200) return user.reportUnexplained('reading the family portal', page);
  const findTracked = (id: number) => {
    const session = user.sessions.get(id);
    // The sessions of a series can be deleted with their requests.
    return session && isScheduled(session) && !session.isRecurring ? session : undefined;
  };
  const lesson = user.pick(
    page.body.lessons,
    ({ sessionId, mayAskToMove }) => mayAskToMove && findTracked(sessionId) !== undefined,
  );
  const tracked = lesson && findTracked(lesson.sessionId);
  if (!tracked) return void (await addLesson(user, user.randomSlot(1, 40), [student]));
  const { date, startTime } = user.randomSlot(1, 90);
  const choice = { date, startTime };
  const created = await client.write(portalMoveRequests.askToMove, {
    params: { publicId },
    body: { sessionId: tracked.id, studentId: student.id, choices: [choice] },
  });
  // The lesson may already be at that time.
  if (created.status === 400 || created.status === 429) return;
  if (created.status !== 201) return user.reportUnexplained('asking to move a lesson', created);
  const { id } = created.body;
  const expectStatus = (status: string) =>
    user.expected.expectRow('move_requests', id, { status, session_id: tracked.id });
  const answer = user.random.pick(['withdraw', 'decline', 'accept'] as const);
  if (answer === 'withdraw') {
    const params = { publicId, id };
    const outcome = await client.write(portalMoveRequests.withdrawMoveRequest, { params });
    if (outcome.status !== 200) return user.reportUnexplained('withdrawing a request', outcome);
    return expectStatus('withdrawn');
  }
  if (answer === 'decline') {
    const outcome = await user.client.write(moveRequests.declineMoveRequest, {
      params: { id },
      body: {},
    });
    const isRetry = outcome.outcomeUnknown && outcome.status === 409;
    if (outcome.status !== 200 && !isRetry)
      return user.reportUnexplained('declining a request', outcome);
    return expectStatus('declined');
  }
  const outcome = await user.client.write(moveRequests.acceptMoveRequest, {
    params: { id },
    body: { ...choice, acceptOverlaps: true },
  });
  if (outcome.status !== 200) return user.reportUnexplained('accepting a request', outcome);
  expectStatus('accepted');
  const moved = await readSession(user, { ...tracked, id: outcome.body.sessionId });
  if (moved) expectMoved(user, tracked, moved);
}
