import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../apps/web/build/vite-manifest.ts';
import { measureBundles, measureFonts } from './budgets/bundle-size.ts';
import { readPageKinds } from './budgets/page-budgets.ts';

const sizesInKb: Record<string, number> = {};
const sizeOf = (file: string) => sizesInKb[file] ?? 1;

const pages = readPageKinds();

/** A build whose files are 1 kB each: the entries, the layout, all pages and one dialog. */
function smallBuild(): Manifest {
  const manifest: Manifest = {
    'index.html': { file: 'index.js', css: ['index.css'], imports: ['_react.js'] },
    'link.html': { file: 'link.js', imports: ['_react.js'] },
    'family.html': { file: 'family.js', imports: ['_react.js'] },
    '_react.js': { file: 'react.js' },
    'src/features/portal/SignedInPages.tsx': {
      file: 'portal.js',
      imports: ['_react.js'],
      dynamicImports: ['src/features/portal/CancelSheet.tsx'],
    },
    'src/features/portal/CancelSheet.tsx': { file: 'sheet.js', imports: ['_react.js'] },
    'src/app/TutorLayout.tsx': { file: 'layout.js' },
    'src/app/shell/AccountMenuItems.tsx': { file: 'menu.js', imports: ['_floating.js'] },
    '_floating.js': { file: 'floating.js' },
    'src/features/lessons/LessonDialog.tsx': { file: 'dialog.js', imports: ['_react.js'] },
  };
  for (const page of pages.keys()) {
    manifest[page] = {
      file: page.replace(/^.*\/(\w+)\.tsx$/, '$1.js'),
      dynamicImports: page.endsWith('/ScheduleStudentsOrSubjects.tsx')
        ? ['src/features/lessons/LessonDialog.tsx']
        : [],
    };
  }
  return manifest;
}

const measure = (manifest: Manifest) =>
  measureBundles({ manifest, landingFiles: ['theme.js'], pages, sizeOf });

beforeEach(() => {
  for (const file of Object.keys(sizesInKb)) delete sizesInKb[file];
});

describe('measureBundles', () => {
  const find = (manifest: Manifest, name: string) =>
    measure(manifest).find((each) => each.name === name);

  test('includes the shared chunks in the size of a page', () => {
    const build = smallBuild();
    expect(find(build, 'landing')).toMatchObject({ kind: 'landing', script: 1, style: 0 });
    expect(find(build, 'link')).toMatchObject({ kind: 'link', script: 2, style: 0 });
    expect(find(build, 'family')).toMatchObject({ kind: 'family', script: 2, style: 0 });
    expect(find(build, 'SignedInPages')).toMatchObject({ kind: 'portal', script: 3, style: 0 });
    expect(find(build, 'Login')).toMatchObject({ kind: 'public', script: 3, style: 1 });
    expect(find(build, 'ScheduleStudentsOrSubjects')).toMatchObject({
      kind: 'app',
      script: 4,
      style: 1,
    });
  });

  test('counts only the files of a dialog that its page has not already loaded', () => {
    const build = smallBuild();
    expect(find(build, 'LessonDialog')).toMatchObject({ kind: 'feature', script: 1 });
    expect(find(build, 'CancelSheet')).toMatchObject({ kind: 'feature', script: 1 });
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
    ['landing', 'theme.js', 60.1],
    ['link', 'link.js', 96.1],
    ['family', 'family.js', 89.1],
    ['SignedInPages', 'portal.js', 104.1],
    ['CancelSheet', 'sheet.js', 64.1],
    ['Login', 'Login.js', 193.1],
    ['Settings', 'Settings.js', 222.1],
    ['LessonDialog', 'dialog.js', 64.1],
  ])('%s is over budget just above its limit', (name, file, size) => {
    const build = smallBuild();
    expect(measure(build).some(({ isOver }) => isOver)).toBe(false);
    sizesInKb[file] = size;
    const over = measure(build).filter(({ isOver }) => isOver);
    expect(over.map((each) => each.name)).toEqual([name]);
  });

  test('styles and fonts have separate budgets', () => {
    sizesInKb['index.css'] = 25.1;
    expect(find(smallBuild(), 'Login')).toMatchObject({ isOver: true });
    expect(find(smallBuild(), 'link')).toMatchObject({ isOver: false });
    sizesInKb['a.woff2'] = 40;
    sizesInKb['b.woff2'] = 25.1;
    expect(measureFonts(['a.woff2'], sizeOf).isOver).toBe(false);
    expect(measureFonts(['a.woff2', 'b.woff2'], sizeOf).isOver).toBe(true);
  });

  test('F62 the route modules determine which pages load the tutor layout', () => {
    expect(pages.get('src/pages/Login.tsx')).toBe('public');
    expect(pages.get('src/pages/SettingsActivity.tsx')).toBe('app');
  });
});

describe('npm run budgets', () => {
  let dist: string;
  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'lessonbook-budgets-'));
    const build = smallBuild();
    write('.vite/manifest.json', JSON.stringify(build));
    write('index.html', '<link rel="preload" as="font" type="font/woff2" href="/a.woff2">');
    write('landing.html', '<script src="/theme.js"></script>');
    write('theme.js.gz', 'x');
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
    write('theme.js.gz', 'x'.repeat(60_100));
    const { status, stdout } = run();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^landing .* OVER$/m);
    expect(stdout).toContain('1 over budget');
  });
});
