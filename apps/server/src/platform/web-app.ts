import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from './app-error.ts';

/** Without pages of our own, every address that is no call is simply not there. */
export function serveNoPages(fastify: FastifyInstance): void {
  fastify.setNotFoundHandler(async () => {
    throw nothingHere();
  });
}

const nothingHere = () => new AppError('not_found', 'There is nothing here.');

/** The built web app: assets with a hash in their name never change; the pages are always asked for anew. */
export async function serveWebApp(
  fastify: FastifyInstance,
  dist: string,
  cookieName: string,
): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: dist,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(dist, 'assets'));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const landing = existsSync(join(dist, 'landing.html')) ? 'landing.html' : 'index.html';

  // Without a cookie nobody can be signed in, so the finished landing page is sent at once.
  fastify.get('/', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'Cookie' });
    return reply.sendFile(request.cookies[cookieName] ? 'index.html' : landing);
  });

  // Every other address belongs to the router in the browser, which also knows the 404 screen.
  fastify.setNotFoundHandler(async (request, reply) => {
    const page =
      request.method === 'GET' &&
      !request.url.startsWith('/api/') &&
      !request.url.startsWith('/assets/');
    if (!page) throw nothingHere();
    return reply.header('cache-control', 'no-store').sendFile('index.html');
  });
}
