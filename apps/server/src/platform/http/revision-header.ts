import { REVISION_HEADER } from '@lessonbook/contract/endpoint';
import type { FastifyInstance } from 'fastify';

/** Sends the revision with the response to a write, even if the request failed after its change was committed. */
export function addRevisionHeader(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async ({ method, login, requestContext }, reply) => {
    const changed = requestContext?.changed;
    // A family whose payment has changed the tutor's data does not get the revision.
    if (method !== 'GET' && changed && changed.tutorId === login?.tutorId)
      reply.header(REVISION_HEADER, changed.revision);
  });
}
