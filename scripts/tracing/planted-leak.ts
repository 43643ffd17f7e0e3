import { channel, subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/* Loaded after packages/tracing to test the check: publishes each request's URL, as automatic instrumentation would. */
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  const operation = { kind: 'request', method: 'GET', route: request.url, requestId: 'planted' };
  channel('lessonbook:operation:start').runStores(operation, () => undefined);
  channel('lessonbook:operation:end').publish(operation);
});
