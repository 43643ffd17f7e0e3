import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cookies from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveStaticSite } from './static-site.ts';

let dist: string;
let app: FastifyInstance;

beforeEach(async () => {
  dist = mkdtempSync(join(tmpdir(), 'lessonbook-web-'));
  mkdirSync(join(dist, 'assets'));
  for (const name of ['index', 'landing', 'link', 'family', 'visitor', 'login', 'home'])
    writeFileSync(join(dist, `${name}.html`), name);
  app = fastify();
  await app.register(cookies);
  await serveStaticSite(app, dist, {
    origin: 'https://book.example',
    cookieName: 'login',
    serviceWorker: true,
    describePage: async (path) => {
      if (path === '/family') return { title: 'Family', description: '', file: 'family.html' };
      return path.startsWith('/pay/') ? { title: 'Payment', description: 'A bill' } : null;
    },
  });
});
afterEach(async () => {
  await app.close();
  rmSync(dist, { recursive: true });
});

const page = async (url: string, login = '') => {
  const response = await app.inject({ url, ...(login && { cookies: { login } }) });
  expect(response.headers['cache-control']).toMatch(/^no-/);
  expect(response.headers.vary).toMatch(/^Cookie/);
  return response.body;
};

test('serves pages that do not fetch the user if there is no login cookie', async () => {
  expect(await page('/')).toBe('landing');
  expect(await page('/login?next=/')).toBe('login');
  expect(await page('/signup')).toBe('visitor');
});

test('F62 serves the pages for families from their own HTML files, with or without a login cookie', async () => {
  expect(await page('/pay/abc')).toBe('link');
  expect(await page('/pay/abc', 'some-token')).toBe('link');
  expect(await page('/family')).toBe('family');
  expect(await page('/family', 'some-token')).toBe('family');
});

test('serves pages that fetch the user if there is a login cookie, valid or not', async () => {
  expect(await page('/', 'some-token')).toBe('home');
  expect(await page('/dashboard', 'some-token')).toBe('home');
  expect(await page('/reports', 'some-token')).toBe('index');
});

test('a build with a single page serves it for every path', async () => {
  for (const name of ['landing', 'link', 'family', 'visitor', 'login', 'home'])
    rmSync(join(dist, `${name}.html`));
  expect(await page('/')).toBe('index');
  expect(await page('/login')).toBe('index');
  expect(await page('/', 'some-token')).toBe('index');
  expect(await page('/family')).toBe('index');
});
