import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy, useState } from 'react';

/**
 * The large pieces that frame and gates choose between. The routes' loaders start them at the same moment as the
 * question who is signed in, and not only once it is answered.
 */
function lazyWithPreload<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;

  async function fetchOnce() {
    loading ??= load();
    loaded = await loading;
    return loaded;
  }

  const Waiting = lazy(async () => ({ default: await fetchOnce() }));

  /** A lazy component waits for a moment even when its chunk is here: enough to flash a spinner. */
  function Chunk(props: Props) {
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Component {...props} />;
  }

  return Object.assign(Chunk, { preload: fetchOnce });
}

const importLazyPages = async () => (await import('./lazy-pages.ts')).lazyPages;

export const UiProvider = lazyWithPreload(async () => (await importLazyPages()).UiProvider());
export const Shell = lazyWithPreload(async () => (await importLazyPages()).Shell());
export const Landing = lazyWithPreload(
  async () => (await import('../pages/Landing.tsx')).LandingPage,
);
export const Dashboard = lazyWithPreload(async () => (await importLazyPages()).Dashboard());
export const Offline = lazyWithPreload(async () => (await importLazyPages()).Offline());

type PageName = Exclude<
  keyof Awaited<ReturnType<typeof importLazyPages>>,
  'UiProvider' | 'Offline' | 'Shell'
>;

/** A screen that is fetched when its address is opened, or is about to be. */
export function lazyPage(name: PageName) {
  return lazyRouteComponent(async () => ({ default: await (await importLazyPages())[name]() }));
}
