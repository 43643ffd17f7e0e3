import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/** Without pages of our own, every address that is no call is simply not there. */
export function serveApiOnly(fastify: FastifyInstance): void {
  fastify.setNotFoundHandler(async () => {
    throw notFoundError();
  });
}

const notFoundError = () => new AppError('not_found', 'There is nothing here.');

/** The built web app: assets with a hash in their name never change; the pages are never kept. */
export async function serveStaticSite(
  fastify: FastifyInstance,
  dist: string,
  { cookieName, serviceWorker }: { cookieName: string; serviceWorker: boolean },
): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: dist,
    index: false,
    // What a build or a copy left behind under such a name is nobody's.
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', cacheControlFor(relative(dist, path)));
    },
  });
  /** The build makes a page for each of these; one by hand may have `index.html` alone. */
  const pageFor = (path: string, signedIn: boolean): string => {
    const name = pageNameFor(path, signedIn);
    return existsSync(join(dist, name)) ? name : 'index.html';
  };

  // Without a cookie nobody can be signed in, so the finished landing page is sent at once.
  fastify.get('/', async (request, reply) => {
    reply.header('vary', 'Cookie');
    return reply.sendFile(pageFor('/', Boolean(request.cookies[cookieName])));
  });

  // Browsers ask for it again at every visit; this one is gone as soon as it arrives, and takes the other along.
  if (!serviceWorker) {
    fastify.get('/service-worker.js', async (_request, reply) => reply.sendFile('unregister.js'));
  }

  // Every other address belongs to the router in the browser, which also knows the 404 screen.
  fastify.setNotFoundHandler(async (request, reply) => {
    const page =
      request.method === 'GET' &&
      !request.url.startsWith('/api/') &&
      !request.url.startsWith('/assets/');
    if (!page) throw notFoundError();
    reply.header('vary', 'Cookie');
    const [path = ''] = request.url.split('?');
    return reply.sendFile(pageFor(path, Boolean(request.cookies[cookieName])));
  });
}

/** By what it fetches from the start; the router in the browser decides what is shown. */
function pageNameFor(path: string, signedIn: boolean): string {
  if (signedIn) return path === '/' || path === '/dashboard' ? 'home.html' : 'index.html';
  if (path === '/') return 'landing.html';
  return path === '/login' ? 'login.html' : 'visitor.html';
}

/** How long a file may be kept by who gets it. The sender of files has the last word on this, so it is decided here. */
function cacheControlFor(file: string): string {
  if (file.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return /\.html(\.\w+)?$/.test(file) ? 'no-store' : 'no-cache';
}
