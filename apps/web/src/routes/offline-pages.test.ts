import { expect, test } from 'vitest';
import { classifyRequest } from '../../worker/classify-request.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { createAppRouter, listPages } from './router.ts';

const ORIGIN = 'https://lessonbook.example';
const appPages = listPages(createAppRouter(createQueryClient()));
const offlinePaths = appPages.filter(({ opensOffline }) => opensOffline).map(({ path }) => path);
const TOKEN = 'Zk3vQx9sT0aB1cD2eF3gH4iJ5kL6mN7oP8qR';

const classifyNavigation = (path: string) =>
  classifyRequest(
    { method: 'GET', mode: 'navigate', url: `${ORIGIN}${path}` },
    ORIGIN,
    offlinePaths,
  );
const classifyFetch = (path: string, method = 'GET') =>
  classifyRequest({ method, mode: 'cors', url: `${ORIGIN}${path}` }, ORIGIN, offlinePaths);

test('every tutor page except / opens offline, and no other page does', () => {
  const tutorPages = appPages.filter(({ section }) => section !== null);
  expect(tutorPages.length).toBeGreaterThan(20);
  for (const { path, section } of appPages) {
    const url = path.replace(/\$\w+/g, section === null ? TOKEN : '7');
    const opensOffline = section !== null && url !== '/';
    expect([url, classifyNavigation(url)]).toEqual([url, opensOffline ? 'page' : null]);
  }
});

test.each([
  ['/', null],
  ['/login', null],
  [`/pay/${TOKEN}`, null],
  [`/invoices/${TOKEN}`, null],
  ['/invoices/12', 'page'],
  ['/invoices/12/extra', null],
  [`/unsubscribe/${TOKEN}`, null],
  [`/reset-password/${TOKEN}`, null],
  ['/schedule?date=2026-11-17', 'page'],
  ['/schedule/../pay/1', null],
  ['/api/me', null],
  ['/api/docs', null],
  ['/assets/index-abcdefgh.js', null],
])('navigation to %s is classified as %s', (path, kind) => {
  expect(classifyNavigation(path)).toBe(kind);
});

test.each([
  '/api/me',
  '/api/sessions?from=2026-11-15&to=2026-11-29',
  '/api/offline-snapshot',
  '/api/invoices/3.pdf',
  '/api/assets/index-abcdefgh.js',
  '/assets/../api/me',
  '/assets/index.js',
  '/assets/index-abcdefgh.js?family=3',
  '/index.html',
  '/service-worker.js',
])('%s goes straight to the network', (path) => {
  expect(classifyFetch(path)).toBeNull();
});

test('only GET requests for our own hashed files are served from the cache', () => {
  expect(classifyFetch('/assets/Shell-CrRWqSfH.js')).toBe('asset');
  expect(classifyFetch('/assets/figtree-latin-wght-normal-_8JyblXA.woff2')).toBe('asset');
  expect(classifyFetch('/theme.js')).toBe('theme');
  expect(classifyFetch('/assets/Shell-CrRWqSfH.js', 'POST')).toBeNull();
  const crossOriginRequest = {
    method: 'GET',
    mode: 'cors',
    url: 'https://other.example/assets/a-abcdefgh.js',
  };
  expect(classifyRequest(crossOriginRequest, ORIGIN, offlinePaths)).toBeNull();
});
