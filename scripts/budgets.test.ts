import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../apps/web/build/vite-manifest.ts';
import { measureBundles, measureFonts } from './budgets/bundle-size.ts';
import { PAGES } from './budgets/page-budgets.ts';

const sizesInKb: Record<string, number> = {};
const sizeOf = (file: string) => sizesInKb[file] ?? 1;

/** A build whose files are 1 kB each: the entry, the page list, the UI provider, the shell, all pages and one dialog. */
function smallBuild(): Manifest {
  const manifest: Manifest = {
    'index.html': { file: 'index.js', css: ['index.css'], imports: ['_react.js'] },
    '_react.js': { file: 'react.js' },
    'src/app/lazy-pages.ts': { file: 'lazy-pages.js' },
    'src/app/UiProvider.tsx': { file: 'ui-provider.js', css: ['ui-provider.css'] },
    'src/app/shell/Shell.tsx': { file: 'shell.js' },
    'src/app/shell/AccountMenuItems.tsx': { file: 'menu.js', imports: ['_floating.js'] },
    '_floating.js': { file: 'floating.js' },
    'src/features/lessons/LessonDialog.tsx': { file: 'dialog.js', imports: ['_react.js'] },
  };
  for (const name of Object.values(PAGES).flat()) {
    manifest[`src/pages/${name}.tsx`] = {
      file: `${name}.js`,
      dynamicImports: name === 'Schedule' ? ['src/features/lessons/LessonDialog.tsx'] : [],
    };
  }
  return manifest;
}

beforeEach(() => {
  for (const file of Object.keys(sizesInKb)) delete sizesInKb[file];
});

describe('measureBundles', () => {
  const find = (manifest: Manifest, name: string) =>
    measureBundles(manifest, sizeOf).find((each) => each.name === name);

  test('includes the shared chunks in the size of a page', () => {
    const build = smallBuild();
    expect(find(build, 'Landing')).toMatchObject({ kind: 'landing', script: 3, style: 1 });
    expect(find(build, 'PublicBill')).toMatchObject({ kind: 'public', script: 4, style: 1 });
    expect(find(build, 'Login')).toMatchObject({ kind: 'entry', script: 5, style: 2 });
    expect(find(build, 'Schedule')).toMatchObject({ kind: 'app', script: 6, style: 2 });
  });

  test('counts only the files of a dialog that its page has not already loaded', () => {
    const build = smallBuild();
    expect(find(build, 'LessonDialog')).toMatchObject({ kind: 'feature', script: 1 });
  });

  test('does not count files that the shell preloads while idle', () => {
    const build = smallBuild();
    Object.assign(build['src/features/lessons/LessonDialog.tsx'] ?? {}, {
      imports: ['_floating.js'],
    });
    sizesInKb['floating.js'] = 20;
    expect(find(build, 'LessonDialog')).toMatchObject({ script: 1 });
    expect(find(build, 'AccountMenuItems')).toMatchObject({ kind: 'feature', script: 21 });
  });

  test('counts only the files of a nested dialog that the outer dialog has not already loaded', () => {
    const build = smallBuild();
    const dialog = build['src/features/lessons/LessonDialog.tsx'];
    Object.assign(dialog ?? {}, { dynamicImports: ['src/components/DateCalendar.tsx'] });
    build['src/components/DateCalendar.tsx'] = {
      file: 'calendar.js',
      imports: ['src/features/lessons/LessonDialog.tsx'],
    };
    sizesInKb['dialog.js'] = 50;
    expect(find(build, 'DateCalendar')).toMatchObject({ script: 1, isOver: false });
  });

  test.each([
    ['Landing', 'Landing.js', 118.1],
    ['Login', 'Login.js', 196.1],
    ['Settings', 'Settings.js', 207.1],
    ['LessonDialog', 'dialog.js', 60.1],
  ])('%s is over budget just above its limit', (name, file, size) => {
    const build = smallBuild();
    expect(measureBundles(build, sizeOf).some(({ isOver }) => isOver)).toBe(false);
    sizesInKb[file] = size;
    const over = measureBundles(build, sizeOf).filter(({ isOver }) => isOver);
    expect(over.map((each) => each.name)).toEqual([name]);
  });

  test('styles and fonts have separate budgets', () => {
    sizesInKb['ui-provider.css'] = 24.1;
    expect(find(smallBuild(), 'Login')).toMatchObject({ isOver: true });
    expect(find(smallBuild(), 'Landing')).toMatchObject({ isOver: false });
    sizesInKb['a.woff2'] = 40;
    sizesInKb['b.woff2'] = 25.1;
    expect(measureFonts(['a.woff2'], sizeOf).isOver).toBe(false);
    expect(measureFonts(['a.woff2', 'b.woff2'], sizeOf).isOver).toBe(true);
  });

  test('throws for a page without a kind and for a missing page', () => {
    const build = smallBuild();
    build['src/pages/Waiting.tsx'] = { file: 'waiting.js' };
    expect(() => measureBundles(build, sizeOf)).toThrow(/Waiting.tsx: add it to/);
    delete build['src/pages/Waiting.tsx'];
    delete build['src/pages/Login.tsx'];
    expect(() => measureBundles(build, sizeOf)).toThrow(/Login.tsx: has no chunk/);
  });
});

describe('npm run budgets', () => {
  let dist: string;
  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'lessonbook-budgets-'));
    const build = smallBuild();
    write('.vite/manifest.json', JSON.stringify(build));
    write('index.html', '<link rel="preload" as="font" type="font/woff2" href="/a.woff2">');
    write('a.woff2', 'x'.repeat(1000));
    for (const { file, css = [] } of Object.values(build)) {
      for (const each of [file, ...css]) write(`${each}.gz`, 'x'.repeat(1000));
    }
  });
  afterEach(() => rmSync(dist, { recursive: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), text);
  }

  const run = () =>
    spawnSync(
      process.execPath,
      [fileURLToPath(new URL('budgets.ts', import.meta.url)), '--dist', dist],
      { encoding: 'utf8' },
    );

  test('exits with 1 and marks the bundles over budget', () => {
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining('All within') });
    write('Landing.js.gz', 'x'.repeat(118_100));
    const { status, stdout } = run();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Landing .* OVER$/m);
    expect(stdout).toContain('1 over budget');
  });
});
